/** Compares two texts as `<` does, for sorting: by UTF-16 code units, whatever the locale. */
export function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The grammar of counts in Romanian. */

/** Whether "de" stands between a count and its noun: where its last two digits are 00 or 20 to 99, `20 de cereri`. */
export function takesDe(count: number): boolean {
  const rest = count % 100;
  return count !== 0 && (rest === 0 || rest >= 20);
}

/** Form bodies and queries in Stripe's notation: nesting by brackets, arrays by index. */

export type FormValue = string | FormValue[] | { [name: string]: FormValue };
type FormObject = { [name: string]: FormValue };

/** Reads `a[b][0]=c` as `{a: {b: ['c']}}`. */
export function parseBracketForm(text: string): FormObject {
  const root: FormObject = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    const path = [name.split('[', 1)[0] as string, ...[...name.matchAll(/\[([^\]]*)\]/g)].map(([, key]) => key ?? '')];
    let at = root;
    for (const key of path.slice(0, -1)) {
      const next = at[key];
      const child: FormObject = typeof next === 'object' ? (next as FormObject) : Object.create(null);
      at[key] = child;
      at = child;
    }
    const last = path.at(-1) as string;
    at[last === '' ? String(Object.keys(at).length) : last] = value;
  }
  return withArrays(root) as FormObject;
}

function withArrays(value: FormValue): FormValue {
  if (typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([key, each]) => [key, withArrays(each)] as const);
  const isList = entries.length > 0 && entries.every(([key], index) => key === String(index));
  return isList ? entries.map(([, each]) => each) : Object.fromEntries(entries);
}

/** What an attacker says, and what it should hear. */

export const get = (path: string, ...fields: readonly string[]) => ask('GET', path, ...fields);

/** One request without a body. */
export function ask(method: string, path: string, ...fields: readonly string[]): string {
  return `${method} ${path} HTTP/1.1\r\n${['Host: x', ...fields].join('\r\n')}\r\n\r\n`;
}

/** `null` when the statuses are these, else the complaint. */
export function expect(heard: readonly number[], wanted: readonly number[]): string | null {
  if (heard.length === wanted.length && heard.every((status, i) => status === wanted[i])) return null;
  const at = wanted.findIndex((status, i) => heard[i] !== status);
  const counts = `${heard.length} answers, not ${wanted.length}`;
  return at === -1 ? counts : `${counts}; answer ${at + 1} is ${heard[at] ?? 'missing'}, not ${wanted[at]}`;
}

export function repeated<T>(count: number, value: T): T[] {
  return Array.from({ length: count }, () => value);
}

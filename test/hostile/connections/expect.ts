/** What an attacker says, and what it should hear. */
import { addressOf } from '../requests/callers.ts';

/** No address of the regular client lies behind this one. */
const FIRST_ADDRESS = 11 << 24;

let asked = 0;

export const get = (path: string, ...fields: readonly string[]) => ask('GET', path, ...fields);

/** One request without a body, from an address that nothing came from before: no weekly cap stands in its way. */
export function ask(method: string, path: string, ...fields: readonly string[]): string {
  asked += 1;
  const from = `X-Forwarded-For: ${addressOf(FIRST_ADDRESS + asked)}`;
  return `${method} ${path} HTTP/1.1\r\n${['Host: x', from, ...fields].join('\r\n')}\r\n\r\n`;
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

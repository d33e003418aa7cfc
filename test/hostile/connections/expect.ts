/** Makes the requests of attackers, and checks the statuses of their answers. */
import { addressOf } from '../requests/callers.ts';

/** The regular client only uses addresses below this one. */
const FIRST_ADDRESS = 11 << 24;

let requestCount = 0;

export const rawGet = (path: string, ...fields: readonly string[]) => rawRequest('GET', path, ...fields);

/** A request without a body, from a new address, so that no weekly cap applies. */
export function rawRequest(method: string, path: string, ...fields: readonly string[]): string {
  requestCount += 1;
  const from = `X-Forwarded-For: ${addressOf(FIRST_ADDRESS + requestCount)}`;
  return `${method} ${path} HTTP/1.1\r\n${['Host: x', from, ...fields].join('\r\n')}\r\n\r\n`;
}

/** Returns `null` when the statuses are the expected ones, otherwise a complaint. */
export function expectStatuses(received: readonly number[], expected: readonly number[]): string | null {
  if (received.length === expected.length && received.every((status, i) => status === expected[i])) return null;
  const at = expected.findIndex((status, i) => received[i] !== status);
  const counts = `${received.length} answers, not ${expected.length}`;
  return at === -1 ? counts : `${counts}; answer ${at + 1} is ${received[at] ?? 'missing'}, not ${expected[at]}`;
}

export function repeated<T>(count: number, value: T): T[] {
  return Array.from({ length: count }, () => value);
}

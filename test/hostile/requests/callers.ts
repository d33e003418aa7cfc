/** The sender of a request: an address behind a trusted proxy, and sometimes a key, good or broken. */
import { KEY_BYTES, makeApiKey } from '../../../src/domain/access/api-key.ts';
import type { KnownValues, Operation } from './operations.ts';
import type { RequestDraft } from './request-draft.ts';
import type { SeededRandom } from './seeded-random.ts';

/** Many requests share this address, so that weekly caps apply to them. */
const SHARED_ADDRESS = '198.51.100.7';

/** Header lines of the sender. Nearly every request has its own address, or the weekly cap would refuse them all. */
export function callerHeaders(
  { takesKey, needsKey }: Operation,
  known: KnownValues,
  random: SeededRandom,
): RequestDraft['headers'] {
  const address = random.percent(4) ? SHARED_ADDRESS : addressOf(random.integer(1 << 24, (127 << 24) - 1));
  const from: RequestDraft['headers'] = [['X-Forwarded-For', address]];
  return takesKey && random.percent(needsKey ? 70 : 10)
    ? [...from, ['X-Api-Key', key(known['X-Api-Key'] ?? [], random)]]
    : from;
}

/** The IPv4 address of a 32-bit number. */
export function addressOf(number: number): string {
  return [24, 16, 8, 0].map((bits) => (number >>> bits) & 255).join('.');
}

function key(good: readonly string[], random: SeededRandom): string {
  const made = makeApiKey(random.bytes(KEY_BYTES));
  const sent = good.length > 0 && random.percent(80) ? random.oneOf(good) : made;
  const broken = [
    sent.slice(0, -1),
    sent.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    sent.toUpperCase(),
    `${sent}${sent}`,
    `"${sent}"`,
    `Bearer ${sent}`,
    `${sent}, ${sent}`,
    made.slice(0, 11),
    ' ',
  ];
  return random.percent(75) ? sent : random.oneOf(broken);
}

/** Who sends a request: an address behind a trusted proxy, and sometimes a key, good or broken. */
import { KEY_BYTES, makeApiKey } from '../../../src/domain/access/api-key.ts';
import type { Known, Operation } from './operations.ts';
import type { Draft } from './request-draft.ts';
import type { Dice } from './seeded-random.ts';

/** Where many requests come from, so that weekly caps stand in their way. */
const CROWDED = '198.51.100.7';

/** The lines that say so. Nearly every request is from somewhere else, or none would get past the weekly cap. */
export function callerLines({ takesKey, needsKey }: Operation, known: Known, dice: Dice): Draft['headers'] {
  const address = dice.percent(4) ? CROWDED : addressOf(dice.whole(1 << 24, (127 << 24) - 1));
  const from: Draft['headers'] = [['X-Forwarded-For', address]];
  return takesKey && dice.percent(needsKey ? 70 : 10)
    ? [...from, ['X-Api-Key', key(known['X-Api-Key'] ?? [], dice)]]
    : from;
}

/** The IPv4 address with this number. */
export function addressOf(number: number): string {
  return [24, 16, 8, 0].map((bits) => (number >>> bits) & 255).join('.');
}

function key(good: readonly string[], dice: Dice): string {
  const made = makeApiKey(dice.bytes(KEY_BYTES));
  const sent = good.length > 0 && dice.percent(80) ? dice.oneOf(good) : made;
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
  return dice.percent(75) ? sent : dice.oneOf(broken);
}

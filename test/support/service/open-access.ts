/** A gate that lets everybody in, for what is tested or measured behind it. */
import type { Gate } from '../../../src/api/access/access.ts';
import { refusal } from '../../../src/api/response/problem.ts';
import { KEY_REFUSED } from '../../../src/api/response/refusals.ts';
import type { KnownKey } from '../../../src/store/keys/key-queries.ts';

/** @param key with which every request is taken to be sent; `null` = without one. */
export function everybody(key: KnownKey | null): Gate {
  return ({ plan }) => {
    const planned = plan(key);
    return 'settled' in planned ? planned.settled : planned.work();
  };
}

/** Lets everybody in who sends no key: none is good. */
export const withoutKeys: Gate = (asked) => {
  const refused = asked.access.key !== 'none' && asked.caller.headers['x-api-key'] !== undefined;
  return refused ? refusal(KEY_REFUSED, asked.cors) : everybody(null)(asked);
};

/** A key of nobody. */
export const SOME_KEY: KnownKey = { id: 1, plan: 'pro', quota: 100_000, createdAt: 0, subscribed: false };

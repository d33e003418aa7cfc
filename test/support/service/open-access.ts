/** Access control that allows every request, for tests and benchmarks of what comes after it. */
import type { AccessControl } from '../../../src/api/access/access-rules.ts';
import { problemAnswer } from '../../../src/api/response/problem.ts';
import { KEY_REFUSED } from '../../../src/api/response/refusals.ts';
import type { KnownKey } from '../../../src/store/keys/key-queries.ts';

/** @param key the key with which every request counts as sent; `null` = without one. */
export function allowAll(key: KnownKey | null): AccessControl {
  return ({ prepare }) => {
    const prepared = prepare(key);
    return 'answer' in prepared ? prepared.answer : prepared.work();
  };
}

/** Allows requests without a key and refuses every key. */
export const allowWithoutKey: AccessControl = (request) => {
  const refused = request.access.key !== 'none' && request.caller.headers['x-api-key'] !== undefined;
  return refused ? problemAnswer(KEY_REFUSED, request.cors) : allowAll(null)(request);
};

/** An arbitrary key. */
export const SOME_KEY: KnownKey = {
  id: 1,
  plan: 'pro',
  quota: 100_000,
  hasOwnCap: false,
  createdAt: 0,
  subscribed: false,
};

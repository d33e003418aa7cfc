import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { timed } from '../../../test/support/stopwatch.ts';
import { problem, problemAnswer } from '../response/problem.ts';
import { createAccessControl } from './access-control.ts';
import { WEEKLY_CAPPED_ACCESS } from './access-rules.ts';

const NOW = Date.parse('2026-11-20T08:00:00Z');
const KEY = { id: 1, plan: 'pro', quota: 100, hasOwnCap: false, createdAt: NOW, subscribed: false } as const;
const REFUSED = problemAnswer(problem(400, 'x'), true);

/** Access control whose store has accepted the request and refunds it when `refunded` resolves. */
function accessControlRefunding(refunded: Promise<void>) {
  const granted = { outcome: 'granted', used: 1, now: NOW, countedIn: { month: 24_323, day: 9_820 } } as const;
  const refund = () => refunded;
  const never = () => assert.fail('unexpected call');
  return createAccessControl({
    keys: { find: () => KEY, known: never, used: never },
    limits: {
      keys: { tryTake: async () => granted, refund },
      weekly: { tryTake: async () => ({ accepted: true, acceptedAt: NOW, now: NOW }), refund },
      minutes: { tryTake: never },
    } as never,
    addressOf: () => ({ address: '192.0.2.1', client: '192.0.2.1' }),
    crawlerOf: () => null,
    confirmCrawler: never,
    publicUrl: () => '',
    clock: () => NOW,
  });
}

const CALLERS = { 'a client without a key': {}, 'a client with a key': { 'x-api-key': 'x' } };

for (const [who, headers] of Object.entries(CALLERS)) {
  const ask = (refunded: Promise<void>, work: () => Promise<typeof REFUSED>) =>
    accessControlRefunding(refunded)({
      access: WEEKLY_CAPPED_ACCESS,
      path: '/x',
      caller: { headers, peer: {} },
      cors: true,
      cacheable: false,
      prepare: () => ({ work, isCounted: true }),
    });

  describe(`the limit that ${who} used for an answer other than 200`, { concurrency: true }, () => {
    for (const [what, work] of [
      ['refused', async () => REFUSED],
      ['broken', () => Promise.reject(new Error('a bug'))],
    ] as const) {
      test(`${what}: is refunded before the answer is sent`, async () => {
        const refund = Promise.withResolvers<void>();
        let answered = false;
        const markAnswered = () => {
          answered = true;
        };
        const answer = Promise.resolve(ask(refund.promise, work)).then(markAnswered, markAnswered);
        await setImmediate();
        assert.equal(answered, false);
        refund.resolve();
        await answer;
      });

      test(`${what}: does not delay the answer for as long as a database may be silent`, async () => {
        const silent = new Promise<void>(() => undefined);
        const { ms } = await timed(() => Promise.resolve(ask(silent, work)).catch(() => undefined));
        assert.ok(ms < 2_000, `${ms} ms`);
      });
    }
  });
}

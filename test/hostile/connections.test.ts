/** The attacks of `test/hostile/long/connections.ts`, short: on a service with little patience, in a process of its own. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../support/test-database.ts';
import { ABORTS } from './connections/aborts.ts';
import { FLOODS } from './connections/floods.ts';
import { besiege, type Plan, type Siege } from './connections/load-under-attack.ts';
import { ODDITIES } from './connections/oddities.ts';
import { PIPELINES } from './connections/pipelines.ts';
import { SLOW } from './connections/slow.ts';

const PLAN: Omit<Plan, 'databaseUrl'> = {
  records: 1_000,
  // Short, yet nothing that a regular client meets on a machine with other work.
  limits: { headersMs: 1_500, requestMs: 2_000, checkEveryMs: 50, stalledMs: 2_500, closeMs: 500 },
  repetitions: 2,
  holdMs: 300,
};
/** MB of heap and buffers that an attack may leave: caches that fill up to their bounds, compiled code. */
const LEFT_MB = 12;
const GROWN_MB = 2;

const GROUPS = {
  'clients that take their time': { names: Object.keys(SLOW), count: 9, each: 1 },
  'requests sent without waiting for answers': { names: Object.keys(PIPELINES), count: 2, each: 600 },
  'connections given up': { names: Object.keys(ABORTS), count: 10, each: 1 },
  'floods of requests, no two alike': { names: Object.keys(FLOODS), count: 3, each: 70 },
  'what is odd or no HTTP': { names: Object.keys(ODDITIES), count: 3, each: 2_000 },
};

let siege: Siege;
let database: TestDatabase;
let over = Promise.resolve();
const done = Promise.withResolvers<void>();
before(async () => {
  const begun = Promise.withResolvers<Siege>();
  database = await testDatabase();
  over = besiege({ ...PLAN, databaseUrl: database.url }, (given) => {
    begun.resolve(given);
    return done.promise;
  });
  siege = await Promise.race([begun.promise, over.then(() => Promise.reject(new Error('the siege is over')))]);
});
after(async () => {
  done.resolve();
  await over.finally(() => database.drop());
});

describe('others are served rightly, and nothing stays behind, whatever comes of', () => {
  for (const [name, planned] of Object.entries(GROUPS)) {
    test(name, async () => {
      const { complaints, ms, before: quiet, after: left } = await siege.attack(planned);
      assert.deepEqual(complaints, []);
      assert.ok(ms.length > 0);
      for (const { connections, handles } of left) {
        assert.deepEqual({ connections, handles }, { connections: quiet.connections, handles: quiet.handles });
      }
      const [first, last] = left.map(({ inUseMb }) => inUseMb) as [number, number];
      assert.ok(last - quiet.inUseMb < LEFT_MB, `${(last - quiet.inUseMb).toFixed(1)} MB more in use than before`);
      assert.ok(last - first < GROWN_MB, `${(last - first).toFixed(1)} MB more in use than after the first time`);
    });
  }

  test('and SIGTERM in the midst of it all ends the process in order', async () => {
    const { inOrder } = await siege.stopUnder(Object.values(GROUPS));
    assert.ok(inOrder);
  });
});

/** The attacks of `connections.long.test.ts`, small and in groups, on a separate process with short time limits. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../support/database/test-database.ts';
import { ABORTS } from './connections/aborts.ts';
import { FLOODS } from './connections/floods.ts';
import { type AttackPlan, type LoadUnderAttack, withLoadUnderAttack } from './connections/load-under-attack.ts';
import { PIPELINES } from './connections/pipelines.ts';
import { SLOW } from './connections/slow.ts';
import { UNUSUAL_CLIENTS } from './connections/unusual-clients.ts';

const PLAN: Omit<AttackPlan, 'databaseUrl'> = {
  records: 300,
  // Short, yet long enough for a regular client on a busy machine.
  limits: { headersMs: 1_500, requestMs: 2_000, checkIntervalMs: 50, stallTimeoutMs: 2_500, shutdownGraceMs: 500 },
  repetitions: 2,
  holdMs: 300,
};
/** MB of heap and buffers that an attack may leave: caches that fill up to their bounds, compiled code. */
const RETAINED_MB = 12;
const GROWTH_MB = 2;

const ATTACK_GROUPS = {
  'slow clients': { names: Object.keys(SLOW), count: 9, each: 1 },
  'requests sent without waiting for answers': { names: Object.keys(PIPELINES), count: 2, each: 300 },
  'aborted connections': { names: Object.keys(ABORTS), count: 10, each: 1 },
  'floods of unique requests': { names: Object.keys(FLOODS), count: 3, each: 70 },
  'unusual requests and bytes that are not HTTP': { names: Object.keys(UNUSUAL_CLIENTS), count: 3, each: 1_000 },
};

let load: LoadUnderAttack;
let database: TestDatabase;
let finished = Promise.resolve();
const done = Promise.withResolvers<void>();
before(async () => {
  const begun = Promise.withResolvers<LoadUnderAttack>();
  database = await testDatabase();
  finished = withLoadUnderAttack({ ...PLAN, databaseUrl: database.url }, (started) => {
    begun.resolve(started);
    return done.promise;
  });
  load = await Promise.race([
    begun.promise,
    finished.then(() => Promise.reject(new Error('the target process exited'))),
  ]);
});
after(async () => {
  done.resolve();
  await finished.finally(() => database.drop());
});

describe('the service answers other clients correctly and retains nothing under', () => {
  for (const [name, planned] of Object.entries(ATTACK_GROUPS)) {
    test(name, async () => {
      const { complaints, ms, before: baseline, after: left } = await load.attack(planned);
      assert.deepEqual(complaints, []);
      assert.ok(ms.length > 0);
      for (const { connections, handles } of left) {
        assert.deepEqual({ connections, handles }, { connections: baseline.connections, handles: baseline.handles });
      }
      const [first, last] = left.map(({ inUseMb }) => inUseMb) as [number, number];
      assert.ok(
        last - baseline.inUseMb < RETAINED_MB,
        `${(last - baseline.inUseMb).toFixed(1)} MB more in use than before`,
      );
      assert.ok(last - first < GROWTH_MB, `${(last - first).toFixed(1)} MB more in use than after the first time`);
    });
  }
});

test('SIGTERM during all attacks ends the process with exit code 0', async () => {
  const { exit } = await load.stopUnderAttack(Object.values(ATTACK_GROUPS));
  assert.equal(exit, 0);
});

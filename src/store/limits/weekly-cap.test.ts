import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { waitFor } from '../../../test/support/database/embedded-database.ts';
import { HeldAnswers } from '../../../test/support/database/held-answers.ts';
import { namedHasher } from '../../../test/support/database/named-hashes.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { stopTime } from '../../../test/support/manual-time.ts';
import { LimitsUnavailable } from './limit-batch.ts';
import { WeeklyCap } from './weekly-cap.ts';

const REQUEST = { client: 'somebody', endpoint: '/x' };
/** The clock of this machine: behind the database's, so that a stored acceptance keeps the time of the database. */
const clock = () => Date.now() - 60_000;

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());
beforeEach(async () => {
  await database.pool.query('truncate weekly_caps');
});

async function rowCount(): Promise<number> {
  return (await database.pool.query('select from weekly_caps')).rowCount ?? 0;
}

const untilRows = (count: number) =>
  waitFor(`${count} acceptances in the database`, 2_000, async () => (await rowCount()) === count);

/** A request that the database accepts too late, so that the process accepts it alone. */
async function acceptedAlone(t: TestContext) {
  const held = new HeldAnswers(database);
  const cap = new WeeklyCap(held, { hasher: await namedHasher(database), clock });
  const { committed, release } = held.holdNext();
  const letPass = stopTime(t);
  const decision = cap.tryTake(REQUEST);
  await committed;
  letPass(1_700);
  const { accepted, acceptedAt } = await decision;
  assert.equal(accepted, true);
  assert.equal(await rowCount(), 1);
  return { held, cap, acceptedAt, letPass, release };
}

/** The same, once the acceptance of the database has come, and that of the process is stored. */
async function storedLater(t: TestContext) {
  const { held, letPass, release, ...accepted } = await acceptedAlone(t);
  release();
  await setImmediate();
  const { committed, release: endSync } = held.holdNext();
  letPass(1_000);
  await committed;
  endSync();
  return accepted;
}

describe('an acceptance of the database that comes too late', () => {
  test('is given back when the answer was not 200', async (t) => {
    const { cap, acceptedAt, release } = await acceptedAlone(t);
    await cap.refund(REQUEST, acceptedAt);
    t.mock.reset();
    release();
    await untilRows(0);
    assert.equal((await cap.tryTake(REQUEST)).accepted, true);
  });

  test('is given back with the one of the process, if it comes before', async (t) => {
    const { cap, acceptedAt, release } = await acceptedAlone(t);
    release();
    await setImmediate();
    await cap.refund(REQUEST, acceptedAt);
    assert.equal(await rowCount(), 0);
  });

  test('is given back with the one of the process, even if that one is stored by then', async (t) => {
    const { cap, acceptedAt } = await storedLater(t);
    await cap.refund(REQUEST, acceptedAt);
    assert.equal(await rowCount(), 0);
  });

  test('stays when the answer was 200', async (t) => {
    const { cap } = await storedLater(t);
    await setImmediate();
    assert.equal(await rowCount(), 1);
    assert.equal((await cap.tryTake(REQUEST)).accepted, false);
  });

  test('is given back if the request waited for the first connection before', async (t) => {
    const held = new HeldAnswers(database);
    const letPass = stopTime(t);
    const connecting = {
      state: 'connecting' as const,
      whenReady: async () => {
        letPass(500);
        return true;
      },
      query: held.query.bind(held),
    };
    const cap = new WeeklyCap(connecting, { hasher: await namedHasher(database), clock });
    const { committed, release } = held.holdNext();
    const decision = cap.tryTake(REQUEST);
    await committed;
    letPass(1_200);
    await cap.refund(REQUEST, (await decision).acceptedAt);
    assert.equal(await rowCount(), 1);
    t.mock.reset();
    release();
    await untilRows(0);
  });
});

test('no refusal comes before the acceptance that it is for, whatever part of a millisecond has passed', async (t) => {
  const at = Math.ceil(performance.now()) + 0.7;
  t.mock.method(performance, 'now', () => at);
  const away = {
    state: 'unavailable' as const,
    whenReady: async () => false,
    query: () => Promise.reject(new LimitsUnavailable('the database is away')),
  };
  const cap = new WeeklyCap(away, { hasher: await namedHasher(database), clock });
  const [first, second] = await Promise.all([cap.tryTake(REQUEST), cap.tryTake(REQUEST)]);
  assert.deepEqual([first.accepted, second.accepted], [true, false]);
  assert.ok(second.now >= second.acceptedAt, `${second.now} is before ${second.acceptedAt}`);
});

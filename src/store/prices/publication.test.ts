import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { at, emptyTables, waitForBlockedSession } from '../../../test/support/collection/collector-fixture.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { dayNumber } from '../../domain/days.ts';
import { loadFacts } from './load-facts.ts';
import {
  completePublication,
  currentVersion,
  daysChangedSince,
  inReadSnapshot,
  lockPublication,
  PUBLICATION_CHANNEL,
} from './publication.ts';
import { recordSourceTimes } from './runs.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());
beforeEach(() => emptyTables(database));

const EIGHT = at('2026-11-20T08:00Z');
const TEN = at('2026-11-20T10:00Z');

const publish = (publishedAt: number | null, changedDays: string[] = []) =>
  database.transaction(async (tx) => {
    await lockPublication(tx);
    return completePublication(tx, { publishedAt, updatedAt: publishedAt, changedDays: changedDays.map(dayNumber) });
  });
const facts = () => inReadSnapshot(database.kysely, loadFacts);

describe('publications', { timeout: 120_000 }, () => {
  test('have growing versions and times that never move back', async () => {
    assert.equal(await publish(TEN), 1);
    assert.equal(await publish(EIGHT), 2);
    assert.equal(await publish(null), 3);
    const { version, publishedAt, updatedAt } = await facts();
    assert.deepEqual([version, publishedAt, updatedAt], [3, TEN, TEN]);
    assert.equal(await currentVersion(database), 3);
  });

  test('leave nothing and use no version if they throw', async () => {
    const attempt = database.transaction(async (tx) => {
      await lockPublication(tx);
      await recordSourceTimes(tx, 'register', TEN, TEN);
      await completePublication(tx, { publishedAt: TEN, updatedAt: TEN, changedDays: [] });
      throw new Error('no');
    });
    await assert.rejects(attempt);
    const { version, sources } = await facts();
    assert.deepEqual([version, sources], [0, []]);
  });

  test('run one after the other when two start at once, the second on top of the first', async () => {
    const { promise: locked, resolve: lock } = Promise.withResolvers<void>();
    const { promise: goOn, resolve: end } = Promise.withResolvers<void>();
    const first = database.transaction(async (tx) => {
      await lockPublication(tx);
      lock();
      await goOn;
      await recordSourceTimes(tx, 'register', TEN, TEN);
      return completePublication(tx, { publishedAt: TEN, updatedAt: TEN, changedDays: [] });
    });
    await locked;
    const second = database.transaction(async (tx) => {
      const { version, publishedAt } = await lockPublication(tx);
      const { sources } = await loadFacts(tx);
      return { version, publishedAt, sources: sources.length };
    });
    await Promise.race([waitForBlockedSession(database), second]);
    end();
    assert.equal(await first, 1);
    assert.deepEqual(await second, { version: 1, publishedAt: TEN, sources: 1 });
  });

  test('are announced with their version at commit, not before', async () => {
    const heard: string[] = [];
    const { promise: up, resolve: listening } = Promise.withResolvers<void>();
    const { promise: told, resolve: tell } = Promise.withResolvers<number>();
    const listener = database.listen(PUBLICATION_CHANNEL, {
      onListening: listening,
      onNotify: (payload) => {
        heard.push(payload);
        void currentVersion(database).then(tell);
      },
    });
    await up;
    await publish(EIGHT);
    assert.equal(await told, 1);
    assert.deepEqual(heard, ['1']);
    await listener.close();
  });

  test('are atomic for readers: a reader of one moment does not see what is published between its reads', async () => {
    await publish(EIGHT);
    const { before: first, after: second } = await inReadSnapshot(database.kysely, async (tx) => {
      const seen = await loadFacts(tx);
      await publish(TEN);
      return { before: seen, after: await loadFacts(tx) };
    });
    assert.deepEqual(second, first);
    assert.equal((await facts()).version, 2);
  });

  test('record which days they rewrote, for a reader of any version', async () => {
    await publish(EIGHT, ['2026-11-18', '2026-11-19']);
    await publish(EIGHT);
    await publish(TEN, ['2026-11-01', '2026-11-19']);
    const since = (version: number) => daysChangedSince(database.kysely, version, 3);
    assert.deepEqual(await since(0), ['2026-11-01', '2026-11-18', '2026-11-19'].map(dayNumber));
    assert.deepEqual(await since(1), ['2026-11-01', '2026-11-19'].map(dayNumber));
    assert.deepEqual(await since(3), []);
  });

  test('discard old records of days, and make a reader that far behind read all', async () => {
    await publish(EIGHT, ['2026-11-18']);
    await database.kysely.updateTable('publication').set({ version: 2_000 }).execute();
    await publish(TEN, ['2026-11-19']);
    assert.equal(await daysChangedSince(database.kysely, 0, 2_001), null);
    assert.equal(await daysChangedSince(database.kysely, 1, 2_001), null);
    assert.deepEqual(await daysChangedSince(database.kysely, 2, 2_001), [dayNumber('2026-11-19')]);
    assert.equal((await database.kysely.selectFrom('changed_days').selectAll().execute()).length, 1);
  });
});

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { syntheticCountry } from '../../../test/support/builders/synthetic-country.ts';
import { emptyTables } from '../../../test/support/collection/collector-fixture.ts';
import { seedDatabase } from '../../../test/support/database/bench-database.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { loadFacts } from './load-facts.ts';
import { readFacts } from './packed-facts.ts';
import { completePublication, inReadSnapshot, lockPublication } from './publication.ts';

const world = syntheticCountry(600, Date.parse('2026-11-20T08:00Z'));

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());
beforeEach(async () => {
  await emptyTables(database);
  await seedDatabase(database, world);
});

const rows = () => inReadSnapshot(database.kysely, loadFacts);
const packed = () => inReadSnapshot(database.kysely, readFacts);

/** Changes the rows behind the back of what is packed. */
const changeRows = () => sql`update price_facts set price = price + 1`.execute(database.kysely);

describe('the packed facts of a publication', () => {
  test('are what its rows say', async () => {
    const facts = await rows();
    assert.equal(facts.prices.length, 600);
    assert.deepEqual(await packed(), facts);
    await changeRows();
    assert.deepEqual(await packed(), facts, 'read from the packed ones');
  });

  test('are replaced by the next publication, which may move only the times', async () => {
    await changeRows();
    const later = Date.parse('2026-11-20T10:00Z');
    await database.transaction(async (tx) => {
      await lockPublication(tx);
      await completePublication(tx, { publishedAt: later, updatedAt: null, changedDays: [] });
    });
    const facts = await packed();
    assert.deepEqual(facts, await rows());
    assert.deepEqual([facts.version, facts.publishedAt, facts.updatedAt], [2, later, world.now]);
    await changeRows();
    assert.deepEqual(await packed(), facts, 'read from the packed ones');
  });

  const others = {
    'of another publication': sql`update publication set version = version + 1`,
    'of another format': sql`update packed_facts set format = 'another'`,
    'from before a migration': sql`update packed_facts set migration = migration - 1`,
    'that this runtime cannot read': sql`update packed_facts set content = substring(content for 100)`,
    'that are missing': sql`delete from packed_facts`,
  };
  for (const [which, change] of Object.entries(others)) {
    test(`${which} are ignored: the rows are read`, async () => {
      await changeRows();
      await change.execute(database.kysely);
      assert.deepEqual(await packed(), await rows());
    });
  }

  test('are ignored if a bit of them has changed', async () => {
    await changeRows();
    const facts = await rows();
    const flip = (at: number) =>
      sql`update packed_facts set content = set_bit(content, ${at}::bigint, 1 - get_bit(content, ${at}::bigint))`;
    const { rows: sizes } = await sql<{ bits: number }>`
      select 8 * length(content) as bits from packed_facts`.execute(database.kysely);
    const { bits } = sizes[0] as { bits: number };
    for (let at = Math.floor(bits / 4); at < bits; at += Math.floor(bits / 25)) {
      await flip(at).execute(database.kysely);
      assert.deepEqual(await packed(), facts, `bit ${at}`);
      await flip(at).execute(database.kysely);
    }
  });

  test('count as those of the migration at the beginning: one that is applied meanwhile may change what was read', async () => {
    await database.transaction(async (tx) => {
      await lockPublication(tx);
      const facts = await loadFacts(tx);
      await sql`insert into schema_migrations select max(number) + 1, 'new', '', now() from schema_migrations`.execute(
        database.kysely,
      );
      await changeRows();
      await completePublication(tx, { publishedAt: null, updatedAt: null, changedDays: [], facts });
    });
    try {
      assert.deepEqual(await packed(), await rows());
    } finally {
      await sql`delete from schema_migrations where name = 'new'`.execute(database.kysely);
    }
  });
});

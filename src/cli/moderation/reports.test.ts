import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { runCommand } from '../../../test/support/run-command.ts';
import { CommandError, UsageError } from '../../app/command.ts';
import { reportsCommand } from './reports.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());

async function reports(line: string): Promise<string[]> {
  const { code, out, err } = await runCommand(reportsCommand, line, { DATABASE_URL: database.url });
  assert.deepEqual([code, err], [0, []]);
  return out;
}

const object = async (line: string) => JSON.parse((await reports(`${line} --json`)).join());

const SLUG = 'petrom-cluj-napoca-0a1b2c3d4e5f';

/** @param values of kind, fuel, shown and seen price, and text. */
async function aReport(...values: (string | number | null)[]): Promise<number> {
  const { rows } = await database.pool.query(
    `insert into driver_reports (station_id, slug, kind, fuel, shown_price, seen_price, comment, version, shown_at,
      state, created_at, client)
    values ('0a1b2c3d4e5f', '${SLUG}', $1, $2, $3, $4, $5, 7, '2026-11-20T22:00:00Z', 'open', '2026-11-20T22:30:00Z',
      '\\x01') returning id`,
    values,
  );
  return rows[0].id;
}

const stateOf = async (id: number) =>
  (await database.pool.query('select state from driver_reports where id = $1', [id])).rows[0]?.state;

describe('pompa reports', () => {
  test('list shows open reports, oldest first; accept and reject remove one from the list and can be changed', async () => {
    assert.deepEqual(await reports('list'), ['no open reports']);
    assert.deepEqual(await reports('list --json'), []);
    const first = await aReport('price', 0, 7_450, 7_590, 'Panoul arată 7,59.');
    const second = await aReport('closed', null, null, null, null);
    const third = await aReport('no_fuel', 4, null, null, null);
    const common = { slug: SLUG, updated_at: '2026-11-21 00:00:00', created_at: '2026-11-21 00:30:00' };
    assert.deepEqual(
      (await reports('list --json')).map((line) => JSON.parse(line)),
      [
        {
          ...{ id: first, kind: 'price', fuel: 'benzina_standard', shown: 7.45, seen: 7.59 },
          ...{ comment: 'Panoul arată 7,59.', ...common },
        },
        { id: second, kind: 'closed', fuel: null, shown: null, seen: null, comment: '', ...common },
        { id: third, kind: 'no_fuel', fuel: 'gpl', shown: null, seen: null, comment: '', ...common },
      ],
    );
    const prices = '(prices of 2026-11-21 00:00:00)';
    assert.deepEqual(await reports('list'), [
      `report ${first}: benzina_standard, 7.59 lei seen, 7.45 lei shown ${prices}, ${SLUG}, 2026-11-21 00:30:00`,
      '  Panoul arată 7,59.',
      `report ${second}: the station is closed, ${SLUG}, 2026-11-21 00:30:00`,
      `report ${third}: gpl, no such fuel, no price shown ${prices}, ${SLUG}, 2026-11-21 00:30:00`,
    ]);
    assert.deepEqual(await object(`accept ${first}`), { id: first, state: 'accepted' });
    assert.deepEqual(await object(`reject ${second}`), { id: second, state: 'rejected' });
    assert.deepEqual(await object(`delete ${third}`), { id: third, deleted: true });
    assert.deepEqual(await reports('list'), ['no open reports']);
    assert.match((await reports(`reject ${first}`)).join(), /not shown/);
    assert.match(
      (await reports(`accept ${second}`)).join(),
      /is accepted, and the station's page says that drivers found it closed, until the source changes any of its prices/,
    );
    assert.match(
      (await reports(`accept ${first}`)).join(),
      /beside the price of benzina_standard that drivers saw another/,
    );
    await reports(`reject ${first}`);
    assert.deepEqual([await stateOf(first), await stateOf(second)], ['rejected', 'accepted']);
  });

  test('list shows every hidden or control character', async () => {
    const id = await aReport('other', 0, 7_450, null, 'a\u001b[2Jb\r\nreport 1: x\u202e');
    assert.equal((await reports('list')).at(-1), '  a<U+001B>[2Jb<U+000D><U+000A>report 1: x<U+202E>');
    assert.match((await reports(`accept ${id}`)).join(), /and no page shows it/);
    await reports(`delete ${id}`);
  });

  test('delete leaves no byte of the text', async () => {
    const id = await aReport('other', 0, 7_450, null, 'Sunt Ana Popescu din Turda.');
    await reports(`delete ${id}`);
    await database.pool.query('checkpoint');
    const file = `select position('Popescu'::bytea in pg_read_binary_file(pg_relation_filepath('driver_reports'))) as at`;
    assert.deepEqual((await database.pool.query(file)).rows, [{ at: 0 }]);
  });

  test('fails with advice for an unknown id, and reports invalid usage for anything else', async () => {
    for (const command of ['accept', 'reject', 'delete']) {
      await assert.rejects(
        reports(`${command} 999999`),
        (error) => error instanceof CommandError && /reports list/.test(error.message),
      );
      for (const words of [`${command} x`, `${command}`, `${command} 1 2`, 'pending'])
        await assert.rejects(reports(words), UsageError, words);
    }
  });
});

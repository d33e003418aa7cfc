import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { runCommand } from '../../../test/support/run-command.ts';
import { CommandError, UsageError } from '../../app/command.ts';
import { reviewsCommand } from './reviews.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());

async function reviews(line: string): Promise<string[]> {
  const { code, out, err } = await runCommand(reviewsCommand, line, { DATABASE_URL: database.url });
  assert.deepEqual([code, err], [0, []]);
  return out;
}

const object = async (line: string) => JSON.parse((await reviews(`${line} --json`)).join());

async function aReview(comment: string | null, nickname: string | null = null): Promise<number> {
  const { rows } = await database.pool.query(
    `insert into reviews (station_id, slug, rating, nickname, comment, state, created_at, client)
    values ('0a1b2c3d4e5f', 'petrom-cluj-napoca-0a1b2c3d4e5f', 2, $1, $2, 'pending', '2026-11-20T22:30:00Z', '\\x01')
    returning id`,
    [nickname, comment],
  );
  return rows[0].id;
}

const stateOf = async (id: number) =>
  (await database.pool.query('select state from reviews where id = $1', [id])).rows[0]?.state;

describe('pompa reviews', () => {
  test('pending lists pending reviews, oldest first; approve and reject remove one from the list and can be changed', async () => {
    assert.deepEqual(await reviews('pending'), ['no pending reviews']);
    assert.deepEqual(await reviews('pending --json'), []);
    const [first, second] = [await aReview('Curat.', 'Ana'), await aReview(null, 'Ion')];
    assert.deepEqual(
      (await reviews('pending --json')).map((line) => JSON.parse(line)),
      [
        {
          id: first,
          slug: 'petrom-cluj-napoca-0a1b2c3d4e5f',
          rating: 2,
          nickname: 'Ana',
          comment: 'Curat.',
          created_at: '2026-11-21 00:30:00',
        },
        {
          id: second,
          slug: 'petrom-cluj-napoca-0a1b2c3d4e5f',
          rating: 2,
          nickname: 'Ion',
          comment: '',
          created_at: '2026-11-21 00:30:00',
        },
      ],
    );
    assert.deepEqual(await reviews('pending'), [
      `review ${first}: 2 stars, petrom-cluj-napoca-0a1b2c3d4e5f, 2026-11-21 00:30:00`,
      '  Ana: Curat.',
      `review ${second}: 2 stars, petrom-cluj-napoca-0a1b2c3d4e5f, 2026-11-21 00:30:00`,
      '  Ion: (no comment)',
    ]);
    assert.deepEqual(await object(`approve ${first}`), { id: first, state: 'approved' });
    assert.deepEqual(await object(`reject ${second}`), { id: second, state: 'rejected' });
    assert.deepEqual(await reviews('pending'), ['no pending reviews']);
    assert.deepEqual([await stateOf(first), await stateOf(second)], ['approved', 'rejected']);
    assert.match((await reviews(`reject ${first}`)).join(), /and hidden/);
    assert.match((await reviews(`approve ${second}`)).join(), /shown from now on/);
    assert.deepEqual([await stateOf(first), await stateOf(second)], ['rejected', 'approved']);
  });

  test('pending shows every hidden or control character, even of a review that was not cleaned', async () => {
    const id = await aReview('a\u001b[2J\u009b31m\r\nreview 1: 5 stars\u202eb\u2028c', '\u0007An\u2066a');
    const out = await reviews('pending');
    assert.deepEqual(out.slice(1), [
      '  <U+0007>An<U+2066>a: a<U+001B>[2J<U+009B>31m<U+000D><U+000A>review 1: 5 stars<U+202E>b<U+2028>c',
    ]);
    assert.doesNotMatch(JSON.stringify(await object('pending')), /[\p{Cc}\p{Bidi_Control}]/u);
    await reviews(`delete ${id}`);
  });

  test('delete leaves no data of the author in any table', async () => {
    const id = await aReview('Sunt Ana Popescu din Turda.', 'Ana Popescu');
    assert.deepEqual(await object(`delete ${id}`), { id, deleted: true });
    const { rows } = await database.pool.query(`select table_name as name from information_schema.tables
      where table_schema = 'public'`);
    for (const { name } of rows) {
      const { rows: found } = await database.pool.query(`select t::text as row from "${name}" t`);
      for (const { row } of found) assert.doesNotMatch(row, /Popescu/, name);
    }
    assert.equal(await stateOf(id), undefined);
    await database.pool.query('checkpoint');
    const file = `select position('Popescu'::bytea in pg_read_binary_file(pg_relation_filepath('reviews'))) as at`;
    assert.deepEqual((await database.pool.query(file)).rows, [{ at: 0 }], 'in the file of the table');
  });

  test('fails with advice for an unknown id, and reports invalid usage for anything else', async () => {
    for (const command of ['approve', 'reject', 'delete']) {
      for (const id of ['999999', '99999999999'])
        await assert.rejects(
          reviews(`${command} ${id}`),
          (error) => error instanceof CommandError && /reviews pending/.test(error.message),
        );
      for (const words of [`${command} x`, `${command} -- -1`, `${command}`, `${command} 1 2`, 'dance', 'pending 1'])
        await assert.rejects(reviews(words), UsageError, words);
    }
  });
});

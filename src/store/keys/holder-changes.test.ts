import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { endOldSecrets, endSecondSecret, type NewSecret, renewSecret, setCap } from './holder-changes.ts';
import { isLiveKey } from './key-queries.ts';
import { createKey, revokeKey } from './keys.ts';

const HOUR = 3_600_000;

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());

const aKey = () => createKey(database, { plan: 'pro', quota: null, email: null, subscription: null });
const nothing = async () => undefined;
async function renewed(id: number, slot: 1 | 2, overlapMs: number): Promise<NewSecret> {
  const made = await renewSecret(database, id, { slot, overlapMs }, nothing);
  assert.ok(typeof made !== 'string', String(made));
  return made;
}
const live = (key: string) => isLiveKey(database, key);
/** The secrets that have not ended by now. */
const lasting = async (id: number) =>
  (
    await database.pool.query<{ last4: string }>(
      `select last4 from key_secrets where key_id = $1 and (expires_at is null or expires_at > clock_timestamp()) order by created_at`,
      [id],
    )
  ).rows.map(({ last4 }) => last4);

describe('a new secret', () => {
  test('works beside the old one for the overlap, or ends it at once', async () => {
    const { id, key } = await aKey();
    const second = await renewed(id, 1, HOUR);
    assert.ok(Math.abs((second.oldValidUntil ?? 0) - Date.now() - HOUR) < 60_000);
    assert.deepEqual(
      await lasting(id),
      [key, second.key].map((each) => each.slice(-4)),
    );
    const third = await renewed(id, 1, 0);
    assert.equal(third.oldValidUntil, null);
    assert.deepEqual(await lasting(id), [third.key.slice(-4)]);
    assert.ok(await live(third.key));
  });

  test('never makes an old one last longer', async () => {
    const { id, key } = await aKey();
    await renewed(id, 1, HOUR);
    await renewed(id, 1, 24 * HOUR);
    const { rows } = await database.pool.query(
      `select extract(epoch from expires_at - clock_timestamp())::float8 as left from key_secrets where key_id = $1 and last4 = $2`,
      [id, key.slice(-4)],
    );
    assert.ok(rows[0].left < 3_601);
  });

  test('in the second place leaves the first alone, and ends by itself', async () => {
    const { id, key } = await aKey();
    const second = await renewed(id, 2, 0);
    assert.ok((await live(key)) && (await live(second.key)));
    await endSecondSecret(database, id);
    assert.deepEqual(await lasting(id), [key.slice(-4)]);
  });

  test('is the only one once the old ones are ended', async () => {
    const { id } = await aKey();
    const second = await renewed(id, 1, 24 * HOUR);
    await endOldSecrets(database, id);
    assert.deepEqual(await lasting(id), [second.key.slice(-4)]);
  });

  test('is refused for a key that is revoked or unknown', async () => {
    const { id } = await aKey();
    await revokeKey(database, id);
    assert.equal(await renewSecret(database, id, { slot: 1, overlapMs: 0 }, nothing), 'revoked');
    assert.equal(await renewSecret(database, 9_999, { slot: 1, overlapMs: 0 }, nothing), 'unknown');
  });
});

test('a cap is set and removed', async () => {
  const { id } = await aKey();
  const cap = async () => (await database.pool.query('select cap from api_keys where id = $1', [id])).rows[0].cap;
  await setCap(database, id, 500);
  assert.equal(await cap(), 500);
  await setCap(database, id, null);
  assert.equal(await cap(), null);
});

test('a new secret is not made when what belongs to it fails', async () => {
  const { id, key } = await aKey();
  const fails = async () => {
    throw new Error('no mail');
  };
  await assert.rejects(renewSecret(database, id, { slot: 1, overlapMs: 0 }, fails), /no mail/);
  assert.equal(await live(key), true);
});

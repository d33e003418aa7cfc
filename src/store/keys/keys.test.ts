import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { aWebhook } from '../../../test/support/webhooks/a-webhook.ts';
import { hashApiKey, isWellFormedKey } from '../../domain/access/api-key.ts';
import { readLiveKeys } from './key-queries.ts';
import {
  type CreatedKey,
  createKey,
  deleteKey,
  KEYS_CHANNEL,
  type KeyRecord,
  listKeys,
  type NewKey,
  type RotatedKey,
  revokeKey,
  rotateKey,
  updateKey,
} from './keys.ts';
import { pruneKeys } from './prune-keys.ts';

const HOUR_MS = 3_600_000;
const STARTER: NewKey = { plan: 'starter', quota: null, email: 'ana@example.org', subscription: 'sub_1' };

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());
beforeEach(async () => {
  await sql`truncate api_keys, key_secrets, key_changes, key_usage restart identity cascade`.execute(database.kysely);
});

/** The hashes of live secrets, with the milliseconds they have left. */
async function liveSecretCounts(): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for await (const secrets of readLiveKeys(database)) {
    for (const { hash, msLeft } of secrets) found.set(hash, msLeft);
  }
  return found;
}

async function createTestKey(wanted: Partial<NewKey> = {}): Promise<CreatedKey> {
  return createKey(database, { ...STARTER, ...wanted });
}

async function rows(table: 'key_secrets' | 'key_usage' | 'key_changes'): Promise<number> {
  const { rows: counted } = await sql<{ count: number }>`select count(*) from ${sql.table(table)}`.execute(
    database.kysely,
  );
  return (counted[0] as { count: number }).count;
}

describe('a new key', () => {
  test('has the plan’s quota or its own, is valid at once, and its text is stored nowhere', async () => {
    const [starter, dedicated] = [
      await createTestKey(),
      await createTestKey({ plan: 'dedicat', quota: 5_000_000, email: null }),
    ];
    assert.ok(isWellFormedKey(starter.key));
    assert.deepEqual([starter.id, starter.plan, starter.quota], [1, 'starter', 10_000]);
    assert.deepEqual([dedicated.plan, dedicated.quota], ['dedicat', 5_000_000]);
    assert.deepEqual(
      [...(await liveSecretCounts()).keys()].sort(),
      [hashApiKey(starter.key), hashApiKey(dedicated.key)].sort(),
    );
    const stored = await sql<{ all: string }>`
      select (select string_agg(k::text, '') from api_keys k) || (select string_agg(s::text, '') from key_secrets s) as all
    `.execute(database.kysely);
    assert.ok(!stored.rows[0]?.all.includes(starter.key.slice(11, 38)));
  });

  test('is listed with its last four characters and no usage', async () => {
    const { id, key } = await createTestKey();
    const [record, ...others] = await listKeys(database.kysely);
    const { createdAt, ...rest } = record as KeyRecord;
    assert.deepEqual(rest, {
      id,
      last4: key.slice(-4),
      plan: 'starter',
      quota: 10_000,
      email: 'ana@example.org',
      subscription: 'sub_1',
      lastUsedAt: null,
      revokedAt: null,
      standing: null,
    });
    assert.ok(Number.isInteger(createdAt));
    assert.equal(others.length, 0);
    assert.equal(await rows('key_usage'), 1);
  });

  test('cannot be dedicated without a quota', async () => {
    await assert.rejects(createTestKey({ plan: 'dedicat' }), /check constraint/);
    assert.deepEqual(await listKeys(database.kysely), []);
  });
});

describe('a changed key', () => {
  test('has another quota, or another plan with that plan’s quota', async () => {
    const { id } = await createTestKey();
    const quotas: (string | number)[] = [];
    for (const change of [
      { quota: 7 },
      { plan: 'pro' as const },
      { plan: 'business' as const, quota: 9 },
      { plan: 'business' as const },
      { plan: 'dedicat' as const, quota: 0 },
    ]) {
      const { plan, quota } = (await updateKey(database, id, change)) as KeyRecord;
      quotas.push(`${plan} ${quota}`);
    }
    assert.deepEqual(quotas, ['starter 7', 'pro 100000', 'business 9', 'business 1000000', 'dedicat 0']);
  });

  test('stays as it is when the change is refused', async () => {
    const { id } = await createTestKey();
    await assert.rejects(updateKey(database, id, { plan: 'dedicat' }), /check constraint/);
    assert.equal((await listKeys(database.kysely))[0]?.plan, 'starter');
  });
});

describe('a rotated key', () => {
  test('keeps id, plan, quota and counters; the old text is valid for the overlap, the new one permanently', async () => {
    const { id, key } = await createTestKey({ quota: 77 });
    await sql`update key_usage set used = 5, total = 50`.execute(database.kysely);
    const rotated = (await rotateKey(database, id, 24 * HOUR_MS)) as RotatedKey;
    assert.deepEqual([rotated.id, rotated.plan, rotated.quota], [id, 'starter', 77]);
    assert.notEqual(rotated.key, key);
    const left = await liveSecretCounts();
    assert.equal(left.get(hashApiKey(rotated.key)), Number.POSITIVE_INFINITY);
    const overlap = left.get(hashApiKey(key)) as number;
    assert.ok(overlap > 23 * HOUR_MS && overlap <= 24 * HOUR_MS);
    const secrets = await database.kysely.selectFrom('key_secrets').select('expires_at').execute();
    assert.ok(secrets.some(({ expires_at }) => expires_at === rotated.oldValidUntil));
    assert.ok(rotated.oldValidUntil !== null);
    const usage = await database.kysely.selectFrom('key_usage').select(['key_id', 'used']).execute();
    assert.deepEqual(usage, [{ key_id: id, used: 5 }]);
    assert.equal((await listKeys(database.kysely))[0]?.last4, rotated.key.slice(-4));
  });

  test('loses its old texts at once if there is no overlap', async () => {
    const { id } = await createTestKey();
    await rotateKey(database, id, HOUR_MS);
    const last = (await rotateKey(database, id, 0)) as CreatedKey;
    assert.deepEqual([...(await liveSecretCounts()).keys()], [hashApiKey(last.key)]);
  });

  test('does not extend an earlier overlap when it is rotated again', async () => {
    const { id, key } = await createTestKey();
    await rotateKey(database, id, HOUR_MS);
    await rotateKey(database, id, 24 * HOUR_MS);
    const left = await liveSecretCounts();
    assert.equal(left.size, 3);
    assert.ok((left.get(hashApiKey(key)) as number) <= HOUR_MS);
  });
});

describe('a revoked key', () => {
  test('takes its webhooks with it: addresses, secrets and deliveries; others keep theirs', async () => {
    const [{ id }, { id: other }] = [await createTestKey(), await createTestKey({ subscription: 'sub_2' })];
    await aWebhook(database, id);
    await aWebhook(database, other);
    await revokeKey(database, id);
    const left = await database.kysely.selectFrom('webhooks').select('key_id').execute();
    assert.deepEqual(left, [{ key_id: other }]);
    assert.equal((await database.kysely.selectFrom('webhook_deliveries').select('id').execute()).length, 1);
  });

  test('is refused with all its texts, and stays listed with the time of revocation', async () => {
    const { id, key } = await createTestKey();
    await rotateKey(database, id, HOUR_MS);
    const { revokedAt } = (await revokeKey(database, id)) as KeyRecord;
    assert.ok(revokedAt !== null);
    assert.equal((await liveSecretCounts()).has(hashApiKey(key)), false);
    assert.deepEqual(
      (await listKeys(database.kysely)).map((record) => record.revokedAt),
      [revokedAt],
    );
    assert.equal(((await revokeKey(database, id)) as KeyRecord).revokedAt, revokedAt);
  });

  test('can be neither changed nor rotated, like an unknown one', async () => {
    const { id } = await createTestKey();
    await revokeKey(database, id);
    const noted = await rows('key_changes');
    assert.equal(await updateKey(database, id, { quota: 1 }), 'revoked');
    assert.equal(await rotateKey(database, id, 0), 'revoked');
    assert.equal(await updateKey(database, 99, { quota: 1 }), 'unknown');
    assert.equal(await rotateKey(database, 99, 0), 'unknown');
    assert.equal(await revokeKey(database, 99), 'unknown');
    assert.equal(await rows('key_changes'), noted);
  });
});

test('a deleted key leaves nothing but the record that it changed', async () => {
  const { id } = await createTestKey();
  await rotateKey(database, id, HOUR_MS);
  assert.equal(await deleteKey(database, id), true);
  assert.equal(await deleteKey(database, id), false);
  assert.deepEqual(await listKeys(database.kysely), []);
  assert.deepEqual([await rows('key_secrets'), await rows('key_usage')], [0, 0]);
  assert.notEqual((await createTestKey()).id, id);
});

describe('changes of keys', () => {
  test('are announced at commit with their version', async () => {
    const received: string[] = [];
    const up = Promise.withResolvers<void>();
    const all = Promise.withResolvers<void>();
    const listener = database.listen(KEYS_CHANNEL, {
      onListening: () => up.resolve(),
      onNotify: (payload) => {
        if (received.push(payload) === 5) all.resolve();
      },
    });
    await up.promise;
    const { id } = await createTestKey();
    await updateKey(database, id, { quota: 5 });
    await rotateKey(database, id, 0);
    await revokeKey(database, id);
    await deleteKey(database, id);
    await all.promise;
    await listener.close();
    assert.deepEqual(received, ['1', '2', '3', '4', '5']);
  });

  test('commit in the order of their versions: a later one waits for an earlier one', async () => {
    const [one, other] = [await createTestKey(), await createTestKey()];
    const order: string[] = [];
    let second: Promise<unknown> = Promise.resolve();
    await database.transaction(async (tx) => {
      await updateKey({ ...database, transaction: (work) => work(tx) }, one.id, { quota: 1 });
      second = updateKey(database, other.id, { quota: 2 }).then(() => order.push('second'));
      const waits = sql<{ waits: boolean }>`
        select exists (select from pg_locks where not granted and relation = 'key_changes'::regclass) as waits`;
      while (order.length === 0 && !(await waits.execute(tx)).rows[0]?.waits);
      order.push('first');
    });
    await second;
    assert.deepEqual(order, ['first', 'second']);
  });
});

test('pruning deletes expired secrets and old records of changes, never the latest', async () => {
  const { id, key } = await createTestKey();
  await rotateKey(database, id, HOUR_MS);
  assert.equal(await pruneKeys(database.kysely), 0);
  await sql`update key_secrets set expires_at = now() where expires_at is not null`.execute(database.kysely);
  await sql`insert into key_changes (version, key_id) overriding system value values (20002, 1)`.execute(
    database.kysely,
  );
  assert.equal((await liveSecretCounts()).has(hashApiKey(key)), false);
  assert.equal(await pruneKeys(database.kysely), 3);
  assert.deepEqual([await rows('key_secrets'), await rows('key_changes')], [1, 1]);
  assert.equal(await pruneKeys(database.kysely), 0);
});

/**
 * The keys as the operator changes them. Only the hash of a key is stored; a change is noted, and announced at commit,
 * for the processes that hold all keys in memory (key-cache.ts).
 */
import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { hashApiKey, KEY_BYTES, lastFour, makeApiKey } from '../../domain/access/api-key.ts';
import { effectiveQuota, type SubscriptionPlan } from '../../domain/access/plans.ts';
import type { Database } from '../connection/database.ts';
import type { Schema } from '../connection/schema.ts';

/** Channel on which every change of keys is announced; the payload is its version. */
export const KEYS_CHANNEL = 'keys';

/** What a key is to be. `quota` is requests a month; `null` = the plan's, which `dedicat` does not have. */
export type NewKey = {
  readonly plan: SubscriptionPlan['code'];
  readonly quota: number | null;
  readonly email: string | null;
  readonly subscription: string | null;
};

/** A key that was just made: the only moment at which its text is known. `quota` is what holds, own or the plan's. */
export type CreatedKey = { readonly id: number; readonly key: string; readonly plan: string; readonly quota: number };

/** Why a key cannot be changed. */
export type KeyChangeRefusal = 'unknown' | 'revoked';

/** What is kept of a key, instants in epoch milliseconds. `last4` is of its present secret. */
export type KeyRecord = {
  readonly id: number;
  readonly last4: string;
  readonly plan: string;
  readonly quota: number;
  readonly email: string | null;
  readonly subscription: string | null;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
};

/** Makes a key, which is good in every process at once. */
export function createKey(database: Database<Schema>, wanted: NewKey): Promise<CreatedKey> {
  const key = makeApiKey(randomBytes(KEY_BYTES));
  return database.transaction(async (tx) => {
    await lockKeyChanges(tx);
    const { id } = await tx
      .insertInto('api_keys')
      .values({ ...wanted, created_at: NOW })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx.insertInto('key_usage').values({ key_id: id }).execute();
    await insertSecret(tx, id, key);
    await announceChange(tx, id);
    return { id, key, plan: wanted.plan, quota: effectiveQuota(wanted.plan, wanted.quota) };
  });
}

/**
 * Gives a live key another plan, another quota or both. A quota of its own belongs to the plan it was agreed for:
 * another plan (or the same one, said again) without a quota brings the plan's. `dedicat` without a quota is refused by
 * the table.
 */
export function updateKey(
  database: Database<Schema>,
  id: number,
  change: { readonly plan?: SubscriptionPlan['code']; readonly quota?: number },
): Promise<KeyRecord | KeyChangeRefusal> {
  return changeLiveKey(database, id, async (tx) => {
    const values = change.plan === undefined ? change : { plan: change.plan, quota: change.quota ?? null };
    if (Object.keys(values).length > 0) await tx.updateTable('api_keys').set(values).where('id', '=', id).execute();
    return recordOf(tx, id);
  });
}

/**
 * Gives a live key another secret; id, plan, quota and counters stay (rule 9). The secrets until now are good for
 * `overlapMs` more by the database's clock, never for longer than they were, and with 0 not at all.
 */
export function rotateKey(
  database: Database<Schema>,
  id: number,
  overlapMs: number,
): Promise<CreatedKey | KeyChangeRefusal> {
  const key = makeApiKey(randomBytes(KEY_BYTES));
  return changeLiveKey(database, id, async (tx) => {
    if (overlapMs > 0) {
      await sql`
        update key_secrets
        set expires_at = least(expires_at, ${NOW} + ${overlapMs} * interval '1 millisecond')
        where key_id = ${id}`.execute(tx);
    } else {
      await tx.deleteFrom('key_secrets').where('key_id', '=', id).execute();
    }
    await insertSecret(tx, id, key);
    const { plan, quota } = await recordOf(tx, id);
    return { id, key, plan, quota };
  });
}

/** Ends all secrets of a key, in every process within a second. A key revoked before keeps its time. */
export async function revokeKey(database: Database<Schema>, id: number): Promise<KeyRecord | 'unknown'> {
  const revoked = await changeLiveKey(database, id, async (tx) => {
    await tx.updateTable('api_keys').set({ revoked_at: NOW }).where('id', '=', id).execute();
    return recordOf(tx, id);
  });
  return revoked === 'revoked' ? recordOf(database.kysely, id) : revoked;
}

/** Removes a key with everything that is known of its holder and its use; false when there is no such key. */
export function deleteKey(database: Database<Schema>, id: number): Promise<boolean> {
  return database.transaction(async (tx) => {
    await lockKeyChanges(tx);
    const { numDeletedRows } = await tx.deleteFrom('api_keys').where('id', '=', id).executeTakeFirst();
    if (numDeletedRows === 0n) return false;
    await announceChange(tx, id);
    return true;
  });
}

/** Every key there is, revoked ones too, oldest first. */
export async function listKeys(db: Kysely<Schema>): Promise<KeyRecord[]> {
  return (await selectRecords(db).orderBy('key.id').execute()).map(asRecord);
}

/** By the database's clock, also within a transaction that waited. */
const NOW = sql<Date>`clock_timestamp()`;

/** Changes of keys commit in the order of their versions: who has seen one has seen all before it. */
async function lockKeyChanges(tx: Kysely<Schema>): Promise<void> {
  await sql`lock table key_changes in share row exclusive mode`.execute(tx);
}

async function announceChange(tx: Kysely<Schema>, id: number): Promise<void> {
  const { version } = await tx
    .insertInto('key_changes')
    .values({ key_id: id })
    .returning('version')
    .executeTakeFirstOrThrow();
  await sql`select pg_notify(${KEYS_CHANNEL}, ${String(version)})`.execute(tx);
}

/** Does one announced change to a key that is neither unknown nor revoked. */
function changeLiveKey<T>(
  database: Database<Schema>,
  id: number,
  work: (tx: Kysely<Schema>) => Promise<T>,
): Promise<T | KeyChangeRefusal> {
  return database.transaction(async (tx) => {
    await lockKeyChanges(tx);
    const found = await tx.selectFrom('api_keys').select('revoked_at').where('id', '=', id).executeTakeFirst();
    if (found === undefined) return 'unknown';
    if (found.revoked_at !== null) return 'revoked';
    const result = await work(tx);
    await announceChange(tx, id);
    return result;
  });
}

async function insertSecret(tx: Kysely<Schema>, id: number, key: string): Promise<void> {
  const sha256 = Buffer.from(hashApiKey(key), 'hex');
  await tx
    .insertInto('key_secrets')
    .values({ sha256, key_id: id, last4: lastFour(key), created_at: NOW })
    .execute();
}

function selectRecords(db: Kysely<Schema>) {
  return db
    .selectFrom('api_keys as key')
    .innerJoin('key_secrets as secret', (join) =>
      join.onRef('secret.key_id', '=', 'key.id').on('secret.expires_at', 'is', null),
    )
    .leftJoin('key_usage as usage', 'usage.key_id', 'key.id')
    .select(['key.id', 'key.plan', 'key.quota', 'key.email', 'key.subscription', 'key.created_at', 'key.revoked_at'])
    .select(['secret.last4', 'usage.last_used']);
}

type KeyRecordRow = Awaited<ReturnType<ReturnType<typeof selectRecords>['executeTakeFirstOrThrow']>>;

async function recordOf(db: Kysely<Schema>, id: number): Promise<KeyRecord> {
  return asRecord(await selectRecords(db).where('key.id', '=', id).executeTakeFirstOrThrow());
}

function asRecord(row: KeyRecordRow): KeyRecord {
  return {
    id: row.id,
    last4: row.last4,
    plan: row.plan,
    quota: effectiveQuota(row.plan, row.quota),
    email: row.email,
    subscription: row.subscription,
    createdAt: row.created_at,
    lastUsedAt: row.last_used,
    revokedAt: row.revoked_at,
  };
}

/**
 * How operators create and change keys. The database stores only the hash of a key; it records every change and, at
 * commit, notifies the processes that cache all keys (key-cache.ts).
 */

import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { hashApiKey, KEY_BYTES, lastFour, makeApiKey } from '../../domain/access/api-key.ts';
import { effectiveQuota, type FREE_PLAN, type SubscriptionPlan } from '../../domain/access/plans.ts';
import { type Standing, standing } from '../../domain/billing/standing.ts';
import type { DatabaseConnection } from '../connection/database-connection.ts';
import type { Schema } from '../connection/schema.ts';
import { decidingFactsOf } from './subscription-facts.ts';

/** Channel that announces every change of a key; the payload is its version. */
export const KEYS_CHANNEL = 'keys';

/** A key to create. `quota` is requests a month; `null` = the plan's, which `dedicat` does not have. */
export type NewKey = {
  readonly plan: SubscriptionPlan['code'] | typeof FREE_PLAN;
  readonly quota: number | null;
  readonly email: string | null;
  readonly subscription: string | null;
};

/** A key that was just created, the only moment at which its text is known. `quota` is its own or the plan's. */
export type CreatedKey = { readonly id: number; readonly key: string; readonly plan: string; readonly quota: number };

/** A key with another secret. `oldValidUntil`: epoch ms by the database's clock; `null` = the old secret is revoked. */
export type RotatedKey = CreatedKey & { readonly oldValidUntil: number | null };

/** A holder may have two secrets at once, which share every limit. */
export type SecretSlot = 1 | 2;

/** Why a key cannot be changed. */
export type KeyChangeRefusal = 'unknown' | 'revoked';

/**
 * A stored key, instants in epoch milliseconds. `last4` belongs to its current secret; `null` = it has none yet,
 * because its mail was not sent. `standing`: the verdict on its subscription; `null` = an operator made it.
 */
export type KeyRecord = {
  readonly id: number;
  readonly last4: string | null;
  readonly plan: string;
  readonly quota: number;
  readonly email: string | null;
  readonly subscription: string | null;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
  readonly standing: Standing | null;
};

/** Creates a key; every process accepts it at once. */
export function createKey(database: Pick<DatabaseConnection, 'transaction'>, wanted: NewKey): Promise<CreatedKey> {
  const key = makeApiKey(randomBytes(KEY_BYTES));
  return database.transaction(async (tx) => {
    await lockKeyChanges(tx);
    const id = await insertKey(tx, { ...wanted, accountId: null });
    await insertSecret(tx, id, key);
    await announceKeyChange(tx, id);
    return { id, key, plan: wanted.plan, quota: effectiveQuota(wanted.plan, wanted.quota) };
  });
}

/**
 * Inserts a key that has no secret yet, in a transaction that holds the lock on changes of keys and announces this one.
 * Its mail makes the secret.
 */
export async function insertKey(
  tx: Kysely<Schema>,
  { accountId, ...wanted }: NewKey & { readonly accountId: number | null },
): Promise<number> {
  const { id } = await tx
    .insertInto('api_keys')
    .values({ ...wanted, account_id: accountId, created_at: NOW })
    .returning('id')
    .executeTakeFirstOrThrow();
  await tx.insertInto('key_usage').values({ key_id: id }).execute();
  return id;
}

/**
 * Changes the plan, the quota or both of a live key. A quota of its own belongs to the plan it was agreed for: setting
 * a plan (even the same one) without a quota restores the plan's quota. The table rejects `dedicat` without a quota.
 */
export function updateKey(
  database: Pick<DatabaseConnection, 'transaction'>,
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
 * Replaces the secret of a live key; id, plan, quota and counters stay (rule 9). The old secrets stay valid for another
 * `overlapMs` by the database's clock, never longer than before; 0 revokes them at once.
 */
export function rotateKey(
  database: Pick<DatabaseConnection, 'transaction'>,
  id: number,
  overlapMs: number,
): Promise<RotatedKey | KeyChangeRefusal> {
  const key = makeApiKey(randomBytes(KEY_BYTES));
  return changeLiveKey(database, id, async (tx) => {
    const oldValidUntil = await endSecrets(tx, id, overlapMs);
    await insertSecret(tx, id, key);
    const { plan, quota } = await recordOf(tx, id);
    return { id, key, plan, quota, oldValidUntil };
  });
}

/** Ends the secrets of a key after the overlap; returns the end of the one that lasts longest, `null` = none does. */
async function endSecrets(tx: Kysely<Schema>, id: number, overlapMs: number): Promise<number | null> {
  if (overlapMs === 0) {
    await tx.deleteFrom('key_secrets').where('key_id', '=', id).execute();
    return null;
  }
  const { rows } = await sql<{ expires_at: number }>`
    update key_secrets
    set expires_at = least(expires_at, ${NOW} + ${overlapMs} * interval '1 millisecond')
    where key_id = ${id}
    returning expires_at`.execute(tx);
  return rows.length === 0 ? null : Math.max(...rows.map(({ expires_at }) => expires_at));
}

/**
 * Revokes a key and deletes its webhooks; every process refuses it within a second. A key revoked before keeps its time
 * of revocation.
 */
export async function revokeKey(
  database: Pick<DatabaseConnection, 'transaction'>,
  id: number,
): Promise<KeyRecord | 'unknown'> {
  const revoked = await changeLiveKey(database, id, async (tx) => {
    await tx.updateTable('api_keys').set({ revoked_at: NOW }).where('id', '=', id).execute();
    await deleteWebhooksOfKey(tx, id);
    return recordOf(tx, id);
  });
  return revoked === 'revoked' ? database.transaction((tx) => recordOf(tx, id)) : revoked;
}

/** Deletes the addresses and secrets of webhooks that nothing will be sent to: nobody may change a revoked key. */
export async function deleteWebhooksOfKey(tx: Kysely<Schema>, id: number): Promise<void> {
  await tx.deleteFrom('webhooks').where('key_id', '=', id).execute();
}

/** Deletes a key with all data on its holder and its usage; false if there is no such key. */
export function deleteKey(database: Pick<DatabaseConnection, 'transaction'>, id: number): Promise<boolean> {
  return database.transaction(async (tx) => {
    await lockKeyChanges(tx);
    const { numDeletedRows } = await tx.deleteFrom('api_keys').where('id', '=', id).executeTakeFirst();
    if (numDeletedRows === 0n) return false;
    await announceKeyChange(tx, id);
    return true;
  });
}

/** All keys, revoked ones included, oldest first. */
export async function listKeys(db: Kysely<Schema>): Promise<KeyRecord[]> {
  return (await selectRecords(db).orderBy('key.id').execute()).map(asRecord);
}

/** The database's clock, even in a transaction that has waited (`now()` would return its start). */
const NOW = sql<Date>`clock_timestamp()`;

/** Makes changes of keys commit in the order of their versions: a reader of one has seen all earlier ones. */
export async function lockKeyChanges(tx: Kysely<Schema>): Promise<void> {
  await sql`lock table key_changes in share row exclusive mode`.execute(tx);
}

export async function announceKeyChange(tx: Kysely<Schema>, id: number): Promise<void> {
  const { version } = await tx
    .insertInto('key_changes')
    .values({ key_id: id })
    .returning('version')
    .executeTakeFirstOrThrow();
  await sql`select pg_notify(${KEYS_CHANNEL}, ${String(version)})`.execute(tx);
}

/** Runs one change of a key that is neither unknown nor revoked, and announces it. */
export function changeLiveKey<T>(
  database: Pick<DatabaseConnection, 'transaction'>,
  id: number,
  work: (tx: Kysely<Schema>) => Promise<T>,
): Promise<T | KeyChangeRefusal> {
  return database.transaction(async (tx) => {
    await lockKeyChanges(tx);
    const found = await tx.selectFrom('api_keys').select('revoked_at').where('id', '=', id).executeTakeFirst();
    if (found === undefined) return 'unknown';
    if (found.revoked_at !== null) return 'revoked';
    const result = await work(tx);
    await announceKeyChange(tx, id);
    return result;
  });
}

/** Stores the hash of a new secret in one of the two places of a key; `isMailed`: it was made for a mail. */
export async function insertSecret(
  tx: Kysely<Schema>,
  id: number,
  key: string,
  slot: SecretSlot = 1,
  isMailed = false,
): Promise<void> {
  const sha256 = Buffer.from(hashApiKey(key), 'hex');
  await tx
    .insertInto('key_secrets')
    .values({ sha256, key_id: id, last4: lastFour(key), created_at: NOW, slot, is_mailed: isMailed })
    .execute();
}

function selectRecords(db: Kysely<Schema>) {
  return db
    .selectFrom('api_keys as key')
    .leftJoin('key_secrets as secret', (join) =>
      join.onRef('secret.key_id', '=', 'key.id').on('secret.expires_at', 'is', null).on('secret.slot', '=', 1),
    )
    .leftJoin('key_usage as usage', 'usage.key_id', 'key.id')
    .leftJoin('billing_subscriptions as billed', 'billed.key_id', 'key.id')
    .leftJoin('accounts as account', 'account.id', 'key.account_id')
    .select(({ fn }) => fn.coalesce('key.email', 'account.email').as('email'))
    .select(['key.id', 'key.plan', 'key.quota', 'key.subscription', 'key.created_at', 'key.revoked_at'])
    .select(['secret.last4', 'usage.last_used', sql<number>`clock_timestamp()`.as('now')])
    .select(['billed.status', 'billed.trial_end', 'billed.period_end', 'billed.cancel_at', 'billed.fetched_at'])
    .select(['billed.past_due_since', 'billed.disputed_at', 'billed.withdrawn_at']);
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
    standing: standingOf(row),
  };
}

/** The verdict on the subscription of a key, by the database's clock; `null` = it has none. */
function standingOf(row: KeyRecordRow): Standing | null {
  const { status, period_end, fetched_at } = row;
  if (status === null || period_end === null || fetched_at === null) return null;
  return standing(decidingFactsOf({ ...row, status, period_end, fetched_at }), row.now);
}

/** What the holder of a key changes: a new secret with an overlap, a second one beside it, a lower cap. */
import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { KEY_BYTES, makeApiKey } from '../../domain/access/api-key.ts';
import { effectiveQuota } from '../../domain/access/plans.ts';
import type { DatabaseConnection } from '../connection/database-connection.ts';
import type { Schema } from '../connection/schema.ts';
import { changeLiveKey, insertSecret, type KeyChangeRefusal, type SecretSlot } from './keys.ts';

type Transactions = Pick<DatabaseConnection, 'transaction'>;

/** A new secret, whose text nobody can read again; `oldValidUntil`: epoch ms, `null` = there is no old one. */
export type NewSecret = { readonly key: string; readonly oldValidUntil: number | null };

/** So many secrets of one place are valid beside the newest: each process has all of them in memory. */
const MAX_OLD_SECRETS = 4;

/**
 * Gives one of the two places of a key a new secret. The one before stays valid for `overlapMs` by the database's
 * clock, 0 ends it at once; of very many, the oldest end.
 *
 * @param also what happens in the same transaction, such as telling the holder.
 */
export function renewSecret(
  database: Transactions,
  id: number,
  { slot, overlapMs }: { readonly slot: SecretSlot; readonly overlapMs: number },
  also: (tx: Kysely<Schema>, made: NewSecret) => Promise<void>,
): Promise<NewSecret | KeyChangeRefusal> {
  const key = makeApiKey(randomBytes(KEY_BYTES));
  return changeLiveKey(database, id, async (tx) => {
    const old =
      overlapMs === 0
        ? sql`delete from key_secrets where key_id = ${id} and slot = ${slot} returning null::timestamptz as expires_at`
        : sql`update key_secrets
            set expires_at = least(expires_at, clock_timestamp() + ${overlapMs} * interval '1 millisecond')
            where key_id = ${id} and slot = ${slot} returning expires_at`;
    const { rows } = await old.execute(tx);
    await insertSecret(tx, id, key, slot);
    await sql`
      delete from key_secrets where sha256 in (
        select sha256 from key_secrets where key_id = ${id} and slot = ${slot} and expires_at is not null
        order by created_at desc, sha256 offset ${MAX_OLD_SECRETS})`.execute(tx);
    const ends = (rows as { expires_at: number | null }[]).flatMap(({ expires_at }) => expires_at ?? []);
    const made = { key, oldValidUntil: ends.length === 0 ? null : Math.max(...ends) };
    await also(tx, made);
    return made;
  });
}

/** Ends the secrets that are valid for an overlap only. */
export function endOldSecrets(database: Transactions, id: number): Promise<true | KeyChangeRefusal> {
  return changeLiveKey(database, id, async (tx) => {
    await tx.deleteFrom('key_secrets').where('key_id', '=', id).where('expires_at', 'is not', null).execute();
    return true as const;
  });
}

/** Ends the second secret at once. */
export function endSecondSecret(database: Transactions, id: number): Promise<true | KeyChangeRefusal> {
  return changeLiveKey(database, id, async (tx) => {
    await tx.deleteFrom('key_secrets').where('key_id', '=', id).where('slot', '=', 2).execute();
    return true as const;
  });
}

/** Sets how many requests a month the holder allows, below the quota; `null` = the quota. False = it is above that. */
export function setCap(database: Transactions, id: number, cap: number | null): Promise<boolean | KeyChangeRefusal> {
  return changeLiveKey(database, id, async (tx) => {
    const { plan, quota } = await tx
      .selectFrom('api_keys')
      .select(['plan', 'quota'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    if (cap !== null && cap > effectiveQuota(plan, quota)) return false;
    await tx.updateTable('api_keys').set({ cap }).where('id', '=', id).execute();
    return true;
  });
}

/**
 * Free keys that nobody uses: their holders are warned, and two weeks later they are deleted. Any request that the
 * limits let pass is a use, counted or not, and so is what arrives at a webhook of the key.
 */
import { type Kysely, sql } from 'kysely';
import { FREE_PLAN } from '../../domain/access/plans.ts';
import { FREE_KEY_UNUSED_DAYS } from '../../domain/access/retention.ts';
import type { Language } from '../../domain/localized-text.ts';
import type { Database } from '../connection/database.ts';
import type { Schema } from '../connection/schema.ts';
import { announceKeyChange, lockKeyChanges } from '../keys/keys.ts';
import { queueMail } from './mails.ts';

const DAY_MS = 24 * 3_600_000;
/** How long before its end a holder is warned. */
const WARNING_DAYS = 14;

type UnusedKey = { id: number; account: number; language: Language; warnedAt: number | null; now: number };

/** Warns and deletes; returns how many keys were deleted. None is deleted without two weeks since its warning. */
export async function endUnusedFreeKeys(database: Database<Schema>): Promise<number> {
  let deleted = 0;
  for (const key of await unusedKeys(database.kysely)) {
    const { id, account, language, warnedAt, now } = key;
    if (warnedAt === null) {
      const content = { kind: 'free_key_unused', endsAt: now + WARNING_DAYS * DAY_MS } as const;
      await queueMail(database.kysely, { accountId: account, language }, content, { occasion: occasionOf(key) });
    } else if (now >= warnedAt + WARNING_DAYS * DAY_MS) {
      if (await deleteUnusedKey(database, id)) deleted += 1;
    }
  }
  return deleted;
}

const occasionOf = ({ id }: Pick<UnusedKey, 'id'>) => `key ${id}`;

/** Of a `key` and its `usage`. `recent` ends with the last request that took a place, sorted, in epoch ms. */
const LAST_USE = sql`coalesce(
  greatest(usage.last_used, to_timestamp(usage.recent[cardinality(usage.recent)] / 1000.0),
    (select max(webhooks.sent_at) from webhooks where webhooks.key_id = key.id)),
  key.created_at)`;

/** Of a `key` and its `usage`: a free key, not revoked, that was last used before its warning was due. */
const IS_UNUSED = sql`
  key.plan = ${FREE_PLAN} and key.revoked_at is null
  and ${LAST_USE} < clock_timestamp() - ${FREE_KEY_UNUSED_DAYS - WARNING_DAYS} * interval '1 day'`;

/** A warning from before the last use counts no more: it is forgotten, so that there can be another. */
async function unusedKeys(db: Kysely<Schema>): Promise<UnusedKey[]> {
  await sql`
    delete from mails using api_keys as key, key_usage as usage
    where mails.kind = 'free_key_unused' and mails.occasion = 'key ' || key.id and usage.key_id = key.id
      and ${LAST_USE} > mails.created_at`.execute(db);
  const { rows } = await sql<UnusedKey>`
    select key.id, key.account_id as account, account.language, warning.created_at as "warnedAt",
      clock_timestamp() as now
    from api_keys as key
    join key_usage as usage on usage.key_id = key.id
    join accounts as account on account.id = key.account_id
    left join mails as warning on warning.kind = 'free_key_unused' and warning.occasion = 'key ' || key.id
    where ${IS_UNUSED}`.execute(db);
  return rows;
}

/** Waits for a request that is being granted; false = the key was used meanwhile, or is gone. */
function deleteUnusedKey(database: Pick<Database<Schema>, 'transaction'>, id: number): Promise<boolean> {
  return database.transaction(async (tx) => {
    await lockKeyChanges(tx);
    const { rows } = await sql`
      with usage as materialized (select * from key_usage where key_id = ${id} for no key update)
      delete from api_keys as key using usage
      where key.id = usage.key_id and ${IS_UNUSED}
      returning key.id`.execute(tx);
    if (rows.length === 0) return false;
    await announceKeyChange(tx, id);
    return true;
  });
}

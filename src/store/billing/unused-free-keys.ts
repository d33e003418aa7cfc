/** Free keys that nobody uses: their holders are warned, and two weeks later they are deleted. */
import { type Kysely, sql } from 'kysely';
import { FREE_PLAN } from '../../domain/access/plans.ts';
import { FREE_KEY_UNUSED_DAYS } from '../../domain/access/retention.ts';
import type { Language } from '../../domain/localized-text.ts';
import type { Database } from '../connection/database.ts';
import type { Schema } from '../connection/schema.ts';
import { deleteKey } from '../keys/keys.ts';
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
      await deleteKey(database, id);
      deleted += 1;
    }
  }
  return deleted;
}

const occasionOf = ({ id }: Pick<UnusedKey, 'id'>) => `key ${id}`;

/** A warning from before the last use counts no more: it is forgotten, so that there can be another. */
async function unusedKeys(db: Kysely<Schema>): Promise<UnusedKey[]> {
  const lastUse = sql`coalesce(usage.last_used, key.created_at)`;
  await sql`
    delete from mails using api_keys as key, key_usage as usage
    where mails.kind = 'free_key_unused' and mails.occasion = 'key ' || key.id and usage.key_id = key.id
      and ${lastUse} > mails.created_at`.execute(db);
  const { rows } = await sql<UnusedKey>`
    select key.id, key.account_id as account, account.language, warning.created_at as "warnedAt",
      clock_timestamp() as now
    from api_keys as key
    join key_usage as usage on usage.key_id = key.id
    join accounts as account on account.id = key.account_id
    left join mails as warning on warning.kind = 'free_key_unused' and warning.occasion = 'key ' || key.id
    where key.plan = ${FREE_PLAN} and key.revoked_at is null
      and ${lastUse} < clock_timestamp() - ${FREE_KEY_UNUSED_DAYS - WARNING_DAYS} * interval '1 day'`.execute(db);
  return rows;
}

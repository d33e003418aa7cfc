/** Free keys: one for a mailbox, for whoever has proved that it is theirs. */
import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { FREE_PLAN } from '../../domain/access/plans.ts';
import type { GivenFreeKey } from '../../domain/billing/free-key-view.ts';
import { mailboxKey } from '../../domain/mail/email-address.ts';
import { findOrCreateAccount } from '../accounts/accounts.ts';
import type { ProvedAddress } from '../accounts/logins.ts';
import type { Database } from '../connection/database.ts';
import type { Schema } from '../connection/schema.ts';
import { announceKeyChange, deleteKey, deleteWebhooksOfKey, insertKey, lockKeyChanges } from '../keys/keys.ts';
import { queueMail } from './mails.ts';

/**
 * Creates the key of an address and queues its mail.
 *
 * @param quota requests a month.
 */
export async function createFreeKey(
  tx: Kysely<Schema>,
  { email, language }: Pick<ProvedAddress, 'email' | 'language'>,
  quota: number,
): Promise<GivenFreeKey> {
  await lockKeyChanges(tx);
  const mailbox = mailboxKey(email);
  const known = await tx
    .selectFrom('api_keys')
    .select('id')
    .where('plan', '=', FREE_PLAN)
    .where('email', 'in', [mailbox, spentMailbox(mailbox)])
    .executeTakeFirst();
  if (known !== undefined) return 'had one';
  const accountId = await findOrCreateAccount(tx, email, language);
  if (accountId === 'former') return 'former';
  const keyId = await insertKey(tx, { plan: FREE_PLAN, quota, email: mailbox, subscription: null, accountId });
  await queueMail(tx, { accountId, language }, { kind: 'free_key', keyId, quota }, { occasion: String(keyId) });
  await announceKeyChange(tx, keyId);
  return 'given';
}

/**
 * Closes the free keys of an account that is deleted. Until the month ends they stay without their secrets, under a
 * hash of the mailbox: whoever deletes an account gets no second quota by it.
 */
export async function spendFreeKeys(tx: Kysely<Schema>, accountId: number): Promise<void> {
  const keys = await tx
    .selectFrom('api_keys')
    .select(['id', 'email'])
    .where('account_id', '=', accountId)
    .where('plan', '=', FREE_PLAN)
    .execute();
  for (const { id, email } of keys) {
    await tx.deleteFrom('key_secrets').where('key_id', '=', id).execute();
    await deleteWebhooksOfKey(tx, id);
    await tx
      .updateTable('api_keys')
      .set({ account_id: null, email: spentMailbox(email ?? ''), revoked_at: sql<Date>`clock_timestamp()` })
      .where('id', '=', id)
      .execute();
    await announceKeyChange(tx, id);
  }
}

/** Deletes the free keys that were closed with their accounts in an earlier month; returns how many. */
export async function deleteSpentFreeKeys(database: Database<Schema>): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select id from api_keys where plan = ${FREE_PLAN} and account_id is null and email like ${`${SPENT}%`}
    and date_trunc('month', revoked_at at time zone 'UTC') < date_trunc('month', clock_timestamp() at time zone 'UTC')`.execute(
    database.kysely,
  );
  for (const { id } of rows) await deleteKey(database, id);
  return rows.length;
}

/** What the mailbox of a deleted account is remembered by. */
const SPENT = 'sha256 ';

function spentMailbox(mailbox: string): string {
  return `${SPENT}${createHash('sha256').update(mailbox).digest('hex')}`;
}

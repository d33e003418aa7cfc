/** Accounts: whoever ordered a plan or asked for a free key, by e-mail address. */
import { type Kysely, sql } from 'kysely';
import type { Language } from '../../domain/localized-text.ts';
import { emailKey } from '../../domain/mail/email-address.ts';
import type { Schema } from '../connection/schema.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The id of the account of an address, in upper or lower case; one that is new is made, in this language. Its row stays
 * locked until the transaction ends. `former` = an account had the address until less than a day ago and may get it
 * back: it can have no other meanwhile, and that account's mails would go to whoever has it now.
 *
 * @param email as `parseEmailAddress` returns it.
 */
export async function findOrCreateAccount(
  tx: Kysely<Schema>,
  email: string,
  language: Language,
): Promise<number | 'former'> {
  const former = await sql`${withFormerAddress(email)} for update`.execute(tx);
  if (former.rows.length > 0) return 'former';
  const { rows } = await sql<{ id: number }>`
    insert into accounts (email, language, created_at) values (${email}, ${language}, clock_timestamp())
    on conflict (lower(email)) do update set email = accounts.email
    returning id`.execute(tx);
  return (rows[0] as { id: number }).id;
}

/** Whether an account had an address, in upper or lower case, until less than a day ago and may get it back. */
export async function isFormerAddress(db: Kysely<Schema>, email: string): Promise<boolean> {
  return (await withFormerAddress(email).execute(db)).rows.length > 0;
}

const withFormerAddress = (email: string) =>
  sql`select from accounts where lower(undo_email) = ${emailKey(email)} and undo_until > clock_timestamp()`;

/** An account by its address, in upper or lower case; `null` = there is none. */
export async function findAccount(
  db: Kysely<Schema>,
  email: string,
): Promise<{ readonly id: number; readonly email: string } | null> {
  const row = await db
    .selectFrom('accounts')
    .select(['id', 'email'])
    .where(sql<string>`lower(email)`, '=', emailKey(email))
    .executeTakeFirst();
  return row ?? null;
}

/** Ends mails about usage for whoever has the token of one; false = it is nobody's. */
export async function unsubscribe(tx: Kysely<Schema>, token: string): Promise<boolean> {
  if (!UUID.test(token)) return false;
  const { numUpdatedRows } = await tx
    .updateTable('accounts')
    .set({ usage_mails: false })
    .where('unsubscribe_token', '=', token)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** What stands in a mail about usage; `null` = the account is gone. */
export async function unsubscribeTokenOf(db: Kysely<Schema>, accountId: number): Promise<string | null> {
  const row = await db
    .selectFrom('accounts')
    .select('unsubscribe_token')
    .where('id', '=', accountId)
    .executeTakeFirst();
  return row?.unsubscribe_token ?? null;
}

/** The language of further mails, also of those that wait. */
export async function setMailLanguage(tx: Kysely<Schema>, accountId: number, language: Language): Promise<void> {
  await tx.updateTable('accounts').set({ language }).where('id', '=', accountId).execute();
  await tx
    .updateTable('mails')
    .set({ language })
    .where('account_id', '=', accountId)
    .where('state', '=', 'waiting')
    .execute();
}

/** Wants or declines mails about usage. */
export async function setUsageMails(tx: Kysely<Schema>, accountId: number, isWanted: boolean): Promise<void> {
  await tx.updateTable('accounts').set({ usage_mails: isWanted }).where('id', '=', accountId).execute();
}

/** Whether mails about usage are wanted; false = they are declined, or the account is gone. */
export async function wantsUsageMails(db: Kysely<Schema>, accountId: number): Promise<boolean> {
  const row = await db.selectFrom('accounts').select('usage_mails').where('id', '=', accountId).executeTakeFirst();
  return row?.usage_mails === true;
}

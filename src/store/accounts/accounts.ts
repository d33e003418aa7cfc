/** Accounts: whoever ordered a plan or asked for a free key, by e-mail address. */
import { type Kysely, sql } from 'kysely';
import type { Language } from '../../domain/localized-text.ts';
import { emailKey } from '../../domain/mail/email-address.ts';
import type { Schema } from '../connection/schema.ts';

/**
 * The id of the account of an address, in upper or lower case; one that is new is made, in this language. Its row stays
 * locked until the transaction ends.
 *
 * @param email as `parseEmailAddress` returns it.
 */
export async function findOrCreateAccount(tx: Kysely<Schema>, email: string, language: Language): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into accounts (email, language, created_at) values (${email}, ${language}, clock_timestamp())
    on conflict (lower(email)) do update set email = accounts.email
    returning id`.execute(tx);
  return (rows[0] as { id: number }).id;
}

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

/** Whether mails about usage are wanted. */
export async function setUsageMails(tx: Kysely<Schema>, accountId: number, isWanted: boolean): Promise<void> {
  await tx.updateTable('accounts').set({ usage_mails: isWanted }).where('id', '=', accountId).execute();
}

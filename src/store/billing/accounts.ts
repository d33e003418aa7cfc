/** Accounts: whoever ordered a plan or asked for a free key, by e-mail address. */
import { type Kysely, sql } from 'kysely';
import type { Language } from '../../domain/localized-text.ts';
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

/** The links and codes of logins: made while their mail is sent, and stored only as hashes. */
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../connection/schema.ts';

/** A token for a link, and six digits for whoever reads the mail on another device. */
export type LoginSecret = { readonly token: string; readonly code: string };

const TOKEN_BYTES = 32;
const CODES = 1_000_000;

export const hashLoginSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/**
 * Makes a link and a code for a login; earlier ones stay valid, since their mail may have arrived. `null` = the login
 * has expired or was used.
 */
export async function makeLoginSecret(db: Kysely<Schema>, loginId: number): Promise<LoginSecret | null> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const code = String(randomInt(CODES)).padStart(6, '0');
  // The code of one login says nothing about that of another: six digits alone could be looked up by their hash.
  const { rows } = await sql<{ id: number }>`
    insert into login_secrets (token_sha256, code_sha256, login_id)
    select ${hashLoginSecret(token)}, ${hashLoginSecret(`${loginId} ${code}`)}, id from logins
    where id = ${loginId} and used_at is null and expires_at > clock_timestamp()
    returning login_id as id`.execute(db);
  return rows.length === 0 ? null : { token, code };
}

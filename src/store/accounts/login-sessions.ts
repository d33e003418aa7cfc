/** Sessions of accounts: a random secret in a cookie, of which only the hash is stored. */
import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { FRESH_SESSION_MS, SESSION_MS } from '../../domain/billing/login-purpose.ts';
import type { Language } from '../../domain/localized-text.ts';
import type { Schema } from '../connection/schema.ts';
import { hashLoginSecret } from './login-secrets.ts';

/** Whose session it is. */
export type LoggedIn = {
  readonly accountId: number;
  readonly email: string;
  readonly language: Language;
  /** Whether the address was proved so recently that the session may change it. */
  readonly isFresh: boolean;
};

const SESSION_BYTES = 32;
/** A visit lengthens a session, at most this often. */
const RENEWED_AFTER_MS = 3_600_000;

/** Starts a session; returns its secret, which nobody can read again. */
export async function startSession(tx: Kysely<Schema>, accountId: number): Promise<string> {
  const secret = randomBytes(SESSION_BYTES).toString('base64url');
  await sql`
    insert into login_sessions (sha256, account_id, created_at, seen_at, expires_at)
    values (${hashLoginSecret(secret)}, ${accountId}, clock_timestamp(), clock_timestamp(),
      clock_timestamp() + ${SESSION_MS} * interval '1 millisecond')`.execute(tx);
  return secret;
}

/** Whose session a secret is, which this visit lengthens; `null` = nobody's, or it has ended. */
export async function findSession(tx: Kysely<Schema>, secret: string): Promise<LoggedIn | null> {
  const sha256 = hashLoginSecret(secret);
  const { rows } = await sql<{ id: number; email: string; language: Language; idle: number; age: number }>`
    select account.id, account.email, account.language,
      1000 * extract(epoch from clock_timestamp() - session.seen_at)::float8 as idle,
      1000 * extract(epoch from clock_timestamp() - session.created_at)::float8 as age
    from login_sessions as session join accounts as account on account.id = session.account_id
    where session.sha256 = ${sha256} and session.expires_at > clock_timestamp()`.execute(tx);
  const [row] = rows;
  if (row === undefined) return null;
  if (row.idle > RENEWED_AFTER_MS)
    await sql`
      update login_sessions set seen_at = clock_timestamp(),
        expires_at = clock_timestamp() + ${SESSION_MS} * interval '1 millisecond'
      where sha256 = ${sha256}`.execute(tx);
  return { accountId: row.id, email: row.email, language: row.language, isFresh: row.age < FRESH_SESSION_MS };
}

/** Ends a session. */
export async function endSession(tx: Kysely<Schema>, secret: string): Promise<void> {
  await tx.deleteFrom('login_sessions').where('sha256', '=', hashLoginSecret(secret)).execute();
}

/** Ends all sessions of an account, as after a change of its address. */
export async function endSessionsOf(tx: Kysely<Schema>, accountId: number): Promise<void> {
  await tx.deleteFrom('login_sessions').where('account_id', '=', accountId).execute();
}

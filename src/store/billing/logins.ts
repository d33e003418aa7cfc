/**
 * Proofs that an e-mail address is somebody's: a mail with a link and a code, which work once and for 15 minutes. What
 * is answered and stored is the same for addresses that have an account and for those that have none.
 */
import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { LOGIN_TOKEN_MS, type LoginPurpose, MAX_CODE_TRIES } from '../../domain/billing/login-purpose.ts';
import type { Language } from '../../domain/localized-text.ts';
import { emailKey } from '../../domain/mail/email-address.ts';
import type { Schema } from '../connection/schema.ts';
import { hashLoginSecret } from './login-secrets.ts';

export type NewLogin = {
  /** The random value of the cookie of the browser that asks. */
  readonly browser: string;
  /** As `parseEmailAddress` returns it. */
  readonly email: string;
  readonly purpose: LoginPurpose;
  readonly language: Language;
  /** Whose address it is to become; `null` = no account's yet. */
  readonly accountId: number | null;
};

/** The address that was proved. */
export type ProvedAddress = {
  readonly loginId: number;
  readonly email: string;
  readonly language: Language;
  readonly accountId: number | null;
};

/** Mails to one address, and to all, within an hour. */
const MAX_LOGINS_OF_ADDRESS = 3;
const MAX_LOGINS = 1_000;
/** Names the lock under which they are counted; any number that no other lock has. */
const LOGINS_LOCK = 1_502_202;

const hashOf = (browser: string): Buffer => createHash('sha256').update(browser).digest();

/** Stores that somebody asks for a link and a code, and returns its id; `null` = too many were asked for. */
export async function startLogin(tx: Kysely<Schema>, login: NewLogin): Promise<number | null> {
  await sql`select pg_advisory_xact_lock(${LOGINS_LOCK})`.execute(tx);
  const { email, purpose, language, accountId, browser } = login;
  const { rows } = await sql<{ mine: number; all: number }>`
    select count(*) filter (where lower(email) = ${emailKey(email)})::int as mine, count(*)::int as all
    from logins where created_at > clock_timestamp() - interval '1 hour'`.execute(tx);
  const { mine = 0, all = 0 } = rows[0] ?? {};
  if (mine >= MAX_LOGINS_OF_ADDRESS || all >= MAX_LOGINS) return null;
  const { id } = await tx
    .insertInto('logins')
    .values({
      ...{ browser_sha256: hashOf(browser), email, purpose, account_id: accountId, language },
      created_at: sql<Date>`clock_timestamp()`,
      expires_at: sql<Date>`clock_timestamp() + ${LOGIN_TOKEN_MS} * interval '1 millisecond'`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return Number(id);
}

/** Uses up the link of a mail; `null` = it is of another purpose, was used, or has expired. */
export async function useLoginToken(
  tx: Kysely<Schema>,
  token: string,
  purpose: LoginPurpose,
): Promise<ProvedAddress | null> {
  const { rows } = await sql<LoginRow>`
    update logins set used_at = clock_timestamp()
    where id = (select login_id from login_secrets where token_sha256 = ${hashLoginSecret(token)})
      and purpose = ${purpose} and used_at is null and expires_at > clock_timestamp()
    returning id, email, language, account_id`.execute(tx);
  return proved(rows);
}

/**
 * Uses up the code of a mail, in the browser that asked for it; a wrong one counts, and after five nothing helps.
 * `null` = wrong, used or expired.
 */
export async function useLoginCode(
  tx: Kysely<Schema>,
  { browser, code, purpose }: { readonly browser: string; readonly code: string; readonly purpose: LoginPurpose },
): Promise<ProvedAddress | null> {
  const { rows: asked } = await sql<{ id: number }>`
    update logins set tries = tries + 1
    where id = (select max(id) from logins where browser_sha256 = ${hashOf(browser)} and purpose = ${purpose})
      and used_at is null and expires_at > clock_timestamp() and tries < ${MAX_CODE_TRIES}
    returning id`.execute(tx);
  const id = asked[0]?.id;
  if (id === undefined) return null;
  const { rows } = await sql<LoginRow>`
    update logins set used_at = clock_timestamp()
    where id = ${id} and exists (
      select from login_secrets where login_id = ${id} and code_sha256 = ${hashLoginSecret(`${id} ${code}`)})
    returning id, email, language, account_id`.execute(tx);
  return proved(rows);
}

type LoginRow = { id: number; email: string; language: Language; account_id: number | null };

function proved([row]: readonly LoginRow[]): ProvedAddress | null {
  if (row === undefined) return null;
  return { loginId: Number(row.id), email: row.email, language: row.language, accountId: row.account_id };
}

/**
 * Proofs that an e-mail address is somebody's: a mail with a link and a code, which work once and for 15 minutes. What
 * is answered and stored is the same for addresses that have an account and for those that have none.
 */
import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { LOGIN_TOKEN_MS, type LoginPurpose, MAX_CODE_TRIES } from '../../domain/billing/login-purpose.ts';
import type { Language } from '../../domain/localized-text.ts';
import { mailboxKey } from '../../domain/mail/email-address.ts';
import type { Schema } from '../connection/schema.ts';
import type { KeyedHash } from '../limits/address-hash.ts';
import { requireCurrentKey } from '../limits/address-keys.ts';
import { markTokensUsed } from '../submissions/captcha-tokens.ts';
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

/** What came of asking for a login: its id, or why there is none. `unchecked`: it takes a captcha token now. */
export type StartedLogin = number | 'too many' | 'too many of all' | 'unchecked';

/** Mails to one mailbox, whatever its tags, and to all, within an hour. */
const MAX_LOGINS_OF_MAILBOX = 3;
const MAX_LOGINS = 1_000;
/** Mails that one network asks for, whose holder may have 65,536 clients at no cost. */
const MAX_LOGINS_OF_NETWORK = MAX_LOGINS / 10;
/** With so many mails within the hour a stranger's browser is checked before the next one. */
const UNCHECKED_LOGINS = MAX_LOGINS / 2;
/** Wrong codes of everybody within an hour, and for the logins that one network asked for; links still work. */
const MAX_WRONG_CODES = 1_000;
const MAX_WRONG_CODES_OF_NETWORK = MAX_WRONG_CODES / 10;
/** Names the lock under which they are counted; any number that no other lock has. */
const LOGINS_LOCK = 1_502_202;

/** What a link proves without the browser that asked for it. */
const OF_ANY_BROWSER: readonly LoginPurpose[] = ['free_key', 'old_address'];

const hashOf = (browser: string): Buffer => createHash('sha256').update(browser).digest();

/**
 * Stores that somebody asks for a link and a code. `token`: the captcha token that was accepted, which this uses up;
 * `null` = none came; `unneeded` = whoever asks is known, or nothing here can check browsers. Rejects with
 * `AddressKeySuperseded`.
 */
export async function startLogin(
  tx: Kysely<Schema>,
  login: NewLogin & { readonly network: KeyedHash },
  token: string | null | 'unneeded',
): Promise<StartedLogin> {
  await sql`select pg_advisory_xact_lock(${LOGINS_LOCK})`.execute(tx);
  const { email, network } = login;
  await requireCurrentKey(tx, network.key);
  const mailbox = mailboxKey(email);
  const { rows } = await sql<{ email: string; isOfNetwork: boolean | null }>`
    select email, network in (${network.current}, ${network.earlier}) as "isOfNetwork"
    from logins where created_at > clock_timestamp() - interval '1 hour' limit ${MAX_LOGINS}`.execute(tx);
  const mine = rows.filter((each) => mailboxKey(each.email) === mailbox).length;
  const ofNetwork = rows.filter(({ isOfNetwork }) => isOfNetwork === true).length;
  if (mine >= MAX_LOGINS_OF_MAILBOX || ofNetwork >= MAX_LOGINS_OF_NETWORK) return 'too many';
  if (rows.length >= MAX_LOGINS) return 'too many of all';
  const isStranger = token !== 'unneeded' && rows.length >= UNCHECKED_LOGINS;
  if (isStranger && (token === null || !(await markTokensUsed(tx, [token])).has(token))) return 'unchecked';
  return insertLogin(tx, { ...login, network: network.current }, LOGIN_TOKEN_MS);
}

/**
 * Stores a login whose link and code work for so many ms, whatever was asked for before; returns its id. `network`: the
 * hash of the network that asked; `null` = nobody did.
 */
export async function insertLogin(
  tx: Kysely<Schema>,
  { browser, email, purpose, language, accountId, network }: NewLogin & { readonly network: Buffer | null },
  validMs: number,
): Promise<number> {
  const { id } = await tx
    .insertInto('logins')
    .values({
      ...{ browser_sha256: hashOf(browser), email, purpose, account_id: accountId, language, network },
      created_at: sql<Date>`clock_timestamp()`,
      expires_at: sql<Date>`clock_timestamp() + ${validMs} * interval '1 millisecond'`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return Number(id);
}

/** Ends the unused proofs for an account. Their rows still count as mails that were asked for. */
export async function expireLogins(tx: Kysely<Schema>, accountId: number, purpose: LoginPurpose): Promise<void> {
  await tx
    .updateTable('logins')
    .set({ expires_at: sql<Date>`clock_timestamp()` })
    .where('account_id', '=', accountId)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .execute();
}

/** What a browser sends to prove an address: the token of a link, the six digits, or both. */
export type LoginProof = {
  readonly purpose: LoginPurpose;
  /** The secret in the cookie; `null` = it has none. */
  readonly browser: string | null;
  readonly token: string | null;
  readonly code: string | null;
};

/**
 * What came of a link or a code. `too many`: so many codes were wrong within the hour, for the logins of its network or
 * `ofAll`, that none counts. `another browser`: the link is right, but its code must be typed as well.
 */
export type LoginOutcome =
  | ({ readonly kind: 'proved' } & ProvedAddress)
  | { readonly kind: 'wrong' }
  | { readonly kind: 'expired' }
  | { readonly kind: 'too many'; readonly ofAll: boolean }
  | { readonly kind: 'another browser'; readonly email: string };

/**
 * Uses up a login. A code serves in the browser that asked, and a link, too; both together serve in any, so that a link
 * sent to somebody else logs nobody in. The link of a free key, or of a former address that takes its account back,
 * gives nothing to anybody but that address: it serves in any browser. Five wrong codes end a login.
 */
export async function confirmLogin(tx: Kysely<Schema>, proof: LoginProof): Promise<LoginOutcome> {
  // To have asked from this browser proves nothing.
  if (proof.token === null && proof.code === null) return { kind: 'wrong' };
  const login = await (proof.token === null
    ? latestOfBrowser(tx, proof)
    : loginOfToken(tx, proof.token, proof.purpose));
  if (login === null) return { kind: proof.token === null ? 'wrong' : 'expired' };
  const { id, email, account_id: accountId, language } = login;
  if (!login.is_open || login.tries >= MAX_CODE_TRIES) return { kind: 'expired' };
  const isSameBrowser = proof.browser !== null && hashOf(proof.browser).equals(login.browser_sha256);
  if (proof.code !== null) {
    const guessed = await areGuessed(tx, login.network);
    if (guessed !== null) return guessed;
    if (!(await isCodeOf(tx, id, proof.code))) {
      await sql`update logins set tries = tries + 1 where id = ${id}`.execute(tx);
      return { kind: 'wrong' };
    }
  } else if (!isSameBrowser && !OF_ANY_BROWSER.includes(proof.purpose)) return { kind: 'another browser', email };
  await sql`update logins set used_at = clock_timestamp() where id = ${id}`.execute(tx);
  await sql`delete from login_secrets where login_id = ${id}`.execute(tx);
  return { kind: 'proved', loginId: id, email, accountId, language };
}

/** The address for which a browser asked last; `null` = for none, or too long ago. */
export async function addressAskedFor(
  db: Kysely<Schema>,
  { browser, purpose }: Pick<NewLogin, 'browser' | 'purpose'>,
): Promise<string | null> {
  const row = await db
    .selectFrom('logins')
    .select('email')
    .where('browser_sha256', '=', hashOf(browser))
    .where('purpose', '=', purpose)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return row?.email ?? null;
}

type LoginRow = {
  id: number;
  email: string;
  account_id: number | null;
  language: Language;
  browser_sha256: Buffer;
  tries: number;
  network: Buffer | null;
  is_open: boolean;
};

const COLUMNS = sql.raw(
  'login.id::int as id, email, account_id, language, browser_sha256, tries, network, used_at is null and expires_at > clock_timestamp() as is_open',
);

async function latestOfBrowser(tx: Kysely<Schema>, { browser, purpose }: LoginProof): Promise<LoginRow | null> {
  if (browser === null) return null;
  const { rows } = await sql<LoginRow>`
    select ${COLUMNS} from logins as login where browser_sha256 = ${hashOf(browser)} and purpose = ${purpose}
    order by login.id desc limit 1 for update`.execute(tx);
  return rows[0] ?? null;
}

async function loginOfToken(tx: Kysely<Schema>, token: string, purpose: LoginPurpose): Promise<LoginRow | null> {
  const { rows } = await sql<LoginRow>`
    select ${COLUMNS} from login_secrets as secret join logins as login on login.id = secret.login_id
    where token_sha256 = ${hashLoginSecret(token)} and purpose = ${purpose} for update of login`.execute(tx);
  return rows[0] ?? null;
}

/**
 * Whether as many wrong codes were entered within an hour as are allowed to everybody, or for the logins of a network;
 * `null` = fewer. Logins under the key before count as those of another network: its mails bound them.
 */
async function areGuessed(tx: Kysely<Schema>, network: Buffer | null) {
  const { rows } = await sql<{ wrong: number; ofNetwork: number }>`
    select coalesce(sum(tries), 0)::int as wrong,
      coalesce(sum(tries) filter (where network = ${network}), 0)::int as "ofNetwork"
    from logins where created_at > clock_timestamp() - interval '1 hour'`.execute(tx);
  const { wrong = 0, ofNetwork = 0 } = rows[0] ?? {};
  const ofAll = wrong >= MAX_WRONG_CODES;
  return ofAll || ofNetwork >= MAX_WRONG_CODES_OF_NETWORK ? ({ kind: 'too many', ofAll } as const) : null;
}

async function isCodeOf(tx: Kysely<Schema>, loginId: number, code: string): Promise<boolean> {
  const { rows } = await sql`
    select from login_secrets where login_id = ${loginId} and code_sha256 = ${hashLoginSecret(`${loginId} ${code}`)}`.execute(
    tx,
  );
  return rows.length > 0;
}

/**
 * The change of an account's address: by its holder, who has proved the new one, while the old one may take the account
 * back for a day; or by an operator, where the old one does not work.
 */
import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { ADDRESS_UNDO_MS } from '../../domain/billing/login-purpose.ts';
import type { Language } from '../../domain/localized-text.ts';
import { emailKey, mailboxKey } from '../../domain/mail/email-address.ts';
import type { Schema } from '../connection/schema.ts';
import { endSessionsOf } from './login-sessions.ts';
import { expireLogins, insertLogin } from './logins.ts';

/**
 * What the former address is told: `loginId` is the proof that takes the account back until `undoUntil`, epoch ms.
 * `null` = an address before it can still do so, and it alone.
 */
export type ChangedAddress = {
  readonly formerEmail: string;
  readonly language: Language;
  readonly loginId: number | null;
  readonly undoUntil: number;
};

/**
 * Gives an account another address, and ends its sessions. A second change within a day leaves the first address the
 * right to undo both, for a day from then on: whoever took the account over could end that right otherwise. `taken` =
 * the address belongs to another account, or did until less than a day ago; `unchanged` = it is the account's already,
 * or the account is gone.
 */
export async function changeAddress(
  tx: Kysely<Schema>,
  accountId: number,
  email: string,
): Promise<ChangedAddress | 'taken' | 'unchanged'> {
  const account = await lockAccount(tx, accountId);
  if (account === null || emailKey(account.email) === emailKey(email)) return 'unchanged';
  if (await isTaken(tx, accountId, email)) return 'taken';
  const { email: formerEmail, language } = account;
  const inADay = sql<Date>`clock_timestamp() + ${ADDRESS_UNDO_MS} * interval '1 millisecond'`;
  const { undo_until: undoUntil } = await tx
    .updateTable('accounts')
    .set({ undo_email: account.can_undo ? undefined : formerEmail, undo_until: inADay })
    .where('id', '=', accountId)
    .returning('undo_until')
    .executeTakeFirstOrThrow();
  await setAddress(tx, accountId, email);
  if (account.can_undo) {
    await tx
      .updateTable('logins')
      .set({ expires_at: inADay })
      .where('account_id', '=', accountId)
      .where('purpose', '=', 'old_address')
      .where('used_at', 'is', null)
      .execute();
    return { formerEmail, language, loginId: null, undoUntil: undoUntil as number };
  }
  const loginId = await insertLogin(
    tx,
    // No browser asked for it: its link serves in any.
    {
      ...{ browser: randomBytes(32).toString('base64url'), email: formerEmail, purpose: 'old_address' },
      ...{ language, accountId, network: null },
    },
    ADDRESS_UNDO_MS,
  );
  return { formerEmail, language, loginId, undoUntil: undoUntil as number };
}

/**
 * Gives an account another address for an operator, and ends its sessions: nobody proves the new one, and the old one
 * can neither take the account back nor withdraw from its orders. The refusals are those of `changeAddress`.
 */
export async function replaceAddress(
  tx: Kysely<Schema>,
  accountId: number,
  email: string,
): Promise<'replaced' | 'taken' | 'unchanged'> {
  const account = await lockAccount(tx, accountId);
  if (account === null || emailKey(account.email) === emailKey(email)) return 'unchanged';
  if (await isTaken(tx, accountId, email)) return 'taken';
  await tx.updateTable('accounts').set({ undo_email: null, undo_until: null }).where('id', '=', accountId).execute();
  await setAddress(tx, accountId, email);
  await expireLogins(tx, accountId, 'old_address');
  // By the mailbox of an order its customer withdraws from it.
  await tx
    .updateTable('orders')
    .set({ mailbox: mailboxKey(email) })
    .where('account_id', '=', accountId)
    .execute();
  return 'replaced';
}

async function setAddress(tx: Kysely<Schema>, accountId: number, email: string): Promise<void> {
  await tx.updateTable('accounts').set({ email, mail_refused_at: null }).where('id', '=', accountId).execute();
  await endSessionsOf(tx, accountId);
  // Whoever asked for a change before may not finish it any more.
  await expireLogins(tx, accountId, 'new_address');
}

/** Gives an account its former address back, and ends its sessions; false = the time for that is over. */
export async function undoAddressChange(tx: Kysely<Schema>, accountId: number, formerEmail: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('accounts')
    .set({ email: formerEmail, undo_email: null, undo_until: null, mail_refused_at: null })
    .where('id', '=', accountId)
    .where('undo_email', '=', formerEmail)
    .where('undo_until', '>', sql<number>`clock_timestamp()`)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await endSessionsOf(tx, accountId);
  await expireLogins(tx, accountId, 'new_address');
  return true;
}

async function lockAccount(
  tx: Kysely<Schema>,
  id: number,
): Promise<{ readonly email: string; readonly language: Language; readonly can_undo: boolean | null } | null> {
  const row = await tx
    .selectFrom('accounts')
    .select(['email', 'language'])
    .select(sql<boolean | null>`undo_until > clock_timestamp()`.as('can_undo'))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

async function isTaken(tx: Kysely<Schema>, accountId: number, email: string): Promise<boolean> {
  const { rows } = await sql`
    select from accounts where id <> ${accountId} and (lower(email) = ${emailKey(email)}
      or lower(undo_email) = ${emailKey(email)} and undo_until > clock_timestamp())`.execute(tx);
  return rows.length > 0;
}

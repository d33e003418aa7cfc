/** Deletes accounts with everything of them: one by its holder, those of an e-mail address, or all. Rule 43. */
import { type Kysely, sql } from 'kysely';
import { FINAL_STATUSES } from '../../domain/billing/subscription.ts';
import type { Language } from '../../domain/localized-text.ts';
import { mailboxKey } from '../../domain/mail/email-address.ts';
import type { Database } from '../connection/database.ts';
import type { Schema } from '../connection/schema.ts';
import { announceKeyChange, deleteKey, lockKeyChanges } from '../keys/keys.ts';
import { spendFreeKeys } from './free-keys.ts';
import { queueMailTo } from './mails.ts';

/** How many rows of each kind were deleted. Subscriptions at Stripe go on until somebody cancels them there. */
export type ErasedAccounts = {
  readonly accounts: number;
  readonly subscriptions: number;
  readonly orders: number;
  readonly mails: number;
  readonly logins: number;
};

/** An account, with the ids of its checkouts and subscriptions that have `ended` at Stripe. */
type AccountToDelete = { readonly accountId: number; readonly email: string; readonly ended: readonly string[] };

/**
 * Deletes keys first, so that every process refuses them within a second.
 *
 * @param email in upper or lower case; `null` = of everybody.
 */
export async function eraseAccounts(
  database: Database<Schema>,
  email: string | null,
): Promise<ErasedAccounts & { readonly keys: number }> {
  const ids = await accountIds(database.kysely, email);
  const keys = await database.kysely
    .selectFrom('api_keys')
    .select('id')
    .where('account_id', 'in', ids.length === 0 ? [0] : ids)
    .execute();
  for (const { id } of keys) await deleteKey(database, id);
  return database.transaction(async (tx) => {
    const isTheirs = (column: string) =>
      email === null ? sql`true` : sql`lower(${sql.ref(column)}) = lower(${email})`;
    const ofMailbox = email === null ? sql`true` : sql`mailbox = ${mailboxKey(email)}`;
    const ofAccount = email === null ? sql`true` : sql`account_id = any(${ids}::int[])`;
    return {
      keys: keys.length,
      subscriptions: await deleted(tx, sql`delete from billing_subscriptions where ${ofAccount}`),
      orders: await deleted(tx, sql`delete from orders where ${ofAccount} or (account_id is null and ${ofMailbox})`),
      mails: await deleted(
        tx,
        sql`delete from mails where ${ofAccount} or (account_id is null and ${isTheirs('recipient')})`,
      ),
      logins: await deleted(tx, sql`delete from logins where ${isTheirs('email')}`),
      accounts: await deleted(tx, sql`delete from accounts where ${isTheirs('email')} or ${isTheirs('undo_email')}`),
    };
  });
}

/**
 * Deletes an account as its holder asks for it. What was ordered stays as proof of the contract, without the account,
 * and a free key of this month as a hash of its mailbox. Acknowledgements of a withdrawal that wait are still sent. A
 * last mail tells its address, and the one before it while that could still have taken the account back; then they are
 * forgotten, too. False = another checkout or subscription has come since, which nobody would end any more: nothing was
 * deleted.
 */
export async function deleteAccount(
  database: Pick<Database<Schema>, 'transaction'>,
  { accountId, email, ended }: AccountToDelete,
  limit: { readonly withinMs: number },
): Promise<boolean> {
  return database.transaction(async (tx) => {
    await lockKeyChanges(tx);
    const account = await tx
      .selectFrom('accounts')
      .select('id')
      .where('id', '=', accountId)
      .forUpdate()
      .executeTakeFirst();
    // A second click comes after the last mail was queued.
    if (account === undefined) return true;
    if ((await runningAtStripe(tx, accountId)).some((id) => !ended.includes(id))) return false;
    await spendFreeKeys(tx, accountId);
    const keys = await tx.deleteFrom('api_keys').where('account_id', '=', accountId).returning('id').execute();
    for (const { id } of keys) await announceKeyChange(tx, id);
    // The contracts end now: for how long their orders are kept is counted from here.
    await sql`update orders set ended_at = clock_timestamp(), state = case state when 'open' then 'expired' else state end
      where account_id = ${accountId} and state <> 'expired'`.execute(tx);
    await sql`update mails set account_id = null, recipient = ${email}
      where account_id = ${accountId} and ${IS_DUE_ACKNOWLEDGEMENT}`.execute(tx);
    await sql`delete from mails
      where account_id is null and lower(recipient) = lower(${email}) and not (${IS_DUE_ACKNOWLEDGEMENT})`.execute(tx);
    await sql`delete from logins where lower(email) = lower(${email})`.execute(tx);
    const { rows } = await sql<{ language: Language; at: number; former: string | null }>`
      delete from accounts where id = ${accountId} returning language, clock_timestamp() as at,
        case when undo_until > clock_timestamp() then undo_email end as former`.execute(tx);
    for (const { language, at, former } of rows) {
      const contentFor = (isFormer: boolean) => ({ kind: 'account_deleted', at, isFormer }) as const;
      await queueMailTo(tx, { recipient: email, language }, contentFor(false), String(accountId));
      if (former !== null)
        await queueMailTo(tx, { recipient: former, language }, contentFor(true), `${accountId} former`);
    }
    return true;
  }, limit);
}

/** The checkouts and subscriptions of an account that is locked; its open orders get no checkout any more. */
async function runningAtStripe(tx: Kysely<Schema>, accountId: number): Promise<string[]> {
  const orders = await tx
    .selectFrom('orders')
    .select('session')
    .where('account_id', '=', accountId)
    .where('state', '=', 'open')
    .forUpdate()
    .execute();
  const subscriptions = await tx
    .selectFrom('billing_subscriptions')
    .select('id')
    .where('account_id', '=', accountId)
    .where('status', 'not in', [...FINAL_STATUSES])
    .execute();
  return [...orders.flatMap(({ session }) => session ?? []), ...subscriptions.map(({ id }) => id)];
}

/** Of mails: the law asks for it, whatever becomes of the account. */
const IS_DUE_ACKNOWLEDGEMENT = sql`kind = 'withdrawn' and state = 'waiting'`;

async function accountIds(db: Kysely<Schema>, email: string | null): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from accounts where ${email === null ? sql`true` : sql`lower(email) = lower(${email}) or lower(undo_email) = lower(${email})`}`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

async function deleted(tx: Kysely<Schema>, statement: ReturnType<typeof sql>): Promise<number> {
  const { numAffectedRows = 0n } = await statement.execute(tx);
  return Number(numAffectedRows);
}

/**
 * The queue of mails. A mail is queued in the transaction that makes its reason, once for each occasion, and holds no
 * secret: keys, links and codes are made while it is sent. Instants are epoch milliseconds by the database's clock.
 */
import { type Kysely, sql } from 'kysely';
import type { Language } from '../../domain/localized-text.ts';
import type { MailContent } from '../../domain/mail/mail-content.ts';
import { instant, type Schema } from '../connection/schema.ts';

/** Whom a mail is for; the address is read when it is sent. */
export type MailTo = { readonly accountId: number; readonly language: Language };

/** A mail to send now. */
export type DueMail = {
  readonly id: number;
  readonly accountId: number | null;
  readonly recipient: string;
  readonly language: Language;
  readonly content: MailContent;
  /** When it was to be sent first. */
  readonly plannedAt: number;
  /** Number of earlier attempts. */
  readonly tries: number;
};

export type MailEnd = 'sent' | 'refused' | 'expired';

/** Of mails: one that the relay refused or never took, with a key that should be served and that its holder has not. */
export const KEY_NOT_ARRIVED = `kind in ('key', 'free_key') and state in ('refused', 'expired')
  and exists (
    select from api_keys as key left join billing_subscriptions as billed on billed.key_id = key.id
    where key.id = (parameters->>'keyId')::int and key.revoked_at is null and billed.withdrawn_at is null
      and (billed.status is null or billed.status not in ('canceled', 'incomplete_expired')))
  and not exists (select from key_secrets where key_id = (parameters->>'keyId')::int and not is_mailed)`;

/** Kinds that somebody waits for in front of a screen: no others hold them up. */
const WAITED_FOR: readonly MailContent['kind'][] = [
  ...(['key', 'free_key', 'login', 'free_key_confirmation', 'new_address', 'withdrawn'] as const),
];
/** How long a mail that was taken is left to whoever took it; then another process may send it. */
const CLAIM_MS = 120_000;

/** Queues a mail; one of this kind and occasion that is queued already, or was sent, stays the only one. */
export async function queueMail(
  tx: Kysely<Schema>,
  { accountId, language }: MailTo,
  content: MailContent,
  { occasion, dueAt }: { readonly occasion: string; readonly dueAt?: number },
): Promise<void> {
  const { kind, ...parameters } = content;
  const due = dueAt === undefined ? sql`clock_timestamp()` : instant(dueAt);
  await sql`
    insert into mails (kind, account_id, recipient, language, occasion, parameters, created_at, planned_at, due_at, state)
    select ${kind}, id, email, ${language}, ${occasion}, ${JSON.stringify(parameters)}::jsonb, clock_timestamp(), ${due}, ${due}, 'waiting'
    from accounts where id = ${accountId}
    on conflict (kind, occasion) do nothing`.execute(tx);
}

/** Queues a mail to an address that has no account yet. */
export async function queueMailTo(
  tx: Kysely<Schema>,
  { recipient, language }: { readonly recipient: string; readonly language: Language },
  content: MailContent,
  occasion: string,
): Promise<void> {
  const { kind, ...parameters } = content;
  const now = sql<Date>`clock_timestamp()`;
  await tx
    .insertInto('mails')
    .values({
      ...{ kind, account_id: null, recipient, language, occasion, parameters: JSON.stringify(parameters) },
      ...{ created_at: now, planned_at: now, due_at: now, state: 'waiting' },
    })
    .onConflict((conflict) => conflict.columns(['kind', 'occasion']).doNothing())
    .execute();
}

/**
 * Takes the oldest due mail, of those that somebody waits for first, so that no other process sends it for two minutes;
 * each taking counts as an attempt. A process that dies while it sends leaves the mail to be taken again. `null` = none
 * is due.
 */
export async function takeDueMail(db: Kysely<Schema>): Promise<DueMail | null> {
  const { rows } = await sql<
    Omit<DueMail, 'content'> & { readonly kind: MailContent['kind']; readonly parameters: object }
  >`
    update mails set tries = tries + 1, due_at = clock_timestamp() + ${CLAIM_MS} * interval '1 millisecond'
    where id = (
      select id from mails where state = 'waiting' and due_at <= clock_timestamp() and recipient is not null
      order by kind <> all(${WAITED_FOR}), due_at, id limit 1 for update skip locked)
    returning id, kind, account_id as "accountId", language, parameters, planned_at as "plannedAt", tries - 1 as tries,
      coalesce((select email from accounts where accounts.id = account_id), recipient) as recipient`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  const { kind, parameters, ...mail } = row;
  return { ...mail, content: { kind, ...parameters } as MailContent };
}

/**
 * Records how a mail ended; `why` is a clause without the address. A refused one is told to its account, unless that
 * got another address meanwhile: then the mail is sent there.
 */
export async function finishMail(
  db: Kysely<Schema>,
  { id, accountId, recipient }: Pick<DueMail, 'id' | 'accountId' | 'recipient'>,
  state: MailEnd,
  why: string | null = null,
): Promise<void> {
  if (state === 'refused' && accountId !== null) {
    const { rows } = await sql`select from accounts where id = ${accountId} and email <> ${recipient}`.execute(db);
    if (rows.length > 0) return deferMail(db, id, 0, 'the account has another address now');
  }
  const now = sql<Date>`clock_timestamp()`;
  // What was never sent to somebody without an account need not be remembered of them, nor to whom the last mail went.
  const forgotten = sql<boolean>`account_id is null and (${state} = 'expired' or kind = 'account_deleted')`;
  await db
    .updateTable('mails')
    .set({ state, why, ended_at: now, recipient: sql`case when ${forgotten} then null else recipient end` })
    .where('id', '=', id)
    // Whoever took it after a process that hung has ended it already.
    .where('state', '=', 'waiting')
    .execute();
  if (accountId === null || state === 'expired') return;
  await db
    .updateTable('accounts')
    .set({ mail_refused_at: state === 'refused' ? now : null })
    .where('id', '=', accountId)
    .execute();
}

/** Leaves a mail for another attempt after `afterMs`. */
export async function deferMail(db: Kysely<Schema>, id: number, afterMs: number, why: string): Promise<void> {
  await db
    .updateTable('mails')
    .set({ why, due_at: sql<Date>`clock_timestamp() + ${afterMs} * interval '1 millisecond'` })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute();
}

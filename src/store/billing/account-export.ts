/** Everything that is stored of an account, for its holder. */
import { type Kysely, sql } from 'kysely';
import { emailKey } from '../../domain/mail/email-address.ts';
import { publicFailure } from '../../domain/webhooks/webhook.ts';
import type { Schema } from '../connection/schema.ts';
import { readKeyReportIn } from '../keys/key-usage-report.ts';
import { OLD_SECRET_UNTIL } from '../webhooks/webhook-rows.ts';

/** As JSON: the names are those of the tables, instants are ISO 8601, and secrets are left out. */
export async function exportAccount(tx: Kysely<Schema>, accountId: number): Promise<object> {
  const account = await tx
    .selectFrom('accounts')
    .select(['email', 'language', 'created_at', 'mail_refused_at', 'usage_mails', 'undo_email', 'undo_until'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const orders = await tx
    .selectFrom('orders')
    .select(['id', 'mailbox', 'plan', 'trial_days', 'language', 'terms_version', 'consented_at', 'state', 'ended_at'])
    .select(['withdrawn_at', 'refunded_at'])
    .where('account_id', '=', accountId)
    .orderBy('consented_at')
    .execute();
  const subscriptions = await tx
    .selectFrom('billing_subscriptions')
    .select(['id', 'customer', 'order_id', 'key_id', 'status', 'plan', 'trial_end', 'period_end', 'cancel_at'])
    .select(['fetched_at', 'past_due_since', 'disputed_at', 'withdrawn_at'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute();
  const mails = await tx
    .selectFrom('mails')
    .select(['kind', 'recipient', 'language', 'parameters', 'created_at', 'state', 'ended_at'])
    // Some concern the address alone, such as a login.
    .where(({ or, eb }) =>
      or([eb('account_id', '=', accountId), eb(sql`lower(recipient)`, '=', emailKey(account.email))]),
    )
    .orderBy('id')
    .execute();
  const logins = await tx
    .selectFrom('logins')
    .select(['email', 'purpose', 'language', 'created_at', 'expires_at', 'tries', 'used_at'])
    .where(({ or, eb }) => or([eb('account_id', '=', accountId), eb(sql`lower(email)`, '=', emailKey(account.email))]))
    .orderBy('id')
    .execute();
  const sessions = await tx
    .selectFrom('login_sessions')
    .select(['created_at', 'seen_at', 'expires_at'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .execute();
  const keys = await keysOf(tx, accountId);
  return withDates({ account, orders, subscriptions, keys, mails, logins, sessions }) as object;
}

async function keysOf(tx: Kysely<Schema>, accountId: number): Promise<object[]> {
  const keys = await tx
    .selectFrom('api_keys')
    .select(['id', 'plan', 'quota', 'cap', 'email', 'subscription', 'created_at', 'revoked_at'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute();
  const exported: object[] = [];
  for (const key of keys) {
    const secrets = await tx
      .selectFrom('key_secrets')
      .select(['last4', 'slot', 'created_at', 'expires_at'])
      .where('key_id', '=', key.id)
      .orderBy('created_at')
      .execute();
    const report = await readKeyReportIn(tx, key.id);
    const usage = report && {
      month: report.month,
      total: report.total,
      last_used_at: report.lastUsed,
      days: report.days,
    };
    exported.push({ ...key, secrets, usage, webhooks: await webhooksOf(tx, key.id) });
  }
  return exported;
}

async function webhooksOf(tx: Kysely<Schema>, key: number): Promise<object[]> {
  const webhooks = await tx
    .selectFrom('webhooks')
    .select(['id', 'url', 'fuel', 'county', 'city', 'network', 'stations', 'kinds', 'created_at', 'verified_at'])
    .select(['paused_at', 'stopped_at', 'stop_reason'])
    .select(OLD_SECRET_UNTIL)
    .where('key_id', '=', key)
    .orderBy('id')
    .execute();
  const exported: object[] = [];
  for (const webhook of webhooks) {
    const deliveries = await tx
      .selectFrom('webhook_deliveries')
      .select(['event', 'state', 'tries', 'http_status', 'failure', 'created_at', 'tried_at', 'due_at'])
      .where('webhook_id', '=', webhook.id)
      .orderBy('id')
      .execute();
    exported.push({
      ...webhook,
      deliveries: deliveries.map((delivery) => ({ ...delivery, failure: publicFailure(delivery.failure) })),
    });
  }
  return exported;
}

/** Names of columns and of parameters of mails. */
const INSTANT = /(_(at|end|until|since)|At|Until)$|^(at|until)$/;

/** The same with instants as text: columns hold epoch milliseconds. */
function withDates(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withDates);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      typeof each === 'number' && INSTANT.test(name) ? new Date(each).toISOString() : withDates(each),
    ]),
  );
}

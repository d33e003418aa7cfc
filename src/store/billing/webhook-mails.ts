/** Mails to the holders of webhooks: when sending has failed for hours, and when we stop it. */
import { type Kysely, sql } from 'kysely';
import type { Language } from '../../domain/localized-text.ts';
import { type DeliveryFailure, publicFailure, type StopReason } from '../../domain/webhooks/webhook.ts';
import type { Schema } from '../connection/schema.ts';
import { closedKeys } from '../webhooks/closed-keys.ts';
import { isSending } from '../webhooks/webhook-rows.ts';
import { queueMail } from './mails.ts';

/** Hours of failing after which the holder is told: a restart or a night's work on a server is no news. */
const FAILING_HOURS = 3;
/** A webhook that fails again and again is told of once in as many hours. */
const HOURS_BETWEEN = 24;
/** How long after it a stop is news, days: less than mails are remembered, so that none is told twice. */
const STOP_NEWS_DAYS = 7;

type Told = {
  readonly account: number;
  readonly language: Language;
  readonly webhook: number;
  readonly url: string;
  readonly failure: DeliveryFailure | null;
  readonly status: number | null;
};

/** Queues what is news, by the clock of the database. */
export async function queueWebhookMails(db: Kysely<Schema>): Promise<void> {
  await queueFailing(db);
  await queueStopped(db);
}

async function queueFailing(db: Kysely<Schema>): Promise<void> {
  const closed = await closedKeys(db, Date.now());
  const { rows } = await sql<Told & { delivery: number; since: number }>`
    select account.id as account, account.language, w.id as webhook, w.url, d.failure, d.http_status as status,
      d.id as delivery, d.created_at as since
    from webhook_deliveries d join webhooks w on w.id = d.webhook_id
    join api_keys holder on holder.id = w.key_id join accounts account on account.id = holder.account_id
    where d.state = 'waiting' and d.tries > 0 and ${isSending(closed)}
      and d.created_at < clock_timestamp() - ${FAILING_HOURS} * interval '1 hour'
      and not exists (
        select from mails told where told.kind = 'webhook_failing' and told.account_id = account.id
          and told.parameters->>'webhook' = w.id::text
          and told.created_at > clock_timestamp() - ${HOURS_BETWEEN} * interval '1 hour')`.execute(db);
  for (const { account, language, delivery, since, ...told } of rows)
    await queueMail(
      db,
      { accountId: account, language },
      { kind: 'webhook_failing', ...contentOf(told), delivery, since },
      { occasion: `${told.webhook} ${delivery}` },
    );
}

async function queueStopped(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<Told & { at: number; reason: StopReason }>`
    select account.id as account, account.language, w.id as webhook, w.url, last.failure, last.http_status as status,
      w.stopped_at as at, w.stop_reason as reason
    from webhooks w
    join api_keys holder on holder.id = w.key_id and holder.revoked_at is null
    join accounts account on account.id = holder.account_id
    left join lateral (
      select failure, http_status from webhook_deliveries d
      where d.webhook_id = w.id and d.event <> 'ping' order by d.id desc limit 1) last on true
    where w.stopped_at > clock_timestamp() - ${STOP_NEWS_DAYS} * interval '1 day'`.execute(db);
  for (const { account, language, at, reason, ...told } of rows)
    await queueMail(
      db,
      { accountId: account, language },
      { kind: 'webhook_stopped', ...contentOf(told), at, reason },
      { occasion: `${told.webhook} ${at}` },
    );
}

/** The host alone: the rest of an address may be a secret of its owner. */
function contentOf({ webhook, url, failure, status }: Omit<Told, 'account' | 'language'>) {
  return { webhook: String(webhook), host: new URL(url).host, failure: publicFailure(failure), httpStatus: status };
}

/** Whether a delivery still waits after a failure. */
export async function isStillFailing(db: Kysely<Schema>, delivery: number): Promise<boolean> {
  const { rows } = await sql`
    select from webhook_deliveries d join webhooks w on w.id = d.webhook_id
    where d.id = ${delivery} and d.state = 'waiting' and d.tries > 0 and w.paused_at is null`.execute(db);
  return rows.length > 0;
}

/** Whether a webhook is still stopped. */
export async function isStillStopped(db: Kysely<Schema>, webhook: string): Promise<boolean> {
  const { rows } = await sql`select from webhooks where id = ${webhook} and stopped_at is not null`.execute(db);
  return rows.length > 0;
}

/**
 * The webhooks of a key. Every call is for one key: of a webhook of another key it knows nothing, and answers `null`.
 * Times are epoch ms by the caller's clock. What takes a `tx` needs a transaction.
 */
import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Kysely, sql, type UpdateObject } from 'kysely';
import type { Cursor } from '../../domain/changes/cursor.ts';
import {
  MAX_OLD_SECRETS,
  MAX_WEBHOOKS,
  OLD_SECRET_MS,
  type Webhook,
  type WebhookChanges,
  type WebhookContent,
  type WebhookDelivery,
} from '../../domain/webhooks/webhook.ts';
import { instant, type Schema } from '../connection/schema.ts';
import { dropWaiting, tryAgain } from './webhook-outbox.ts';
import { columnsOf, deliveryOf, numberOf, OLD_SECRET_UNTIL, webhookOf, webhookRow } from './webhook-rows.ts';

/** Source: Standard Webhooks, "Signature scheme": 24 to 64 bytes. */
const SECRET_BYTES = 32;
/** Deliveries that are listed. */
const LISTED = 100;

export type NewSecret = { readonly webhook: Webhook; readonly secret: string };

/** The oldest first. */
export async function listWebhooks(db: Kysely<Schema>, key: number): Promise<Webhook[]> {
  const rows = await db
    .selectFrom('webhooks')
    .selectAll()
    .select(OLD_SECRET_UNTIL)
    .where('key_id', '=', key)
    .orderBy('id')
    .execute();
  return rows.map(webhookOf);
}

export async function findWebhook(db: Kysely<Schema>, key: number, id: string): Promise<Webhook | null> {
  const row = await webhookRow(db, key, id);
  return row === undefined ? null : webhookOf(row);
}

/** `too many` = the key has as many as it may. It is told of what changes from now on, once its address is verified. */
export async function createWebhook(
  tx: Kysely<Schema>,
  key: number,
  { url, kinds, filter }: WebhookContent,
  now: number,
): Promise<NewSecret | 'too many'> {
  // Two requests at a time would make one too many.
  await sql`select from api_keys where id = ${key} for no key update`.execute(tx);
  if ((await listWebhooks(tx, key)).length >= MAX_WEBHOOKS) return 'too many';
  const { rows } = await sql<{ epoch: string | null; seq: number }>`select epoch, seq from change_feed`.execute(tx);
  const { epoch = null, seq = 0 } = rows[0] ?? {};
  const secret = randomBytes(SECRET_BYTES);
  const row = await tx
    .insertInto('webhooks')
    .values({
      ...{ key_id: key, secret, created_at: new Date(now), epoch, position: seq },
      ...{ url, kinds: [...kinds], ...columnsOf({ filter }) },
    })
    .returningAll()
    .returning(OLD_SECRET_UNTIL)
    .executeTakeFirstOrThrow();
  return { webhook: webhookOf(row), secret: secretText(secret) };
}

/**
 * Changes a webhook, in a transaction. A new address has to be verified again; what waits is tried there at once, and
 * so it is when a pause ends. Another filter makes another delivery of what waits.
 */
export async function changeWebhook(
  tx: Kysely<Schema>,
  key: number,
  id: string,
  { paused, ...content }: WebhookChanges,
  now: number,
): Promise<Webhook | null> {
  const row = await webhookRow(tx, key, id, 'locked');
  if (row === undefined) return null;
  const { url, ...admitting } = columnsOf(content);
  const hasMoved = url !== undefined && url !== row.url;
  const isRevised = !isDeepStrictEqual({ ...row, ...admitting }, row);
  const webhook = await updateWebhook(tx, key, id, {
    // An update has to set something.
    ...{ key_id: key, ...admitting },
    ...(hasMoved && { url, verified_at: null }),
    ...(isRevised && { revision: row.revision + 1, scanned: null, found: 0 }),
    ...(paused !== undefined && { paused_at: paused ? sql<Date>`coalesce(paused_at, ${new Date(now)})` : null }),
  });
  if (isRevised) await dropWaiting(tx, row.id);
  else if (hasMoved || (paused === false && row.paused_at !== null)) await tryAgain(tx, row.id, now);
  return webhook;
}

/** Whether there was one. */
export async function deleteWebhook(db: Kysely<Schema>, key: number, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('webhooks')
    .where('key_id', '=', key)
    .where('id', '=', numberOf(id))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * Makes a new secret; the earlier one signs, too, for a day, as do those before it whose day is not over. `too many` =
 * so many of them sign that none may be added.
 */
export async function renewWebhookSecret(
  tx: Kysely<Schema>,
  key: number,
  id: string,
  now: number,
): Promise<NewSecret | 'too many' | null> {
  // Of two requests at a time the second renews what the first has made.
  const before = await webhookRow(tx, key, id, 'locked');
  if (before === undefined) return null;
  await tx
    .deleteFrom('webhook_old_secrets')
    .where('webhook_id', '=', before.id)
    .where('until', '<=', instant(now))
    .execute();
  const until = new Date(now + OLD_SECRET_MS);
  const { rows } = await sql<object>`
    insert into webhook_old_secrets (webhook_id, secret, until)
    select ${before.id}, ${before.secret}, ${until}
    where (select count(*) from webhook_old_secrets where webhook_id = ${before.id}) < ${MAX_OLD_SECRETS}
    returning until`.execute(tx);
  if (rows.length === 0) return 'too many';
  const secret = randomBytes(SECRET_BYTES);
  const webhook = await updateWebhook(tx, key, id, { secret });
  return webhook && { webhook, secret: secretText(secret) };
}

/**
 * Sends everything after a place of the feed, whether it was sent before or not, instead of what waits; from now on, if
 * the place was not told yet.
 */
export async function replayWebhook(
  tx: Kysely<Schema>,
  key: number,
  id: string,
  { epoch, seq }: Pick<Cursor, 'epoch' | 'seq'>,
): Promise<Webhook | null> {
  // After a place beyond the feed nothing would be sent until the feed has got there.
  const position = sql<number>`least(${seq}::bigint, (select seq from change_feed))`;
  const webhook = await updateWebhook(tx, key, id, { epoch, position, scanned: null, found: 0 });
  if (webhook !== null) await dropWaiting(tx, numberOf(id));
  return webhook;
}

/** Makes the delivery that waits after a failure due, with all its tries before it; whether there is one. */
export async function tryNow(tx: Kysely<Schema>, key: number, id: string, now: number): Promise<boolean> {
  const row = await webhookRow(tx, key, id, 'locked');
  return row !== undefined && tryAgain(tx, row.id, now);
}

/** The last deliveries, newest first. */
export async function listDeliveries(db: Kysely<Schema>, key: number, id: string): Promise<WebhookDelivery[] | null> {
  if ((await findWebhook(db, key, id)) === null) return null;
  const rows = await db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_id', '=', numberOf(id))
    .orderBy('id', 'desc')
    .limit(LISTED)
    .execute();
  return rows.map(deliveryOf);
}

type Columns = UpdateObject<Schema, 'webhooks', 'webhooks'>;

async function updateWebhook(db: Kysely<Schema>, key: number, id: string, columns: Columns): Promise<Webhook | null> {
  const row = await db
    .updateTable('webhooks')
    .set(columns)
    .where('key_id', '=', key)
    .where('id', '=', numberOf(id))
    .returningAll()
    .returning(OLD_SECRET_UNTIL)
    .executeTakeFirst();
  return row === undefined ? null : webhookOf(row);
}

function secretText(secret: Buffer): string {
  return `whsec_${secret.toString('base64')}`;
}

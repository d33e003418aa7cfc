/**
 * The webhooks of a key. Every call is for one key: of a webhook of another key it knows nothing, and answers `null`.
 * Times are epoch ms by the caller's clock. What takes a `tx` needs a transaction.
 */
import { randomBytes } from 'node:crypto';
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

/** A new address has to be verified again. */
export async function changeWebhook(
  db: Kysely<Schema>,
  key: number,
  id: string,
  { paused, ...content }: WebhookChanges,
  now: number,
): Promise<Webhook | null> {
  const { url } = content;
  return updateWebhook(db, key, id, {
    // An update has to set something.
    key_id: key,
    ...columnsOf(content),
    ...(url !== undefined && { verified_at: sql<Date | null>`case when url = ${url} then verified_at end` }),
    ...(paused !== undefined && { paused_at: paused ? sql<Date>`coalesce(paused_at, ${new Date(now)})` : null }),
  });
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
  await sql`select from webhooks where id = ${numberOf(id)} for no key update`.execute(tx);
  const before = await webhookRow(tx, key, id);
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

/** Sends everything after a place of the feed, whether it was sent before or not. */
export async function replayWebhook(
  tx: Kysely<Schema>,
  key: number,
  id: string,
  { epoch, seq }: Pick<Cursor, 'epoch' | 'seq'>,
): Promise<Webhook | null> {
  const webhook = await updateWebhook(tx, key, id, { epoch, position: seq });
  // What waits, or is under way, does not move the place any more.
  if (webhook !== null)
    await tx
      .deleteFrom('webhook_deliveries')
      .where('webhook_id', '=', numberOf(id))
      .where('state', '=', 'waiting')
      .execute();
  return webhook;
}

/** Makes the delivery that waits after a failure due, with all its tries before it; whether there is one. */
export async function tryNow(db: Kysely<Schema>, key: number, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('webhook_deliveries')
    .set({ due_at: new Date(now), tries: 0 })
    .where('state', '=', 'waiting')
    .where('tries', '>', 0)
    .where('webhook_id', 'in', (own) =>
      own.selectFrom('webhooks').select('id').where('key_id', '=', key).where('id', '=', numberOf(id)),
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
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

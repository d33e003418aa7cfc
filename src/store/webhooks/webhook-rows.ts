/** Webhooks and deliveries as rows. */
import { hash } from 'node:crypto';
import { type Kysely, type Selectable, sql } from 'kysely';
import { cursorText } from '../../domain/changes/cursor.ts';
import { FUELS, type Fuel } from '../../domain/fuel.ts';
import type { Webhook, WebhookContent, WebhookDelivery, WebhookState } from '../../domain/webhooks/webhook.ts';
import { instant, type Schema } from '../connection/schema.ts';

/** Whether earlier secrets sign is by the clock of the database. */
export type WebhookRow = Selectable<Schema['webhooks']> & { old_secret_until: number | null };
export type DeliveryRow = Selectable<Schema['webhook_deliveries']>;

/** Until when an earlier secret signs; a column beside those of `webhooks`. */
export const OLD_SECRET_UNTIL = sql<number | null>`(
  select max(old.until) from webhook_old_secrets old
  where old.webhook_id = webhooks.id and old.until > clock_timestamp())`.as('old_secret_until');

/** Of a webhook `w`: the secrets that sign at a moment, the present one first, the latest of the earlier ones next. */
export function signingSecrets(now: number) {
  return sql<Buffer[]>`array[w.secret] || array(
    select old.secret from webhook_old_secrets old
    where old.webhook_id = w.id and old.until > ${instant(now)} order by old.until desc)`;
}

export function webhookOf(row: WebhookRow): Webhook {
  const { id, url, county, city, network, stations, kinds, epoch } = row;
  return {
    ...{ id: String(id), url, kinds, state: stateOf(row), isPaused: row.paused_at !== null },
    filter: { fuel: row.fuel === null ? null : (FUELS[row.fuel] as Fuel), county, city, network, stations },
    ...{ stopReason: row.stop_reason, createdAt: row.created_at, verifiedAt: row.verified_at },
    ...{
      stoppedAt: row.stopped_at,
      oldSecretUntil: row.old_secret_until,
      secretFingerprint: fingerprintOf(row.secret),
    },
    cursor: epoch === null ? null : cursorText({ epoch, seq: row.position, ahead: null }),
  };
}

/** 32 bits of a hash: too few to find 256 random bits by. */
function fingerprintOf(secret: Buffer): string {
  return hash('sha256', secret).slice(0, 8);
}

function stateOf({ stopped_at, verified_at, paused_at }: WebhookRow): WebhookState {
  if (stopped_at !== null) return 'stopped';
  if (verified_at === null) return 'unverified';
  return paused_at === null ? 'active' : 'paused';
}

/** Which webhooks are sent changes: verified, not paused or stopped, of a key that is not revoked or among `closed`. */
export function isSending(closed: readonly number[]) {
  return sql<boolean>`
    w.verified_at is not null and w.paused_at is null and w.stopped_at is null
    and exists (select from api_keys key where key.id = w.key_id and key.revoked_at is null)
    and w.key_id <> all (${closed}::integer[])`;
}

/** The columns that hold a content, or the part of it that is to be changed. */
export function columnsOf({ url, filter, kinds }: Partial<WebhookContent>) {
  return {
    ...(url !== undefined && { url }),
    ...(kinds !== undefined && { kinds: [...kinds] }),
    ...(filter !== undefined && {
      fuel: filter.fuel === null ? null : FUELS.indexOf(filter.fuel),
      ...{ county: filter.county, city: filter.city, network: filter.network },
      stations: filter.stations === null ? null : [...filter.stations],
    }),
  };
}

export function deliveryOf(row: DeliveryRow): WebhookDelivery {
  const { event, state, tries, failure } = row;
  return {
    ...{ id: messageId(row), event, state, tries, httpStatus: row.http_status, failure },
    ...{ createdAt: row.created_at, triedAt: row.tried_at, nextTryAt: row.due_at },
  };
}

/**
 * The header `webhook-id`: the same however often a delivery is tried, and for the same changes sent again by a replay.
 * A changed filter makes other ids. What has no changes has an id of its own.
 */
export function messageId(row: MessageFields): string {
  const { webhook_id, event, epoch, after_seq, end_seq, revision } = row;
  if (event !== 'changes') return `${webhook_id}-${event === 'ping' ? 'ping' : 'reluare'}-${row.id}`;
  return [webhook_id, revision, epoch, ...[after_seq, end_seq].map((seq) => seq.toString(36))].join('-');
}

type MessageFields = Pick<DeliveryRow, 'id' | 'webhook_id' | 'event' | 'epoch' | 'after_seq' | 'end_seq' | 'revision'>;

/** A webhook of a key; `undefined` = the key has none with this id. */
export function webhookRow(
  db: Kysely<Schema>,
  key: number,
  id: string,
  access: 'read' | 'locked' = 'read',
): Promise<WebhookRow | undefined> {
  return db
    .selectFrom('webhooks')
    .selectAll()
    .select(OLD_SECRET_UNTIL)
    .where('key_id', '=', key)
    .where('id', '=', numberOf(id))
    .$if(access === 'locked', (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
}

/** -1 = no number of any webhook. */
export function numberOf(id: string): number {
  return /^[1-9]\d{0,14}$/.test(id) ? Number(id) : -1;
}

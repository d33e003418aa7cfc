/** What the API and the account page ask of webhooks. Calls reject with `DatabaseUnavailable` on an outage. */
import type { Cursor } from '../../domain/changes/cursor.ts';
import type { ChangeKind } from '../../domain/changes/served-change.ts';
import type { Fuel } from '../../domain/fuel.ts';

/** `null` leaves nothing out. */
export type WebhookFilter = {
  readonly fuel: Fuel | null;
  /** Plate code. */
  readonly county: string | null;
  /** Slugs. */
  readonly city: string | null;
  readonly network: string | null;
  readonly stations: readonly string[] | null;
};

export type WebhookState = 'unverified' | 'active' | 'paused' | 'stopped';
/** Why we stopped sending: the address answered 410, or nothing else for so long. */
export type StopReason = 'gone' | 'failing';

/** A webhook of a key; times are epoch ms. */
export type Webhook = {
  readonly id: string;
  readonly url: string;
  readonly filter: WebhookFilter;
  readonly kinds: readonly ChangeKind[];
  readonly state: WebhookState;
  readonly stopReason: StopReason | null;
  readonly createdAt: number;
  readonly verifiedAt: number | null;
  readonly stoppedAt: number | null;
  /** Up to where everything is delivered; `null` = nothing was yet. */
  readonly cursor: string | null;
  /** Until when the earlier secret signs, too. */
  readonly oldSecretUntil: number | null;
};

export type DeliveryFailure =
  | 'unknown host'
  | 'private address'
  | 'connection'
  | 'certificate'
  | 'timeout'
  | 'redirect'
  | 'status';

/** What was sent, or is to be; times are epoch ms. */
export type WebhookDelivery = {
  /** The header `webhook-id`. */
  readonly id: string;
  readonly event: 'ping' | 'changes' | 'restart';
  readonly state: 'waiting' | 'delivered' | 'given up';
  readonly tries: number;
  /** Of the last answer. */
  readonly httpStatus: number | null;
  readonly failure: DeliveryFailure | null;
  readonly createdAt: number;
  readonly triedAt: number | null;
  readonly nextTryAt: number | null;
};

type WebhookContent = Pick<Webhook, 'url' | 'filter' | 'kinds'>;
export type WebhookChanges = Partial<WebhookContent> & { readonly paused?: boolean };

/** Every call is for one key: of a webhook of another key it knows nothing, and answers `null`. */
export type WebhookService = {
  list(key: number): Promise<readonly Webhook[]>;
  find(key: number, id: string): Promise<Webhook | null>;
  /** `too many` = the key has as many as it may. The secret is in no other answer. */
  create(key: number, content: WebhookContent): Promise<{ webhook: Webhook; secret: string } | 'too many'>;
  /** A new address has to be verified again. */
  change(key: number, id: string, changes: WebhookChanges): Promise<Webhook | null>;
  /** Whether there was one. */
  delete(key: number, id: string): Promise<boolean>;
  /** Sends a signed ping and tells what came of it; success verifies the address, and starts one that we stopped. */
  ping(key: number, id: string): Promise<{ webhook: Webhook; delivery: WebhookDelivery } | null>;
  /** The last ones, newest first. */
  deliveries(key: number, id: string): Promise<readonly WebhookDelivery[] | null>;
  /** Sends everything after a place of the feed again. */
  replay(key: number, id: string, after: Cursor): Promise<Webhook | null>;
  /** Both secrets sign for a day. */
  renewSecret(key: number, id: string): Promise<{ webhook: Webhook; secret: string } | null>;
};

/** Webhooks that one key may have. */
export const MAX_WEBHOOKS = 5;
/** Characters of an address. */
export const MAX_URL_LENGTH = 500;

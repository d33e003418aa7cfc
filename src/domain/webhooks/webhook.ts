/** Webhooks: addresses of the holders of keys that are told of changes, and what they are sent. */
import type { ChangeKind } from '../changes/served-change.ts';
import type { Fuel } from '../fuel.ts';

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
  /** Whether its holder paused it, which counts once it is verified and not stopped. */
  readonly isPaused: boolean;
  readonly stopReason: StopReason | null;
  readonly createdAt: number;
  readonly verifiedAt: number | null;
  readonly stoppedAt: number | null;
  /** Up to where everything is delivered; `null` = nothing was yet. */
  readonly cursor: string | null;
  /** Until when an earlier secret signs, too. */
  readonly oldSecretUntil: number | null;
  /** Another one for each secret, of which it tells nothing. */
  readonly secretFingerprint: string;
};

export type DeliveryFailure =
  | 'unknown host'
  | 'private address'
  | 'connection'
  | 'certificate'
  | 'timeout'
  | 'redirect'
  | 'status';

/** What is told of a failure to others than the operator: not which names a private network has. */
export function publicFailure(failure: DeliveryFailure | null): DeliveryFailure | null {
  return failure === 'private address' ? 'unknown host' : failure;
}

export type WebhookEvent = 'ping' | 'changes' | 'restart';

/** What was sent, or is to be; times are epoch ms. */
export type WebhookDelivery = {
  /** The header `webhook-id`. */
  readonly id: string;
  readonly event: WebhookEvent;
  readonly state: 'waiting' | 'delivered' | 'given up';
  readonly tries: number;
  /** Of the last answer. */
  readonly httpStatus: number | null;
  readonly failure: DeliveryFailure | null;
  readonly createdAt: number;
  readonly triedAt: number | null;
  readonly nextTryAt: number | null;
};

export type WebhookContent = Pick<Webhook, 'url' | 'filter' | 'kinds'>;
export type WebhookChanges = Partial<WebhookContent> & { readonly paused?: boolean };

/** Stations in one filter. */
export const MAX_FILTER_STATIONS = 100;
/** Webhooks that one key may have. */
export const MAX_WEBHOOKS = 5;
/** How long an earlier secret signs beside a new one. */
export const OLD_SECRET_MS = 86_400_000;
/** Earlier secrets that sign at a time, each until its own time is over. */
export const MAX_OLD_SECRETS = 4;
/** Changes that one delivery has at most; of more it has only the number. */
export const MAX_CHANGES_SENT = 50;
/** Characters of an address. */
export const MAX_URL_LENGTH = 500;

/** What is done with webhooks within an hour by one key, in each process. */
export const WEBHOOK_LIMITS = { change: 60, ping: 10, replay: 5 } as const;
export type WebhookAction = keyof typeof WEBHOOK_LIMITS;

/** Why nothing can be sent to an address. */
export type AddressFault =
  | 'too long'
  | 'not an address'
  | 'not https'
  | 'credentials'
  | 'port'
  | 'fragment'
  | 'not public'
  | 'ip';

/**
 * Why a filter is refused: nothing served has a name in it, several cities have it (`choices`: their slugs), the city
 * is in another county, a station is none (`choices`: its id), or the kinds are those that the filter leaves out.
 */
export type FilterFault =
  | { readonly field: 'county' | 'network' | 'city in county' | 'kinds'; readonly choices: readonly [] }
  | { readonly field: 'city' | 'stations'; readonly choices: readonly string[] };

/** Kinds of changes that are of a station, and of no fuel. */
const KINDS_WITHOUT_FUEL: readonly ChangeKind[] = ['station added', 'station removed'];

/** Whether no change has both the fuel of a filter and one of the kinds. */
export function leavesOutAllKinds({ filter, kinds }: Pick<WebhookContent, 'filter' | 'kinds'>): boolean {
  return filter.fuel !== null && kinds.every((kind) => KINDS_WITHOUT_FUEL.includes(kind));
}

/** Webhooks in the words of the contract. */
import type { ChangeKind } from '../../domain/changes/served-change.ts';
import { isoInstant } from '../../domain/days.ts';
import { FUEL_CODE } from '../../domain/fuel-codes.ts';
import type {
  DeliveryFailure,
  StopReason,
  Webhook,
  WebhookDelivery,
  WebhookState,
} from '../../domain/webhooks/webhook.ts';
import { CHANGE_CODE } from '../contract/change-words.ts';
import type {
  DELIVERY_STATE_CODES,
  DeliveryJson,
  EVENT_CODES,
  FAILURE_CODES,
  STOP_CODES,
  WEBHOOK_STATE_CODES,
  WebhookJson,
} from '../contract/webhook-schemas.ts';

const STATE_CODE = {
  unverified: 'neverificat',
  active: 'activ',
  paused: 'pauza',
  stopped: 'oprit',
} as const satisfies Record<WebhookState, (typeof WEBHOOK_STATE_CODES)[number]>;

const STOP_CODE = { gone: 'refuzat', failing: 'esecuri' } as const satisfies Record<
  StopReason,
  (typeof STOP_CODES)[number]
>;

const EVENT_CODE = { ping: 'ping', changes: 'modificari', restart: 'reluare' } as const satisfies Record<
  WebhookDelivery['event'],
  (typeof EVENT_CODES)[number]
>;

const DELIVERY_STATE_CODE = {
  waiting: 'in_asteptare',
  delivered: 'livrata',
  'given up': 'renuntata',
} as const satisfies Record<WebhookDelivery['state'], (typeof DELIVERY_STATE_CODES)[number]>;

const FAILURE_CODE = {
  'unknown host': 'adresa_negasita',
  // One word for both: which names a private network has is nobody's business.
  'private address': 'adresa_negasita',
  connection: 'conexiune',
  certificate: 'certificat',
  timeout: 'timp_depasit',
  redirect: 'redirectionare',
  status: 'raspuns',
} as const satisfies Record<DeliveryFailure, (typeof FAILURE_CODES)[number]>;

/** The kinds of changes by their words. */
export const KIND_OF_CODE: ReadonlyMap<string, ChangeKind> = new Map(
  Object.entries(CHANGE_CODE).map(([kind, code]) => [code, kind as ChangeKind]),
);

export function webhookJson(webhook: Webhook): WebhookJson {
  const {
    id,
    url,
    filter,
    kinds,
    state,
    isPaused,
    stopReason,
    createdAt,
    verifiedAt,
    stoppedAt,
    cursor,
    oldSecretUntil,
  } = webhook;
  return {
    id,
    url,
    filtru: {
      tip: filter.fuel === null ? null : FUEL_CODE[filter.fuel],
      judet: filter.county,
      oras: filter.city,
      brand: filter.network,
      statii: filter.stations === null ? null : [...filter.stations],
    },
    fel: kinds.map((kind) => CHANGE_CODE[kind]),
    stare: STATE_CODE[state],
    pauza: isPaused,
    motiv_oprire: stopReason === null ? null : STOP_CODE[stopReason],
    creat_la: isoInstant(createdAt),
    verificat_la: instantOrNull(verifiedAt),
    oprit_la: instantOrNull(stoppedAt),
    cursor,
    secret_vechi_pana_la: instantOrNull(oldSecretUntil),
  };
}

export function deliveryJson(delivery: WebhookDelivery): DeliveryJson {
  const { id, event, state, tries, httpStatus, failure, createdAt, triedAt, nextTryAt } = delivery;
  return {
    id,
    fel: EVENT_CODE[event],
    stare: DELIVERY_STATE_CODE[state],
    incercari: tries,
    raspuns: httpStatus,
    esec: failure === null ? null : FAILURE_CODE[failure],
    creata_la: isoInstant(createdAt),
    incercata_la: instantOrNull(triedAt),
    urmatoarea_la: instantOrNull(nextTryAt),
  };
}

const instantOrNull = (at: number | null) => (at === null ? null : isoInstant(at));

/** The mock's webhooks: one, `1`, whatever was sent before; nothing is stored, and nothing is sent to anybody. */

import type { WebhookDependencies } from '../../api/webhooks/webhook-dependencies.ts';
import { cursorText } from '../../domain/changes/cursor.ts';
import { CHANGE_KINDS } from '../../domain/changes/served-change.ts';
import type { Webhook, WebhookDelivery } from '../../domain/webhooks/webhook.ts';
import { MOCK_EPOCH } from './mock-changes.ts';
import { MOCK_NOW } from './mock-moment.ts';

const HOUR_MS = 3_600_000;
const SECRET = `whsec_${Buffer.alloc(24, 'pompa').toString('base64')}`;
const PLACE = { epoch: MOCK_EPOCH, ahead: null };

const KNOWN: Webhook = {
  id: '1',
  url: 'https://exemplu.ro/pompa',
  filter: { fuel: 'diesel', county: 'CJ', city: null, network: null, stations: null },
  kinds: CHANGE_KINDS,
  state: 'active',
  isPaused: false,
  stopReason: null,
  createdAt: MOCK_NOW - 48 * HOUR_MS,
  verifiedAt: MOCK_NOW - 47 * HOUR_MS,
  stoppedAt: null,
  cursor: cursorText({ ...PLACE, seq: 12 }),
  oldSecretUntil: null,
  secretFingerprint: 'mock',
};
const NEW: Partial<Webhook> = { id: '2', state: 'unverified', createdAt: MOCK_NOW, verifiedAt: null, cursor: null };

const PING: WebhookDelivery = {
  id: '1-ping-3',
  event: 'ping',
  state: 'delivered',
  tries: 1,
  httpStatus: 204,
  failure: null,
  createdAt: MOCK_NOW,
  triedAt: MOCK_NOW,
  nextTryAt: null,
};
const DELIVERIES: readonly WebhookDelivery[] = [
  {
    ...PING,
    id: `1-0-${MOCK_EPOCH}-b-c`,
    event: 'changes',
    state: 'waiting',
    tries: 2,
    httpStatus: 503,
    failure: 'status',
    createdAt: MOCK_NOW - HOUR_MS,
    triedAt: MOCK_NOW - 55 * 60_000,
    nextTryAt: MOCK_NOW + 60_000,
  },
  { ...PING, createdAt: MOCK_NOW - 47 * HOUR_MS, triedAt: MOCK_NOW - 47 * HOUR_MS },
];

const ifKnown = <T>(id: string, value: T): Promise<T | null> => Promise.resolve(id === KNOWN.id ? value : null);

export const MOCK_WEBHOOKS: WebhookDependencies = {
  service: {
    list: () => Promise.resolve([KNOWN]),
    find: (_, id) => ifKnown(id, KNOWN),
    create: (_, content) => Promise.resolve({ webhook: { ...KNOWN, ...NEW, ...content }, secret: SECRET }),
    change: (_, id, { paused, ...content }) =>
      ifKnown(id, { ...KNOWN, ...content, ...(paused && { state: 'paused' as const, isPaused: true }) }),
    delete: (_, id) => Promise.resolve(id === KNOWN.id),
    ping: (_, id) => ifKnown(id, { webhook: KNOWN, delivery: PING }),
    tryNow: (_, id) => Promise.resolve(id === KNOWN.id),
    deliveries: (_, id) => ifKnown(id, DELIVERIES),
    replay: (_, id, after) => ifKnown(id, { ...KNOWN, cursor: cursorText(after) }),
    renewSecret: (_, id) =>
      ifKnown(id, { webhook: { ...KNOWN, oldSecretUntil: MOCK_NOW + 24 * HOUR_MS }, secret: SECRET }),
  },
  limits: () => 0,
  allowedOrigins: [],
};

/** Webhooks over a real database, a sender and receivers; the time passes as the test says. */
import type { TestContext } from 'node:test';
import { sql } from 'kysely';
import { webhookBody } from '../../../src/api/webhooks/webhook-bodies.ts';
import { createWebhookService } from '../../../src/app/webhooks/stored-webhooks.ts';
import { createWebhookSender } from '../../../src/clients/webhook-sender.ts';
import type { WebhookContent, WebhookDelivery, WebhookFilter } from '../../../src/domain/webhooks/webhook.ts';
import { createKey } from '../../../src/store/keys/keys.ts';
import { deliverToWebhooks, type WebhookJob } from '../../../src/worker/webhooks/deliver-webhooks.ts';
import type { TestDatabase } from '../database/test-database.ts';
import { tell } from './stored-feed.ts';
import { type ReceivedMessage, WebhookReceiver } from './webhook-receiver.ts';

export const ALL: WebhookFilter = { fuel: null, county: null, city: null, network: null, stations: null };
export const EPOCH = 'epoch_01';
const KEY = { plan: 'business', quota: null, email: null, subscription: null } as const;

/** Leaves no webhook, and a feed without changes. */
export async function emptyFeed(database: TestDatabase): Promise<void> {
  await sql`truncate webhooks, served_changes, served_states, served_prices, api_keys cascade`.execute(database.kysely);
  await sql`update change_feed set epoch = null, seq = 0, states = 0, version = 0`.execute(database.kysely);
  await tell(database, [], { epoch: EPOCH });
}

export async function webhookWorld(t: TestContext, database: TestDatabase, { timeoutMs = 2_000 } = {}) {
  const receiver = await WebhookReceiver.during(t);
  const allowedOrigins = [receiver.origin];
  const sender = createWebhookSender({ allowedOrigins, userAgent: 'test', timeoutMs, clock: Date.now });
  t.after(() => sender.close());
  /** Epoch ms; the receivers verify the time of a signature, so this starts at the present. */
  const time = { now: Date.now() };
  const service = createWebhookService(database, sender, () => time.now);
  const newKey = async () => (await createKey(database, KEY)).id;
  const key = await newKey();
  const lines: string[] = [];
  const log = { info: (line: string) => void lines.push(line), warn: (line: string) => void lines.push(line) };
  const job: WebhookJob = {
    ...{ db: database.kysely, holder: 'test', leaseMs: 30_000, clock: () => time.now, random: () => 0.5 },
    ...{ write: webhookBody, send: sender.send, log },
  };
  /** Makes a webhook, and verifies it unless the receiver answers otherwise. */
  const make = async (content: Partial<WebhookContent> = {}, of = key) => {
    const made = await service.create(of, { url: `${receiver.origin}/`, filter: ALL, kinds: ['price'], ...content });
    if (made === 'too many') throw new Error(made);
    receiver.secret ??= made.secret;
    await service.ping(of, made.webhook.id);
    return made;
  };
  return {
    ...{ receiver, allowedOrigins, service, key, newKey, make, time, lines, job },
    deliver: (changed: Partial<WebhookJob> = {}, signal = new AbortController().signal) =>
      deliverToWebhooks({ ...job, ...changed }, signal),
    state: async (id: string) => (await service.find(key, id))?.state,
    cursor: async (id: string) => (await service.find(key, id))?.cursor,
    /** The last one. */
    delivery: async (id: string): Promise<WebhookDelivery | undefined> => (await service.deliveries(key, id))?.[0],
  };
}

/** What was received but for pings. */
export const toldIn = ({ received }: WebhookReceiver): ReceivedMessage[] =>
  received.filter(({ payload }) => payload.type !== 'ping');

/** Webhooks in memory: nothing is sent; the test says what a ping comes to. */

import type { WebhookService } from '../../../src/api/webhooks/webhook-service.ts';
import { type Cursor, cursorText } from '../../../src/domain/changes/cursor.ts';
import { MAX_WEBHOOKS, type Webhook, type WebhookDelivery } from '../../../src/domain/webhooks/webhook.ts';
import { NOON } from '../builders/snapshot-builders.ts';

const DAY_MS = 86_400_000;

/** Of a verified webhook. */
const stateOf = (isPaused: boolean) => (isPaused ? 'paused' : 'active');

export class FakeWebhooks implements WebhookService {
  /** What the next pings come to. */
  pingOutcome: Partial<WebhookDelivery> = { state: 'delivered', httpStatus: 204 };
  /** Whether no secret may be added. */
  hasManySecrets = false;
  readonly replays: Cursor[] = [];
  /** Webhooks whose waiting delivery was to be tried at once. */
  readonly triedNow: string[] = [];
  readonly #owned = new Map<string, { key: number; webhook: Webhook; deliveries: WebhookDelivery[] }>();
  #made = 0;

  async list(key: number) {
    return [...this.#owned.values()].filter((each) => each.key === key).map(({ webhook }) => webhook);
  }

  async find(key: number, id: string) {
    return this.#get(key, id)?.webhook ?? null;
  }

  async create(key: number, content: Parameters<WebhookService['create']>[1]) {
    if ((await this.list(key)).length >= MAX_WEBHOOKS) return 'too many' as const;
    this.#made += 1;
    const id = String(this.#made);
    const webhook: Webhook = {
      ...{ id, ...content, state: 'unverified', isPaused: false, stopReason: null, createdAt: NOON, verifiedAt: null },
      ...{ stoppedAt: null, cursor: null, oldSecretUntil: null, secretFingerprint: 'a' },
    };
    this.#owned.set(id, { key, webhook, deliveries: [] });
    return { webhook, secret: `whsec_${id}` };
  }

  async change(key: number, id: string, { paused, ...content }: Parameters<WebhookService['change']>[2]) {
    return this.#update(key, id, (webhook) => ({
      ...{ ...webhook, ...content },
      ...(content.url !== undefined && { state: 'unverified' as const, verifiedAt: null }),
      ...(paused !== undefined && { isPaused: paused }),
      ...(paused !== undefined && webhook.verifiedAt !== null && { state: stateOf(paused) }),
    }));
  }

  async delete(key: number, id: string) {
    return this.#get(key, id) !== undefined && this.#owned.delete(id);
  }

  async ping(key: number, id: string) {
    const known = this.#get(key, id);
    if (known === undefined) return null;
    const delivery: WebhookDelivery = {
      ...{ id: `${id}-ping-${known.deliveries.length}`, event: 'ping', state: 'given up', tries: 1 },
      ...{ httpStatus: null, failure: null, createdAt: NOON, triedAt: NOON, nextTryAt: null },
      ...this.pingOutcome,
    };
    known.deliveries.unshift(delivery);
    const verified = { verifiedAt: NOON, stopReason: null, stoppedAt: null };
    const webhook = this.#update(key, id, (each) =>
      delivery.state === 'delivered' ? { ...each, ...verified, state: stateOf(each.isPaused) } : each,
    );
    return { webhook: webhook as Webhook, delivery };
  }

  async tryNow(key: number, id: string) {
    const waiting = this.#get(key, id)?.deliveries.find(({ state, tries }) => state === 'waiting' && tries > 0);
    if (waiting !== undefined) this.triedNow.push(id);
    return waiting !== undefined;
  }

  async deliveries(key: number, id: string) {
    return this.#get(key, id)?.deliveries ?? null;
  }

  async replay(key: number, id: string, after: Cursor) {
    this.replays.push(after);
    return this.#update(key, id, (webhook) => ({ ...webhook, cursor: cursorText(after) }));
  }

  async renewSecret(key: number, id: string) {
    if (this.hasManySecrets && this.#get(key, id) !== undefined) return 'too many' as const;
    const webhook = this.#update(key, id, (each) => ({
      ...each,
      ...{ oldSecretUntil: NOON + DAY_MS, secretFingerprint: `${each.secretFingerprint}b` },
    }));
    return webhook && { webhook, secret: `whsec_${id}b` };
  }

  /** As the worker stops one. */
  stop(key: number, id: string, stopReason: 'gone' | 'failing'): void {
    this.#update(key, id, (webhook) => ({ ...webhook, state: 'stopped', stopReason, stoppedAt: NOON }));
  }

  #get(key: number, id: string) {
    const known = this.#owned.get(id);
    return known?.key === key ? known : undefined;
  }

  #update(key: number, id: string, change: (webhook: Webhook) => Webhook): Webhook | null {
    const known = this.#get(key, id);
    if (known === undefined) return null;
    known.webhook = change(known.webhook);
    return known.webhook;
  }
}

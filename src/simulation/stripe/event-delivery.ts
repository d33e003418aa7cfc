/** How the simulated Stripe posts its events: signed, and in ways in which the real one does, too. */
import { createHmac } from 'node:crypto';
import type { WireEvent } from './wire-objects.ts';

/**
 * `two events`: another event object for the same change follows; `old version`: in that of an endpoint that was never
 * renewed; `late`: when `deliverLate` is called; `swapped`: two at a time, the later one first; `wrong secret`: signed
 * for another endpoint; `old signature`: as if somebody had kept it and posted it again.
 */
export const DELIVERY_MODES = [
  'once',
  'twice',
  'two events',
  'old version',
  'swapped',
  'late',
  'never',
  'wrong secret',
  'old signature',
] as const;
export type DeliveryMode = (typeof DELIVERY_MODES)[number];

const TIMEOUT_MS = 10_000;
/** One second more than a signature may be old. */
const OLD_SECONDS = 301;

export class EventDelivery {
  mode: DeliveryMode = 'once';
  /** Where events are posted; `null` = nowhere. */
  url: string | null = null;
  readonly #secret: string;
  readonly #clock: () => number;
  readonly #held: WireEvent[] = [];
  #last: Promise<void> = Promise.resolve();

  constructor(secret: string, clock: () => number) {
    this.#secret = secret;
    this.#clock = clock;
  }

  /** Delivers an event as the mode says, after those before it. */
  send(event: WireEvent): void {
    if (this.mode === 'swapped' || this.mode === 'late') this.#held.push(event);
    else if (this.mode !== 'never' && this.mode !== 'old version') this.#enqueue(event);
    if (this.mode === 'twice') this.#enqueue(event);
    if (this.mode === 'two events') this.#enqueue({ ...event, id: `${event.id}b` });
    if (this.mode === 'old version') this.#enqueue(inOldVersion(event));
    if (this.mode === 'swapped' && this.#held.length === 2) this.deliverLate();
  }

  /** Delivers what was held back, the latest first. */
  deliverLate(): void {
    for (const each of this.#held.splice(0).reverse()) this.#enqueue(each);
  }

  /** Delivers again what no endpoint has accepted. */
  retry(events: readonly WireEvent[]): void {
    if (this.mode === 'never') return;
    for (const each of events) if (each.pending_webhooks > 0 && !this.#held.includes(each)) this.#enqueue(each);
  }

  /** Resolves once everything sent so far was answered. */
  idle(): Promise<void> {
    return this.#last;
  }

  #enqueue(event: WireEvent): void {
    const { mode } = this;
    this.#last = this.#last.then(() => this.#post(event, mode));
  }

  async #post(event: WireEvent, mode: DeliveryMode): Promise<void> {
    if (this.url === null) return;
    const body = JSON.stringify(event);
    const secret = mode === 'wrong secret' ? `${this.#secret} of another endpoint` : this.#secret;
    const age = mode === 'old signature' ? OLD_SECONDS : 0;
    const signature = signatureOf(secret, body, Math.floor(this.#clock() / 1000) - age);
    try {
      const response = await fetch(this.url, {
        ...{ method: 'POST', body, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) },
        headers: { 'Content-Type': 'application/json; charset=utf-8', 'Stripe-Signature': signature },
      });
      await response.body?.cancel();
      if (response.ok) event.pending_webhooks = 0;
    } catch {
      // Like any other answer but 2xx: it stays undelivered.
    }
  }
}

/** As the oldest versions have it: little more than ids can be relied on. */
function inOldVersion(event: WireEvent): WireEvent {
  const { object } = event.data;
  return Object.assign(event, { api_version: '2019-12-03', data: { object: { id: object.id } } });
}

/** The `Stripe-Signature` of a body. */
export function signatureOf(secret: string, body: string, seconds: number): string {
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}

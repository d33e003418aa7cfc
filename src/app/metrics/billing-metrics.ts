/** Metrics of selling, and of what is posted to others. */
import { Counter, type Registry } from 'prom-client';
import type { WebhookOutcome } from '../../clients/webhook-sender.ts';
import { MAIL_DAYS, WEBHOOK_EVENT_DAYS } from '../../domain/access/retention.ts';
import type { BillingStatus } from '../../store/billing/billing-status.ts';
import type { EventOutcome } from '../../worker/billing/look-again.ts';
import { registerGauge, single } from './scraped-metrics.ts';
import { sharedReading } from './shared-reading.ts';

export function registerBilling(registry: Registry, read: () => Promise<BillingStatus>): void {
  const status = sharedReading(read);
  const byState = (name: string, help: string, countsOf: (status: BillingStatus) => Readonly<Record<string, number>>) =>
    // Every process reads the same rows.
    registerGauge(registry, { name, help, labelNames: ['state'], aggregator: 'max' }, async () => {
      const known = await status();
      return known === null ? [] : Object.entries(countsOf(known)).map(([state, count]) => [{ state }, count]);
    });
  byState('pompa_orders', 'Orders of plans, by state.', ({ orders }) => orders);
  byState('pompa_mails', `Mails of the last ${MAIL_DAYS} days, by state.`, ({ mails }) => mails);
  byState(
    'pompa_stripe_events',
    `Events of Stripe of the last ${WEBHOOK_EVENT_DAYS} days, by state.`,
    ({ events }) => events,
  );
  registerGauge(
    registry,
    {
      name: 'pompa_oldest_mail_seconds',
      help: 'How long the oldest mail has been waiting that could have been sent; 0 = none.',
      aggregator: 'max',
    },
    async () => {
      const known = await status();
      if (known === null) return [];
      const { oldestMailAt, now } = known;
      return single(oldestMailAt === null ? 0 : Math.max(0, now - oldestMailAt) / 1000);
    },
  );
}

/**
 * What came of posting an event: stored, not signed by Stripe, or not stored because the database was away. Then, of
 * looking again at what it is about.
 */
export type StripeEventOutcome = 'accepted' | 'refused' | 'unavailable' | EventOutcome;

export function webhookCounter(registry: Registry): (outcome: StripeEventOutcome) => void {
  const counter = new Counter({
    name: 'pompa_webhooks_total',
    help: 'Events of Stripe: posted (accepted, refused, unavailable) and looked at again (done, unknown, failed).',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const outcomes: readonly StripeEventOutcome[] = ['accepted', 'refused', 'unavailable', 'done', 'unknown', 'failed'];
  for (const outcome of outcomes) counter.inc({ outcome }, 0);
  return (outcome) => counter.inc({ outcome });
}

export function deliveryCounter(registry: Registry): (outcome: WebhookOutcome['kind']) => void {
  const counter = new Counter({
    name: 'pompa_webhook_deliveries_total',
    help: 'Tries to post changes to webhooks of customers: delivered, failed (tried again or given up), gone (410).',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const outcomes: readonly WebhookOutcome['kind'][] = ['delivered', 'failed', 'gone'];
  for (const outcome of outcomes) counter.inc({ outcome }, 0);
  return (outcome) => counter.inc({ outcome });
}

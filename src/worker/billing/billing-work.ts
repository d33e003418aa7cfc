/** The work of selling: what Stripe says is looked at, and mails are sent, whatever becomes of the other. */

import { endUnusedFreeKeys } from '../../store/billing/unused-free-keys.ts';
import { queueUsageMails } from '../../store/billing/usage-mails.ts';
import { queueWebhookMails } from '../../store/billing/webhook-mails.ts';
import { releaseLease, takeLease } from '../../store/connection/leases.ts';
import { type BillingJob, lookAgain } from './look-again.ts';
import { cancelWithdrawn, checkOpenOrders, checkOverdue, compareAll, fetchUndelivered } from './reconcile.ts';
import { type MailJob, sendDueMails } from './send-mails.ts';

export type BillingWork = {
  /** Looks at what Stripe reported, and at what it should have reported. */
  readonly sync: (signal: AbortSignal) => Promise<void>;
  /** Queues what is news, and sends what is due. */
  readonly sendMails: (signal: AbortSignal) => Promise<void>;
  readonly close: () => void;
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Each job is done by whichever process comes first in its period: its lease is not released. */
const PERIODS = {
  'billing orders': 10 * MINUTE_MS,
  'billing events': HOUR_MS,
  'billing comparison': 24 * HOUR_MS,
  'usage mails': MINUTE_MS,
  'free keys': HOUR_MS,
  'webhook mails': 5 * MINUTE_MS,
} as const;

type WorkOptions = {
  readonly mail: MailJob;
  /** `null` = plans are not sold. */
  readonly stripe: BillingJob | null;
  /** Names this process. */
  readonly holder: string;
};

/** Composes the work. */
export function createBillingWork({ mail, stripe, holder }: WorkOptions): BillingWork {
  const { kysely } = mail.database;
  const paused = new Map<string, number>();
  const whenDue = async (name: keyof typeof PERIODS, work: () => Promise<unknown>, signal?: AbortSignal) => {
    const lease = await takeLease(kysely, name, holder, PERIODS[name]);
    if (lease === null) return;
    try {
      await work();
      signal?.throwIfAborted();
    } catch (error) {
      // What failed or was stopped is due again, and does not wait for the next period.
      await releaseLease(kysely, lease);
      throw error;
    }
  };
  return {
    async sync(signal) {
      if (stripe === null) return;
      await cancelWithdrawn(stripe, paused);
      await lookAgain(stripe, signal);
      await checkOverdue(stripe);
      await whenDue('billing orders', () => checkOpenOrders(stripe));
      await whenDue('billing events', () => fetchUndelivered(stripe, signal), signal);
      await whenDue('billing comparison', () => compareAll(stripe, signal), signal);
    },
    async sendMails(signal) {
      await whenDue('usage mails', () => queueUsageMails(kysely));
      await whenDue('free keys', () => endUnusedFreeKeys(mail.database));
      await whenDue('webhook mails', () => queueWebhookMails(kysely));
      await sendDueMails(mail, signal);
    },
    close: () => mail.mailer.close(),
  };
}

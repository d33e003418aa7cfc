/** The work of selling: what Stripe says is looked at, and mails are sent, whatever becomes of the other. */

import { endUnusedFreeKeys } from '../../store/billing/unused-free-keys.ts';
import { queueUsageMails } from '../../store/billing/usage-mails.ts';
import { takeLease } from '../../store/connection/leases.ts';
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
  const isDue = async (name: keyof typeof PERIODS) => (await takeLease(kysely, name, holder, PERIODS[name])) !== null;
  return {
    async sync(signal) {
      if (stripe === null) return;
      await cancelWithdrawn(stripe);
      await lookAgain(stripe, signal);
      await checkOverdue(stripe);
      if (await isDue('billing orders')) await checkOpenOrders(stripe);
      if (await isDue('billing events')) await fetchUndelivered(stripe, signal);
      if (await isDue('billing comparison')) await compareAll(stripe, signal);
    },
    async sendMails(signal) {
      if (await isDue('usage mails')) await queueUsageMails(kysely);
      if (await isDue('free keys')) await endUnusedFreeKeys(mail.database);
      await sendDueMails(mail, signal);
    },
    close: () => mail.mailer.close(),
  };
}

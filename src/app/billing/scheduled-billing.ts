/** The scheduled work of selling and mail, created from the settings. */
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { createSmtpMailer, type Mailer, type SmtpOptions } from '../../clients/smtp.ts';
import { whyStripeFailed } from '../../clients/stripe.ts';
import { type Config, publicUrl } from '../../config/config.ts';
import { isPlainAllowed } from '../../config/selling-settings.ts';
import { writeMail } from '../../site/mails/write-mail.ts';
import type { Database } from '../../store/connection/database.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { type BillingWork, createBillingWork } from '../../worker/billing/billing-work.ts';
import type { BillingJob } from '../../worker/billing/look-again.ts';
import { stripeOf } from './selling.ts';

export type EventCounts = NonNullable<BillingJob['counts']>;

/** Creates it; `undefined` = no mail is configured, so nothing is sold or mailed. */
export function createScheduledBilling(
  config: Config,
  database: Database<Schema>,
  log: Logger,
  counts?: EventCounts,
): BillingWork | undefined {
  const { mail, selling } = config;
  if (mail === null) return undefined;
  const { seller, salesMode } = selling ?? { seller: null, salesMode: 'own' as const };
  const stripe = stripeOf(config, Date.now);
  return createBillingWork({
    holder: `${hostname()}:${process.pid}`,
    stripe: stripe && { database, stripe, whyFailed: whyStripeFailed, log, ...(counts && { counts }) },
    mail: {
      ...{ database, log, clock: Date.now },
      mailer: createMailer(mail),
      write: (content, language, secrets) =>
        writeMail(content, language, secrets, { publicUrl: publicUrl(config, config.PORT), seller, salesMode }),
    },
  });
}

/** The mailer of the operator's relay. */
export function createMailer(mail: NonNullable<Config['mail']>, options: Pick<SmtpOptions, 'timeoutMs'> = {}): Mailer {
  return createSmtpMailer({ ...mail, allowPlain: isPlainAllowed(mail.url), ...options });
}

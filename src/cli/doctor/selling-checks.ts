/** Checks selling: its settings, Stripe's prices, the mail relay, and what the database records. */
import { createMailer } from '../../app/billing/scheduled-billing.ts';
import { withTimeout } from '../../concurrency/with-timeout.ts';
import { type Config, isRemote } from '../../config/config.ts';
import type { MailSettings } from '../../config/selling-settings.ts';
import { WEBHOOK_EVENT_DAYS } from '../../domain/access/retention.ts';
import type { BillingStatus } from '../../store/billing/billing-status.ts';
import { durationText, type Finding, fail, pass } from '../reports/finding.ts';
import { stripeFindings } from './stripe-checks.ts';

/** "Within minutes": a mail that waits for longer, or an event, is late. */
const LATE_MS = 10 * 60_000;
const DAY_MS = 86_400_000;
/** A charge a month brings events more often than this; Pompa keeps them for a little longer. */
const MAX_SILENCE_MS = (WEBHOOK_EVENT_DAYS - 2) * DAY_MS;
/** The order of a subscription brings the first ones. */
const FIRST_EVENTS_MS = DAY_MS;
/** For each step of the conversation with the relay, and for all of it. */
const RELAY_STEP_TIMEOUT_MS = 5_000;
const RELAY_TIMEOUT_MS = 7_000;
const GUIDE = 'see docs/SELLING.md';

type Settings = Pick<Config, 'selling' | 'mail' | 'FREE_KEY_QUOTA' | 'STRIPE_SECRET_KEY' | 'PUBLIC_URL'>;

/** What the settings sell. */
export function sellingSettingsFinding(config: Settings): Finding {
  const { selling, mail, FREE_KEY_QUOTA, STRIPE_SECRET_KEY, PUBLIC_URL } = config;
  const check = 'selling';
  if (STRIPE_SECRET_KEY !== null && mail === null)
    return fail(
      check,
      'STRIPE_SECRET_KEY is set, but SMTP_URL is not: nothing is sold',
      `set SMTP_URL and MAIL_FROM; ${GUIDE}`,
    );
  if (FREE_KEY_QUOTA !== null && mail === null)
    return fail(
      check,
      'FREE_KEY_QUOTA is set, but SMTP_URL is not: there are no free keys',
      'set SMTP_URL and MAIL_FROM',
    );
  const free = FREE_KEY_QUOTA === null ? 'no free keys' : `free keys with ${FREE_KEY_QUOTA} requests a month`;
  if (selling === null) return pass(check, FREE_KEY_QUOTA === null ? 'off' : free);
  const isLive = selling.secretKey.split('_')[1] === 'live';
  const isPublic = PUBLIC_URL !== null && isRemote(PUBLIC_URL);
  if (isPublic && !PUBLIC_URL.startsWith('https:'))
    return fail(check, `plans are sold at ${PUBLIC_URL}, without encryption`, 'set PUBLIC_URL to an https address');
  if (isPublic && !isLive)
    return fail(
      check,
      'a test key of Stripe sells at a public address: nobody is charged',
      'set the live keys of Stripe',
    );
  if (!isPublic && isLive)
    return fail(check, 'a live key of Stripe, but PUBLIC_URL is not public', 'set PUBLIC_URL, or use a test key');
  return pass(check, `on, ${isLive ? 'live' : 'test mode'}, sales mode ${selling.salesMode}; ${free}`);
}

/** Whether the relay takes our connection, and Stripe has our prices; asks both. Never rejects. */
export async function sellingFindings(config: Config): Promise<Finding[]> {
  const { mail } = config;
  const asked = await Promise.all([mail === null ? [] : relayFinding(mail), stripeFindings(config)]);
  return [sellingSettingsFinding(config), ...asked.flat()];
}

async function relayFinding(mail: MailSettings): Promise<Finding> {
  const mailer = createMailer(mail, { timeoutMs: RELAY_STEP_TIMEOUT_MS });
  const why = await withTimeout(RELAY_TIMEOUT_MS, mailer.verify()).catch(
    () => `it did not answer everything within ${RELAY_TIMEOUT_MS / 1_000} s`,
  );
  mailer.close();
  const { host } = mail.url;
  if (why === null) return pass('mail relay', `${host} accepts our connection`);
  return fail('mail relay', `${host}: ${why}`, 'check SMTP_URL, its password and its port');
}

/** What the database records of mails and events. */
export function billingFindings(status: BillingStatus, { mail, selling }: Pick<Config, 'mail' | 'selling'>): Finding[] {
  const findings: Finding[] = [];
  if (mail !== null) findings.push(mailsFinding(status));
  if (selling !== null) findings.push(eventsFinding(status), subscriptionsFinding(status), refundsFinding(status));
  return findings;
}

function mailsFinding({ mails, oldestMailAt, keyMailsNotArrived, now }: BillingStatus): Finding {
  const detail = `${mails.waiting} waiting, ${mails.sent} sent, ${mails.refused} refused, ${mails.expired} given up in the last 32 days`;
  if (keyMailsNotArrived.length > 0)
    return fail(
      'mails',
      `${detail}; with keys that did not arrive: ${keyMailsNotArrived.join(', ')}`,
      'pompa mails list says why; pompa orders address corrects an address and sends the key, pompa mails resend sends it again',
    );
  if (oldestMailAt === null || now - oldestMailAt < LATE_MS) return pass('mails', detail);
  const late = `${detail}; the oldest waits for ${durationText(now - oldestMailAt)}`;
  return fail('mails', late, 'does a worker run? pompa mails list --waiting says why');
}

function eventsFinding({ events, oldestEventAt, lastEventAt, runningSince, now }: BillingStatus): Finding {
  const last =
    lastEventAt === null
      ? `none in ${WEBHOOK_EVENT_DAYS} days`
      : `the last came ${durationText(now - lastEventAt)} ago`;
  const detail = `${last}; ${events.waiting} to look at`;
  const check = 'events of Stripe';
  if (oldestEventAt !== null && now - oldestEventAt > LATE_MS)
    return fail(
      check,
      `${detail}, for ${durationText(now - oldestEventAt)}`,
      'does a worker run, and does it reach Stripe?',
    );
  const isExpected = runningSince !== null && now - runningSince > FIRST_EVENTS_MS;
  const isSilent = lastEventAt === null || now - lastEventAt > MAX_SILENCE_MS;
  if (isExpected && isSilent)
    return fail(check, `${detail}; subscriptions are running`, `check the endpoint at Stripe; ${GUIDE}`);
  return pass(check, detail);
}

function subscriptionsFinding({ unrecognized, orders }: BillingStatus): Finding {
  const check = 'subscriptions';
  if (unrecognized.length === 0) return pass(check, `${orders.done} orders done, ${orders.open} open`);
  return fail(
    check,
    `unknown to this version: ${unrecognized.join(', ')}`,
    'mend the price at Stripe, or update Pompa',
  );
}

/** The law gives 14 days for it. */
function refundsFinding({ unrefunded }: BillingStatus): Finding {
  const check = 'refunds';
  if (unrefunded.length === 0) return pass(check, 'none is owed');
  const owed = `withdrawn from after a charge, and not refunded: ${unrefunded.join(', ')}`;
  return fail(check, owed, 'refund them within 14 days in the Dashboard, then pompa orders refunded ORDER');
}

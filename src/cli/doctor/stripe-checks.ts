/** Whether what is set at Stripe is what selling needs; asks it. */
import type { Kysely } from 'kysely';
import { stripeOf } from '../../app/billing/selling.ts';
import { STRIPE_API_VERSION, STRIPE_EVENTS, type StripeClient, whyStripeFailed } from '../../clients/stripe.ts';
import type { PlanPrice } from '../../clients/stripe-objects.ts';
import type { EndpointSetup, PortalSetup } from '../../clients/stripe-setup.ts';
import { TimeoutError, withTimeout } from '../../concurrency/with-timeout.ts';
import { type Config, publicUrl } from '../../config/config.ts';
import { monthlyPriceOf, PAID_PLANS } from '../../domain/billing/paid-plans.ts';
import { isCharged } from '../../domain/billing/subscription.ts';
import { WEBHOOK_PATH } from '../../domain/pages/billing-paths.ts';
import { knownSubscriptions } from '../../store/billing/subscription-notes.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { type Finding, fail, pass } from '../reports/finding.ts';

const GUIDE = 'docs/SELLING.md says how';
/** Stripe waits for an answer to it before it charges. */
const UNWANTED_EVENT = 'invoice.created';
const CHECK_KEY = 'check STRIPE_SECRET_KEY and its rights, and whether Stripe answers';
/** Of the list of subscriptions, 100 each: doctor takes ten seconds at most. A worker compares all, every night. */
const MAX_PAGES = 3;
/** What is not answered within this time is not waited for. */
const CHECK_TIMEOUT_MS = 5_000;
/** Of one call: it must not outlive doctor for long. */
const CALL_TIMEOUT_MS = 4_000;

/** Prices, portal and endpoint; none where plans are not sold. Never rejects. */
export async function stripeFindings(config: Config): Promise<Finding[]> {
  const stripe = stripeOf(config, Date.now, { timeoutMs: CALL_TIMEOUT_MS });
  if (stripe === null) return [];
  const url = publicUrl(config, config.PORT) + WEBHOOK_PATH;
  const setup = stripe.readSetup();
  return Promise.all([
    findingOf('prices at Stripe', 'as the plans', async () => pricesProblems(await stripe.listPlanPrices())),
    findingOf('portal at Stripe', 'as selling needs it', async () => portalProblems((await setup).portal)),
    findingOf(
      'endpoint at Stripe',
      'posts what is needed; whether retries end in a cancellation is seen only there',
      async () => endpointProblems((await setup).endpoints, url),
    ),
  ]);
}

/** The subscriptions of our plans that run at Stripe, or why they cannot be read. */
export type RunningSubscriptions = { readonly ids: readonly string[] } | { readonly problem: string };

/** Reads them; `null` = plans are not sold. Never rejects. */
export async function readRunning(config: Config): Promise<RunningSubscriptions | null> {
  const stripe = stripeOf(config, Date.now, { timeoutMs: CALL_TIMEOUT_MS });
  if (stripe === null) return null;
  try {
    return { ids: await inTime(listRunning(stripe)) };
  } catch (error) {
    return { problem: whyStripeFailed(error) };
  }
}

const inTime = <T>(answer: Promise<T>): Promise<T> =>
  withTimeout(CHECK_TIMEOUT_MS, answer, () => new TimeoutError(`no answer within ${CHECK_TIMEOUT_MS / 1_000} s`));

/** Whether what runs at Stripe was ordered here: of what was not, somebody pays and has no key. */
export async function unorderedFinding(running: RunningSubscriptions, db: Kysely<Schema>): Promise<Finding> {
  const check = 'subscriptions at Stripe';
  if ('problem' in running) return fail(check, `cannot be read: ${running.problem}`, CHECK_KEY);
  const ordered = await knownSubscriptions(db, running.ids);
  const unordered = running.ids.filter((id) => !ordered.has(id));
  if (unordered.length === 0) return pass(check, `of the newest ${MAX_PAGES * 100}, all that run were ordered here`);
  return fail(
    check,
    unordered.map((id) => `${id} was not ordered here: it has no key`).join('; '),
    'orders sync ID if it is minutes old; else cancel and refund it in the Dashboard',
  );
}

/** The ids of those that are paid for, of our plans. */
export async function listRunning({ listSubscriptions }: Pick<StripeClient, 'listSubscriptions'>): Promise<string[]> {
  const running: string[] = [];
  let after: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { items, next }: Awaited<ReturnType<typeof listSubscriptions>> = await listSubscriptions(after);
    running.push(...items.filter(({ fetched }) => isCharged(fetched)).map(({ id }) => id));
    if (next === null) break;
    after = next;
  }
  return running;
}

async function findingOf(check: string, good: string, problems: () => Promise<string[]>): Promise<Finding> {
  try {
    const wrong = await inTime(problems());
    return wrong.length === 0 ? pass(check, good) : fail(check, wrong.join('; '), `mend it in the Dashboard; ${GUIDE}`);
  } catch (error) {
    return fail(check, `cannot be read: ${whyStripeFailed(error)}`, CHECK_KEY);
  }
}

/** What is wrong with the active prices that have the lookup key of a plan. */
export function pricesProblems(prices: readonly PlanPrice[]): string[] {
  return PAID_PLANS.flatMap((plan) => {
    const price = prices.find((each) => each.plan === plan);
    if (price === undefined) return [`${plan} has no active price with the lookup key "${plan}"`];
    const { cents, currency, interval, includesTax } = price;
    const wanted = monthlyPriceOf(plan);
    const isRight = cents === wanted * 100 && currency === 'eur' && interval === 'month';
    const amount = cents === null ? 'a variable amount' : `${(cents / 100).toFixed(2)}`;
    return [
      ...(isRight
        ? []
        : [`${plan} costs ${amount} ${currency.toUpperCase()} a ${interval ?? 'time'}, not ${wanted} EUR a month`]),
      ...(includesTax ? [] : [`the price of ${plan} does not include tax`]),
    ];
  });
}

/** What is wrong with the portal; `null` = there is none. */
export function portalProblems(portal: PortalSetup | null): string[] {
  if (portal === null) return ['it has no active default configuration'];
  return [
    ...(portal.changesPlans ? [] : ['it does not let customers change their plan']),
    ...(portal.keepsTrials ? [] : ['it ends the trial and charges when the plan is changed']),
    ...(portal.cancelsAtEnd ? [] : ['it cancels at once, not at the end of the period']),
  ];
}

/** What is wrong with the endpoint that has our address. */
export function endpointProblems(endpoints: readonly EndpointSetup[], url: string): string[] {
  const endpoint = endpoints.find((each) => each.url === url);
  if (endpoint === undefined) return [`none has the address ${url}`];
  const { isEnabled, version, events } = endpoint;
  const isAll = events.includes('*');
  const missing = isAll ? [] : STRIPE_EVENTS.filter((event) => !events.includes(event));
  return [
    ...(isEnabled ? [] : ['it is disabled']),
    ...(version === STRIPE_API_VERSION
      ? []
      : [`its version is ${version ?? 'the default'}, not ${STRIPE_API_VERSION}`]),
    ...(missing.length === 0 ? [] : [`it does not get ${missing.join(', ')}`]),
    ...(isAll || events.includes(UNWANTED_EVENT) ? [`it gets ${UNWANTED_EVENT}, which delays every charge`] : []),
  ];
}

/**
 * How events of random lives arrive in the inbox, with disputes and withdrawals between them, and what must hold of the
 * stored subscription and its key after each.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Standing, standing } from '../../../src/domain/billing/standing.ts';
import { subscriptionsOf } from '../../../src/store/billing/billing-subscriptions.ts';
import { subscriptionIdsOf } from '../../../src/store/billing/subscription-notes.ts';
import { syncSubscription } from '../../../src/store/billing/sync-subscription.ts';
import { storeEvent, type WebhookEvent } from '../../../src/store/billing/webhook-inbox.ts';
import { withdraw } from '../../../src/store/billing/withdrawals.ts';
import type { Database } from '../../../src/store/connection/database.ts';
import { readKeyVersion } from '../../../src/store/keys/key-queries.ts';
import { type BillingJob, lookAgain } from '../../../src/worker/billing/look-again.ts';
import { cancelWithdrawn, compareAll, fetchUndelivered } from '../../../src/worker/billing/reconcile.ts';
import { anOrder } from './billing-fixture.ts';
import { LIFE_START, subscriptionLives } from './subscription-lives.ts';
import { type ToldIds, ToldStripe } from './told-stripe.ts';

const DAY = 24 * 3_600_000;
const MAX_STATES = 13;
const signal = new AbortController().signal;

/** After how long the event of a change comes, each time that it does; none = it is lost. */
const delays = fc.array(fc.integer({ min: 0, max: 3 * DAY }), { maxLength: 3 });
const moment = fc.integer({ min: LIFE_START + 1, max: LIFE_START + 60 * DAY });
/** What happens to one subscription, and how the service hears of it. */
const stories = fc.record({
  life: subscriptionLives,
  dispute: fc.option(
    fc
      .record({ opens: moment, days: fc.integer({ min: 1, max: 60 }), end: fc.constantFrom('won', 'lost', 'open') })
      .map(({ opens, days, end }) => ({ opens, closes: opens + days * DAY, end })),
    { freq: 2 },
  ),
  withdrawal: fc.option(moment, { freq: 2 }),
  /** Of each state; then of the beginning and the end of the dispute. */
  deliveries: fc.array(delays, { minLength: MAX_STATES + 2, maxLength: MAX_STATES + 2 }),
  /** Whether, while an object is fetched, what comes next is looked at wholly. */
  overlaps: fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
});
type Story = typeof stories extends fc.Arbitrary<infer T> ? T : never;
/** An event at Stripe, and when the endpoint gets it. */
type ToldEvent = WebhookEvent & { readonly arrivals: readonly number[] };
type Moment = { readonly at: number; readonly happens: () => Promise<unknown> };

/** The verdict on each status; of one that we do not know, the last known one stays. */
const REASONS: Readonly<Record<string, Standing['reason']>> = {
  ...{ trialing: 'trial', active: 'active', past_due: 'grace' },
  ...{ unpaid: 'overdue', paused: 'paused', canceled: 'ended' },
};

/**
 * Events twice, late up to three days, in any order or never: there is one key and one mail with it, and the verdict is
 * that of the fetch that began last, unless a dispute stands or the customer withdrew. Every process hears when it
 * opens or closes a key, and in the end nothing that was lost is missing.
 */
export async function assertDeliveries(
  database: Database,
  parameters: { readonly numRuns: number; readonly seed: number },
): Promise<void> {
  let lives = 0;
  const property = fc.asyncProperty(stories, async (story) => {
    lives += 1;
    await assertHeard(database, `${parameters.seed}_${lives}`, story);
  });
  await fc.assert(property, parameters);
}

async function assertHeard(database: Database, name: string, story: Story): Promise<void> {
  const { kysely } = database;
  const ids = idsOf(name);
  const overlaps = [...story.overlaps];
  const events = eventsOf(ids, story);
  const ahead: Moment[] = [];
  const passNext = async () => {
    const next = ahead.shift();
    stripe.now = Math.max(stripe.now, next?.at ?? 0);
    await next?.happens();
  };
  const stripe = new ToldStripe({
    ...{ ids, life: story.life, dispute: story.dispute },
    meanwhile: async () => overlaps.shift() === true && passNext(),
    isCustomerKnown: async () => (await subscriptionIdsOf(kysely, ids.customer)).length > 0,
  });
  const lost = events.filter(({ arrivals }) => arrivals.length === 0);
  const job = jobOf(database, stripe, lost);
  let isWithdrawn = false;
  ahead.push(
    // The customer opens the page after the checkout, whatever becomes of the events.
    { at: LIFE_START, happens: () => syncSubscription(database, job.stripe, ids.subscription) },
    ...events.flatMap(({ arrivals, ...event }) =>
      arrivals.map((at, time) => ({
        at,
        async happens() {
          // The third time it is the first one again: Stripe repeats an event, or makes another for one change.
          await storeEvent(kysely, { ...event, id: `${event.id} ${time % 2}` });
          await lookAgain(job, signal);
        },
      })),
    ),
  );
  if (story.withdrawal !== null)
    ahead.push({
      at: story.withdrawal,
      async happens() {
        isWithdrawn = await withdraw(database, ids.subscription, {
          name: 'Ana',
          email: 'ana@exemplu.ro',
          language: 'ro',
        });
        await cancelWithdrawn(job);
      },
    });
  ahead.sort((a, b) => a.at - b.at);

  const accountId = await anOrder(database, ids.order, `${ids.subscription}@exemplu.ro`);
  const assertVerdict = async (status: string, isDisputed: boolean) => {
    const [stored] = await subscriptionsOf(kysely, accountId);
    assert.ok(stored);
    if (status in REASONS) assert.equal(stored.facts.status, status);
    const { isOpen, reason } = standing(stored.facts, stored.facts.fetchedAt);
    if (isWithdrawn) assert.equal(reason, 'withdrawn');
    else if (isDisputed) assert.equal(reason, 'disputed');
    else if (status in REASONS) assert.equal(reason, REASONS[status]);
    return { isOpen, version: await readKeyVersion(database, 1_000) };
  };
  let before = { isOpen: false, version: await readKeyVersion(database, 1_000) };
  while (ahead.length > 0) {
    await passNext();
    const { looks, latest } = stripe;
    const heard = await assertVerdict(latest ?? '', looks.includes(false) && !looks.includes(true));
    if (heard.isOpen !== before.isOpen) assert.ok(heard.version > before.version, 'a change that no process hears of');
    before = heard;
  }
  // Within an hour lost events are found, and those that had to wait are due; the nightly comparison finds no news.
  stripe.now += 100 * DAY;
  const { status } = stripe.answer().fetched;
  const isDisputed = story.dispute !== null && story.dispute.end !== 'won';
  await fetchUndelivered(job, signal);
  await kysely
    .updateTable('webhook_events')
    .set({ due_at: new Date(0) })
    .where('done_at', 'is', null)
    .execute();
  await lookAgain(job, signal);
  await assertVerdict(status, isDisputed);
  await compareAll(job, signal);
  await assertVerdict(status, isDisputed);
  // One that had ended before it was first seen needs no key.
  await assertOnce(database, accountId, { key: stripe.first === 'canceled' ? 0 : 1, withdrawn: isWithdrawn ? 1 : 0 });
}

const idsOf = (name: string): ToldIds => ({
  ...{ subscription: `sub_${name}`, customer: `cus_${name}`, order: `order of ${name}`, dispute: `du_${name}` },
});

/** The events of all that happens at Stripe; a state is told of by the subscription, or by an invoice of it. */
function eventsOf(ids: ToldIds, { life, dispute, deliveries }: Story): ToldEvent[] {
  const happened = life.map(({ at }, n) =>
    n % 3 === 2
      ? { at, type: 'invoice.paid', object: `in ${n} of ${ids.subscription}` }
      : { at, type: 'customer.subscription.updated', object: ids.subscription },
  );
  const disputed = dispute && [
    { at: dispute.opens, type: 'charge.dispute.created', object: ids.dispute },
    { at: dispute.closes, type: 'charge.dispute.closed', object: ids.dispute },
  ];
  return [...happened, ...(disputed ?? [])].map(({ at, ...event }, n) => ({
    ...{ ...event, id: `evt ${n} of ${ids.subscription}` },
    arrivals: (deliveries[n] ?? []).map((delay) => at + delay),
  }));
}

function jobOf(database: Database, stripe: ToldStripe, lost: readonly ToldEvent[]): BillingJob {
  const page = <T>(items: readonly T[]) => ({ items, next: null });
  const listed = {
    listUndelivered: async () => page(lost.map(({ id, type, object }) => ({ id, type, object }))),
    listSubscriptions: async () => page([stripe.answer()]),
  };
  return {
    ...{ database, stripe: { ...stripe.client, ...listed }, wait: async () => undefined },
    log: { info: () => undefined, warn: () => undefined },
    whyFailed: (error) => {
      throw error;
    },
  };
}

/** There are so many keys, and so many mails of each kind. */
async function assertOnce(
  { kysely }: Database,
  accountId: number,
  wanted: { readonly key: number; readonly withdrawn: number },
): Promise<void> {
  const keys = await kysely.selectFrom('api_keys').select('id').where('account_id', '=', accountId).execute();
  const mails = await kysely.selectFrom('mails').select('kind').where('account_id', '=', accountId).execute();
  const count = (kind: string) => mails.filter((mail) => mail.kind === kind).length;
  assert.deepEqual(
    { keys: keys.length, key: count('key'), withdrawn: count('withdrawn') },
    { keys: wanted.key, ...wanted },
  );
  const waiting = await kysely.selectFrom('webhook_events').select('id').where('done_at', 'is', null).execute();
  assert.deepEqual(waiting, []);
}

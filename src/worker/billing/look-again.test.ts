import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { aFetch, anOrder } from '../../../test/support/builders/billing-fixture.ts';
import { assertDeliveries } from '../../../test/support/builders/subscription-deliveries.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import type { StripeClient } from '../../clients/stripe.ts';
import type { FetchedSubscription } from '../../domain/billing/subscription.ts';
import { type SubscriptionFetch, storeFetch, subscriptionsOf } from '../../store/billing/billing-subscriptions.ts';
import { syncSubscription } from '../../store/billing/sync-subscription.ts';
import { storeEvent } from '../../store/billing/webhook-inbox.ts';
import { withdraw } from '../../store/billing/withdrawals.ts';
import { type BillingJob, type EventOutcome, lookAgain } from './look-again.ts';
import { cancelWithdrawn, checkOpenOrders, checkOverdue, compareAll, fetchUndelivered } from './reconcile.ts';

const DAY = 24 * 3_600_000;
const signal = new AbortController().signal;

let database: TestDatabase;
let accountId: number;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());
beforeEach(async () => {
  await sql`truncate accounts, orders, webhook_events, mails, api_keys restart identity cascade`.execute(
    database.kysely,
  );
  accountId = await anOrder(database, 'order 1');
});

/** Stripe as a table of what it answers. */
function stripeWith(answers: Partial<StripeClient>): StripeClient {
  const missing = (name: string) => () => assert.fail(`${name} is not expected`);
  return new Proxy({} as StripeClient, {
    get: (_, name: keyof StripeClient) => answers[name] ?? missing(name),
  });
}

const answer = (change: Partial<FetchedSubscription> = {}, id = 'sub_1'): SubscriptionFetch => ({
  ...{ id, customer: 'cus_1', orderId: 'order 1' },
  fetched: aFetch(Date.now(), change),
});

function jobWith(stripe: StripeClient) {
  const outcomes: EventOutcome[] = [];
  const lines: string[] = [];
  const job: BillingJob = {
    ...{ database, stripe, whyFailed: (error) => (error as Error).message, wait: async () => undefined },
    log: { info: (line) => lines.push(line), warn: (line) => lines.push(line) },
    counts: { webhook: (outcome) => outcomes.push(outcome) },
  };
  return { job, outcomes, lines };
}

const event = (type: string, object: string, id = `evt ${type}`) => storeEvent(database.kysely, { id, type, object });
const stored = async () =>
  (await subscriptionsOf(database.kysely, accountId)).map(({ id, facts }) => [id, facts.status]);
const keys = async () => (await database.kysely.selectFrom('api_keys').select('id').execute()).length;
const waiting = async () =>
  (await database.kysely.selectFrom('webhook_events').select('id').where('done_at', 'is', null).execute()).map(
    ({ id }) => id,
  );

describe('events of Stripe', () => {
  test('make the key once, whichever come, and are settled by one fetch of each object', async () => {
    let fetches = 0;
    const stripe = stripeWith({
      findCheckout: async (id) => ({ id, url: null, status: 'complete', orderId: 'order 1', subscription: 'sub_1' }),
      subscriptionOfInvoice: async () => 'sub_1',
      fetchSubscription: async () => {
        fetches += 1;
        return answer();
      },
    });
    const { job, outcomes } = jobWith(stripe);
    await event('customer.subscription.updated', 'sub_1', 'evt_2');
    await event('customer.subscription.created', 'sub_1', 'evt_1');
    await event('checkout.session.completed', 'cs_1');
    await event('invoice.paid', 'in_1');
    assert.equal(await lookAgain(job, signal), 3);
    assert.deepEqual([fetches, await keys(), await stored(), await waiting()], [3, 1, [['sub_1', 'trialing']], []]);
    assert.deepEqual(outcomes, ['done', 'done', 'done']);
  });

  test('are tried again later while Stripe is away, and the last state stays', async () => {
    const { job } = jobWith(stripeWith({ fetchSubscription: async () => answer() }));
    await event('customer.subscription.created', 'sub_1', 'evt_1');
    await lookAgain(job, signal);
    const away = jobWith(stripeWith({ fetchSubscription: () => Promise.reject(new Error('away')) }));
    await event('customer.subscription.updated', 'sub_1', 'evt_2');
    assert.equal(await lookAgain(away.job, signal), 0);
    assert.deepEqual(
      [await stored(), await waiting(), away.outcomes],
      [[['sub_1', 'trialing']], ['evt_2'], ['failed']],
    );
    assert.match(
      away.lines.join(),
      /^event evt_2 of Stripe \(customer\.subscription\.updated\) is tried again in 10 s: away$/,
    );
    assert.equal(await lookAgain(away.job, signal), 0, 'not before the pause is over');
    assert.deepEqual(away.outcomes, ['failed']);
  });

  test('are looked at one after another, at most ten a second, whatever comes of each', async () => {
    let now = 0;
    const asked: number[] = [];
    const stripe = stripeWith({
      fetchSubscription: async (id) => {
        asked.push(now);
        if (id === 'sub_2') throw new Error('away');
        return id === 'sub_3' ? null : answer({}, id);
      },
    });
    for (const n of [1, 2, 3, 4, 5]) await event('customer.subscription.updated', `sub_${n}`, `evt_${n}`);
    const wait = async (ms: number) => {
      now += ms;
    };
    await lookAgain({ ...jobWith(stripe).job, wait }, signal);
    assert.deepEqual(asked, [0, 100, 200, 300, 400]);
  });

  test('of random lives, twice, late, swapped or lost, with disputes and withdrawals, leave one key and the right verdict', () =>
    assertDeliveries(database, { numRuns: 40, seed: 15 }));

  test('about a customer who is gone end what Stripe has ended with them', async () => {
    const { job } = jobWith(stripeWith({ fetchSubscription: async () => answer() }));
    await event('customer.subscription.created', 'sub_1');
    await lookAgain(job, signal);
    await event('customer.deleted', 'cus_1');
    const fetchSubscription = async () => answer({ status: 'canceled' });
    await lookAgain(jobWith(stripeWith({ fetchSubscription })).job, signal);
    assert.deepEqual(await stored(), [['sub_1', 'canceled']]);
  });

  test('about a subscription with a status that we do not know are told to the operator', async () => {
    await storeFetch(database, { ...answer(), fetched: aFetch(Date.now() - 1_000) });
    const { job, lines } = jobWith(stripeWith({ fetchSubscription: async () => answer({ status: 'frozen' }) }));
    await event('customer.subscription.updated', 'sub_1');
    await lookAgain(job, signal);
    assert.deepEqual(await stored(), [['sub_1', 'trialing']]);
    assert.deepEqual(lines, [
      'subscription sub_1 has a status frozen that this version does not know: the one before stays',
    ]);
  });

  test('about a subscription that our key of Stripe does not find close nothing', async () => {
    const { job } = jobWith(stripeWith({ fetchSubscription: async () => answer() }));
    await event('customer.subscription.created', 'sub_1');
    await lookAgain(job, signal);
    await event('customer.subscription.updated', 'sub_1');
    await lookAgain(jobWith(stripeWith({ fetchSubscription: async () => null })).job, signal);
    assert.deepEqual([await stored(), await waiting()], [[['sub_1', 'trialing']], []]);
  });

  test('of a dispute close the key until it is won, and those of a refund only note it', async () => {
    let isWon = false;
    const stripe = stripeWith({
      fetchSubscription: async () => answer(),
      fetchDispute: async () => ({ customer: 'cus_1', isWon }),
      fetchCharge: async () => ({ customer: 'cus_1', isRefunded: true }),
    });
    const { job, lines } = jobWith(stripe);
    await event('customer.subscription.created', 'sub_1');
    await event('charge.dispute.created', 'du_1', 'evt_2');
    await event('charge.refunded', 'ch_1');
    await lookAgain(job, signal);
    const row = () => database.kysely.selectFrom('billing_subscriptions').selectAll().executeTakeFirstOrThrow();
    const order = await database.kysely.selectFrom('orders').select('refunded_at').executeTakeFirstOrThrow();
    assert.ok((await row()).disputed_at !== null && order.refunded_at !== null);
    assert.equal(lines.length, 2, 'the operator is told of both');
    isWon = true;
    await event('charge.dispute.closed', 'du_1', 'evt_3');
    await lookAgain(job, signal);
    assert.equal((await row()).disputed_at, null);
    const events = await database.kysely.selectFrom('webhook_events').select(['object', 'about']).execute();
    const about = Object.fromEntries(events.map((each) => [each.object, each.about]));
    assert.deepEqual(about, { sub_1: 'sub_1', du_1: 'cus_1', ch_1: 'cus_1' });
  });

  test('of a dispute that come before those of its subscription wait for it, and not for ever', async () => {
    const stripe = stripeWith({
      fetchSubscription: async () => answer(),
      fetchDispute: async (id) => ({ customer: id === 'du_1' ? 'cus_1' : 'cus_9', isWon: false }),
    });
    const { job, outcomes } = jobWith(stripe);
    const makeDue = () => sql`update webhook_events set due_at = now() - interval '1 minute'`.execute(database.kysely);
    await event('charge.dispute.created', 'du_1', 'evt_1');
    await event('charge.dispute.created', 'du_9', 'evt_9');
    assert.equal(await lookAgain(job, signal), 0);
    assert.deepEqual(await waiting(), ['evt_1', 'evt_9']);
    await event('customer.subscription.created', 'sub_1', 'evt_2');
    await lookAgain(job, signal);
    await makeDue();
    await lookAgain(job, signal);
    const { disputed_at } = await database.kysely
      .selectFrom('billing_subscriptions')
      .select('disputed_at')
      .executeTakeFirstOrThrow();
    assert.notEqual(disputed_at, null);
    for (let tries = 0; (await waiting()).length > 0; tries += 1) {
      assert.ok(tries < 16);
      await makeDue();
      await lookAgain(job, signal);
    }
    assert.deepEqual(outcomes, ['done', 'done', 'unknown']);
  });

  test('about a customer without a subscription, or the end of what a deleted account had, are settled', async () => {
    const { job, lines, outcomes } = jobWith(
      stripeWith({ fetchSubscription: async () => answer({ status: 'canceled' }) }),
    );
    await sql`update orders set account_id = null, state = 'done'`.execute(database.kysely);
    await event('customer.updated', 'cus_7');
    await event('customer.subscription.deleted', 'sub_1');
    await lookAgain(job, signal);
    assert.deepEqual([await keys(), outcomes, lines], [0, ['done', 'done'], []]);
  });

  test('about what was not ordered here are told to the operator, and cost nothing more', async () => {
    const stripe = stripeWith({ fetchSubscription: async (id) => ({ ...answer({}, id), orderId: null }) });
    const { job, lines, outcomes } = jobWith(stripe);
    await event('customer.subscription.created', 'sub_9');
    await event('product.created', 'prod_1');
    await lookAgain(job, signal);
    assert.deepEqual([await keys(), await waiting(), outcomes], [0, [], ['unknown', 'unknown']]);
    assert.match(lines[0] ?? '', /^event .* is about nothing that was ordered here$/);
  });
});

describe('of two fetches', () => {
  /** The fetch that begins later and ends first. */
  const inside = () => syncSubscription(database, stripeWith({ fetchSubscription: async () => later() }), 'sub_1');
  const later = () => answer({ status: 'active', plan: 'business' });
  const earlier = () => answer();

  test('the one that began later counts, whichever ends first', async () => {
    const fetchSubscription = async () => {
      const said = earlier();
      await inside();
      return said;
    };
    await syncSubscription(database, stripeWith({ fetchSubscription }), 'sub_1');
    assert.deepEqual(await stored(), [['sub_1', 'active']]);
  });

  test('one that began while all were compared counts', async () => {
    const listSubscriptions = async () => {
      const items = [earlier()];
      await inside();
      return { items, next: null };
    };
    await compareAll(jobWith(stripeWith({ listSubscriptions })).job, signal);
    assert.deepEqual(await stored(), [['sub_1', 'active']]);
  });
});

describe('what events did not tell', () => {
  test('is found: a checkout without its event, finished or given up', async () => {
    await database.kysely
      .updateTable('orders')
      .set({ session: 'cs_1', consented_at: new Date(Date.now() - DAY) })
      .execute();
    const open = { id: 'cs_1', url: null, orderId: 'order 1' };
    const given = jobWith(
      stripeWith({ findCheckout: async () => ({ ...open, status: 'expired', subscription: null }) }),
    );
    assert.equal(await checkOpenOrders(given.job), 1);
    const state = async () =>
      (await database.kysely.selectFrom('orders').select('state').executeTakeFirstOrThrow()).state;
    assert.equal(await state(), 'expired');
    await database.kysely.updateTable('orders').set({ state: 'open', ended_at: null }).execute();
    const finished = jobWith(
      stripeWith({
        findCheckout: async () => ({ ...open, status: 'complete', subscription: 'sub_1' }),
        fetchSubscription: async () => answer(),
      }),
    );
    assert.equal(await checkOpenOrders(finished.job), 1);
    assert.deepEqual([await state(), await stored()], ['done', [['sub_1', 'trialing']]]);
    assert.equal(await checkOpenOrders(finished.job), 0);
  });

  test('is found: a trial that ended without an event', async () => {
    const before = { trialEnd: Date.now() - DAY, periodEnd: Date.now() - DAY, fetchedAt: Date.now() - 2 * DAY };
    const first = jobWith(stripeWith({ fetchSubscription: async () => answer(before) }));
    await event('customer.subscription.created', 'sub_1');
    await lookAgain(first.job, signal);
    await database.kysely
      .updateTable('billing_subscriptions')
      .set({ fetched_at: new Date(before.fetchedAt) })
      .execute();
    const later = { status: 'active', trialEnd: before.trialEnd, periodEnd: Date.now() + 29 * DAY };
    const { job } = jobWith(stripeWith({ fetchSubscription: async () => answer(later) }));
    assert.equal(await checkOverdue(job), 1);
    assert.deepEqual(await stored(), [['sub_1', 'active']]);
    assert.equal(await checkOverdue(job), 0);
  });

  test('is found: events that were not delivered, page by page, those before one that is known as well', async () => {
    await event('customer.subscription.updated', 'sub_1', 'evt_3');
    const page = (ids: string[], next: string | null) => ({
      items: ids.map((id) => ({ id, type: 'customer.subscription.updated', object: 'sub_1' })),
      next,
    });
    const { job } = jobWith(
      stripeWith({
        listUndelivered: async (from) =>
          from === null ? page(['evt_4', 'evt_3'], 'evt_3') : page(['evt_2', 'evt_1'], null),
      }),
    );
    assert.equal(await fetchUndelivered(job, signal), 3);
    assert.deepEqual((await waiting()).sort(), ['evt_1', 'evt_2', 'evt_3', 'evt_4']);
  });

  test('is found although one of them cannot be looked at', async () => {
    const now = Date.now();
    for (const n of [1, 2]) {
      await anOrder(database, `order of ${n}`, `x${n}@exemplu.ro`);
      const fetched = aFetch(now - 5 * DAY, { fetchedAt: now - 5 * DAY + n });
      await storeFetch(database, { id: `sub_${n}`, customer: 'cus_1', orderId: `order of ${n}`, fetched });
    }
    const { job, lines } = jobWith(
      stripeWith({
        fetchSubscription: async (id) => {
          if (id === 'sub_1') throw new Error('broken');
          return answer({ status: 'active' }, id);
        },
      }),
    );
    await checkOverdue(job);
    const rows = await database.kysely.selectFrom('billing_subscriptions').select('status').orderBy('id').execute();
    assert.deepEqual(
      rows.map(({ status }) => status),
      ['trialing', 'active'],
    );
    assert.deepEqual(lines, ['subscription sub_1 could not be looked at: broken']);
  });

  test('is found although one of the checkouts cannot be looked at, unless several cannot', async () => {
    for (const n of [2, 3, 4]) await anOrder(database, `order ${n}`, `x${n}@exemplu.ro`);
    const consented_at = new Date(Date.now() - DAY);
    await database.kysely.updateTable('orders').set({ session: sql`'cs of ' || id`, consented_at }).execute();
    const asked: string[] = [];
    const broken = new Set(['cs of order 2']);
    const { job, lines } = jobWith(
      stripeWith({
        findCheckout: async (id) => {
          asked.push(id);
          if (broken.has(id)) throw new Error('broken');
          return { id, url: null, status: 'open', orderId: null, subscription: null };
        },
      }),
    );
    await checkOpenOrders(job);
    assert.equal(asked.length, 4);
    assert.deepEqual(lines, ['checkout cs of order 2 could not be looked at: broken']);
    for (const id of asked.splice(0)) broken.add(id);
    await checkOpenOrders(job);
    assert.equal(asked.length, 3, 'Stripe is away');
  });

  test('is found: every subscription, compared once a day', async () => {
    const { job, lines } = jobWith(
      stripeWith({
        listSubscriptions: async (from) =>
          from === null
            ? { items: [answer({ status: 'active' })], next: 'sub_1' }
            : { items: [{ ...answer({}, 'sub_2'), orderId: null }], next: null },
      }),
    );
    assert.equal(await compareAll(job, signal), 2);
    assert.deepEqual(await stored(), [['sub_1', 'active']]);
    assert.deepEqual(lines, ['subscription sub_2 at Stripe was not ordered here: it has no key']);
  });

  test('is done: what a customer has withdrawn from ends at Stripe, once it can be reached', async () => {
    await storeFetch(database, answer());
    await withdraw(database, 'sub_1', { name: 'Ana', email: 'ana@exemplu.ro', language: 'ro' });
    const away = jobWith(
      stripeWith({
        cancelNow: async () => {
          throw new Error('away');
        },
      }),
    );
    const paused = new Map<string, number>();
    for (let times = 0; times < 2; times += 1) assert.equal(await cancelWithdrawn(away.job, paused), 0);
    assert.equal(away.lines.length, 1, 'it waits a minute');
    assert.match(away.lines.join(), /sub_1 was withdrawn from, and is not cancelled at Stripe yet: away/);
    const cancelled: string[] = [];
    const { job } = jobWith(
      stripeWith({
        cancelNow: async (id) => cancelled.push(id) > 0,
        fetchSubscription: async () => (cancelled.length < 2 ? null : answer({ status: 'canceled' })),
      }),
    );
    const later = new Map<string, number>();
    for (let times = 0; times < 3; times += 1) await cancelWithdrawn(job, later);
    assert.deepEqual(cancelled, ['sub_1'], 'one that Stripe does not find waits, too');
    assert.deepEqual([await cancelWithdrawn(job), await cancelWithdrawn(job)], [1, 0]);
  });
});

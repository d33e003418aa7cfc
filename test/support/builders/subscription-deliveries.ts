/** How events of random lives arrive, and what must hold of the stored subscription and its key after each fetch. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { standing } from '../../../src/domain/billing/standing.ts';
import { type FetchedSubscription, mergeFetched } from '../../../src/domain/billing/subscription.ts';
import { storeFetch, subscriptionsOf } from '../../../src/store/billing/billing-subscriptions.ts';
import type { Database } from '../../../src/store/connection/database.ts';
import { anOrder } from './billing-fixture.ts';
import { fetchAt, LIFE_START, type SubscriptionState, subscriptionLives } from './subscription-lives.ts';

const DAY = 24 * 3_600_000;

/** Of each change: how often its event comes, and after how long each time; none = it is lost. */
const deliveries = fc.array(fc.array(fc.integer({ min: 0, max: 3 * DAY }), { maxLength: 3 }), {
  ...{ minLength: 13, maxLength: 13 },
});
/** Whether two fetches of neighbouring events overlap, so that the one that began first is stored last. */
const overlaps = fc.array(fc.boolean(), { minLength: 40, maxLength: 40 });

/**
 * Events twice, late up to three days, in any order or never: there is one key and one mail with it, no fetch opens it
 * after the end, and none closes it while the subscription is active. The last verdict is that of a single fetch.
 */
export async function assertDeliveries(
  database: Database,
  parameters: { readonly numRuns: number; readonly seed: number },
): Promise<void> {
  let lives = 0;
  const property = fc.asyncProperty(subscriptionLives, deliveries, overlaps, async (life, delays, overlapping) => {
    lives += 1;
    const id = `sub_${parameters.seed}_${lives}`;
    const order = `order of ${id}`;
    const accountId = await anOrder(database, order, `${id}@exemplu.ro`);
    let latest = 0;
    let first: string | null = null;
    for (const fetched of storedInOrder(life, delays, overlapping)) {
      await storeFetch(database, { id, customer: `cus ${id}`, orderId: order, fetched });
      latest = Math.max(latest, fetched.fetchedAt);
      first ??= fetched.status;
      await assertVerdict(database, accountId, fetchAt(life, latest));
    }
    const last = (life.at(-1) as SubscriptionState).at + 4 * DAY;
    const final = fetchAt(life, last);
    await storeFetch(database, { id, customer: `cus ${id}`, orderId: order, fetched: final });
    const [stored] = await subscriptionsOf(database.kysely, accountId);
    assert.ok(stored);
    if (final.status !== 'past_due' && final.status !== 'suspended')
      assert.equal(standing(stored.facts, last).isOpen, standing(mergeFetched(null, final, 'pro'), last).isOpen);
    // One that had ended before it was first seen needs no key.
    await assertKeys(database, accountId, id, first === 'canceled' ? 0 : 1);
  });
  await fc.assert(property, parameters);
}

/** The fetches that the events lead to, in the order in which they are stored. */
function storedInOrder(
  life: readonly SubscriptionState[],
  delays: readonly (readonly number[])[],
  overlapping: readonly boolean[],
): FetchedSubscription[] {
  const arrivals = life.flatMap(({ at }, change) => (delays[change] ?? []).map((delay) => at + delay));
  // The customer opens the page after the checkout, whatever becomes of the events.
  const moments = [LIFE_START + 1, ...arrivals].sort((a, b) => a - b);
  const fetches = moments.map((at) => fetchAt(life, at));
  for (let each = 0; each + 1 < fetches.length; each += 2)
    if (overlapping[each / 2] === true)
      fetches.splice(each, 2, fetches[each + 1] as FetchedSubscription, fetches[each] as FetchedSubscription);
  return fetches;
}

/** What is stored is what the latest fetch said, whichever was stored last. */
async function assertVerdict(
  database: Database,
  accountId: number,
  { status, fetchedAt }: FetchedSubscription,
): Promise<void> {
  const [stored] = await subscriptionsOf(database.kysely, accountId);
  assert.ok(stored);
  // Of a status that we do not know, the last known one stays.
  if (status !== 'suspended') assert.equal(stored.facts.status, status);
  const { isOpen } = standing(stored.facts, fetchedAt);
  if (status === 'canceled') assert.equal(isOpen, false, 'open after the end');
  if (status === 'active' || status === 'trialing') assert.equal(isOpen, true, 'closed while active');
}

async function assertKeys(database: Database, accountId: number, id: string, wanted: 0 | 1): Promise<void> {
  const keys = await database.kysely.selectFrom('api_keys').select('id').where('account_id', '=', accountId).execute();
  const mails = await database.kysely
    .selectFrom('mails')
    .select('id')
    .where('kind', '=', 'key')
    .where('occasion', '=', id)
    .execute();
  assert.deepEqual([keys.length, mails.length], [wanted, wanted]);
}

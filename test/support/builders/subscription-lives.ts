/** Random lives of subscriptions, and what must hold of them however they are looked at. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { standing } from '../../../src/domain/billing/standing.ts';
import {
  type FetchedSubscription,
  mergeFetched,
  type SubscriptionFacts,
} from '../../../src/domain/billing/subscription.ts';

const DAY = 24 * 3_600_000;
export const LIFE_START = Date.UTC(2026, 10, 22, 15);

/** A state of the simulated subscription at Stripe, from `at` on. */
export type SubscriptionState = Omit<FetchedSubscription, 'fetchedAt'> & { readonly at: number };

const statuses = fc.constantFrom('trialing', 'active', 'past_due', 'unpaid', 'paused', 'suspended');
/** A life: states in order, of which nothing follows a cancellation. */
export const subscriptionLives = fc
  .array(
    fc.record({
      status: statuses,
      plan: fc.constantFrom('starter', 'pro', 'business', null),
      after: fc.integer({ min: 1, max: 20 * DAY }),
      period: fc.integer({ min: DAY, max: 31 * DAY }),
      cancels: fc.boolean(),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .chain((steps) => fc.record({ steps: fc.constant(steps), isCanceled: fc.boolean() }))
  .map(({ steps, isCanceled }) => {
    let at = LIFE_START;
    const states: SubscriptionState[] = steps.map(({ status, plan, after, period, cancels }) => {
      at += after;
      const periodEnd = at + period;
      return { at, status, plan, trialEnd: null, periodEnd, cancelAt: cancels ? periodEnd : null } as SubscriptionState;
    });
    const last = states.at(-1) as SubscriptionState;
    if (isCanceled) states.push({ ...last, at: at + 1, status: 'canceled' });
    return states;
  });

const stateAt = (life: readonly SubscriptionState[], at: number): SubscriptionState =>
  (life.findLast((state) => state.at <= at) ?? life[0]) as SubscriptionState;

/** A fetch that began at `at`. */
export const fetchAt = (life: readonly SubscriptionState[], at: number): FetchedSubscription => {
  const { at: _, ...state } = stateAt(life, at);
  return { ...state, fetchedAt: at };
};

/** Fetches in any order and number leave the verdict of the latest of them, whatever the life of a subscription. */
export function assertVerdictOfLatest(parameters: { readonly numRuns: number; readonly seed: number }): void {
  const property = fc.property(
    subscriptionLives,
    fc.array(fc.integer({ min: LIFE_START, max: LIFE_START + 300 * DAY }), { minLength: 1, maxLength: 20 }),
    fc.infiniteStream(fc.nat()),
    (life, moments, random) => {
      const end = Math.max(...moments, (life.at(-1) as SubscriptionState).at) + 1;
      const fetches = [...moments, end].map((at) => fetchAt(life, at));
      const shuffled = fetches
        .map((fetched) => ({ fetched, rank: random.next().value as number }))
        .sort((a, b) => a.rank - b.rank)
        .map(({ fetched }) => fetched);
      const merged = shuffled.reduce<SubscriptionFacts | null>(
        (stored, fetched) => mergeFetched(stored, fetched, 'pro'),
        null,
      ) as SubscriptionFacts;
      const { status, plan } = stateAt(life, end);
      const verdict = standing(merged, end);
      if (status === 'canceled') assert.equal(verdict.isOpen, false);
      if (status === 'active' || status === 'trialing') assert.equal(verdict.isOpen, true);
      if (status !== 'suspended') assert.equal(merged.status, status);
      if (plan !== null) assert.equal(merged.plan, plan);
    },
  );
  fc.assert(property, parameters);
}

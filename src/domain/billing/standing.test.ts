import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { assertVerdictOfLatest } from '../../../test/support/builders/subscription-lives.ts';
import { nextCheckAt, PAYMENT_GRACE_MS, standing, UNCONFIRMED_MS } from './standing.ts';
import { mergeFetched, type SubscriptionFacts } from './subscription.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 10, 22, 15);

const TRIAL: SubscriptionFacts = {
  status: 'trialing',
  plan: 'pro',
  trialEnd: START + 3 * DAY,
  periodEnd: START + 3 * DAY,
  cancelAt: null,
  fetchedAt: START,
  pastDueSince: null,
  statusSince: START,
  disputedAt: null,
  withdrawnAt: null,
  unrecognized: null,
};
const PAST_DUE: SubscriptionFacts = {
  ...TRIAL,
  status: 'past_due',
  periodEnd: START + 33 * DAY,
  fetchedAt: START + 3 * DAY,
  pastDueSince: START + 3 * DAY,
};

describe('a key is served', () => {
  it('during the trial, and 72 hours longer while Stripe says nothing', () => {
    assert.equal(UNCONFIRMED_MS, 72 * 3_600_000);
    const until = START + 3 * DAY + UNCONFIRMED_MS;
    assert.deepEqual(standing(TRIAL, until - 1), { isOpen: true, reason: 'trial', until });
    assert.deepEqual(standing(TRIAL, until), { isOpen: false, reason: 'unconfirmed' });
  });

  it('during a paid period, and until 72 hours after Stripe last confirmed it', () => {
    const active = { ...TRIAL, status: 'active', trialEnd: null, periodEnd: START + 30 * DAY } as const;
    assert.deepEqual(standing(active, START), {
      isOpen: true,
      reason: 'active',
      until: START + 30 * DAY + UNCONFIRMED_MS,
    });
    const confirmed = { ...active, fetchedAt: START + 31 * DAY };
    assert.equal(standing(confirmed, START + 31 * DAY + UNCONFIRMED_MS - 1).isOpen, true);
    assert.equal(standing(confirmed, START + 31 * DAY + UNCONFIRMED_MS).isOpen, false);
  });

  it('until the end that the customer chose, not until the end of the period', () => {
    const ending = { ...TRIAL, status: 'active', trialEnd: null, periodEnd: START + 30 * DAY, cancelAt: START + DAY };
    assert.deepEqual(standing(ending as SubscriptionFacts, START), {
      isOpen: true,
      reason: 'active',
      until: START + DAY + UNCONFIRMED_MS,
    });
  });

  it('no longer than what is paid, if the end was chosen for later', () => {
    const periodEnd = START + 30 * DAY;
    const ending = { ...TRIAL, status: 'active', trialEnd: null, periodEnd, cancelAt: START + 300 * DAY } as const;
    assert.equal(standing(ending, periodEnd + UNCONFIRMED_MS).isOpen, false);
  });

  it('for 7 days after we first saw a failed payment, though the period is a month ahead', () => {
    const end = START + 3 * DAY + PAYMENT_GRACE_MS;
    assert.deepEqual(standing(PAST_DUE, end - 1), { isOpen: true, reason: 'grace', until: end + UNCONFIRMED_MS });
    const confirmed = { ...PAST_DUE, fetchedAt: end };
    assert.deepEqual(standing(confirmed, end), { isOpen: false, reason: 'overdue' });
    assert.deepEqual(standing(PAST_DUE, end + UNCONFIRMED_MS), { isOpen: false, reason: 'overdue' });
  });

  it('never in any other status, after a withdrawal or under a dispute', () => {
    const closed = ['unpaid', 'paused', 'incomplete', 'incomplete_expired', 'canceled'] as const;
    for (const status of closed) assert.equal(standing({ ...TRIAL, status }, START).isOpen, false, status);
    assert.deepEqual(standing({ ...TRIAL, withdrawnAt: START }, START), { isOpen: false, reason: 'withdrawn' });
    assert.deepEqual(standing({ ...TRIAL, disputedAt: START }, START), { isOpen: false, reason: 'disputed' });
  });
});

describe('Stripe is asked again', () => {
  it('when the trial, the period, the chosen end or the grace is over', () => {
    assert.equal(nextCheckAt(TRIAL), START + 3 * DAY);
    assert.equal(nextCheckAt({ ...TRIAL, cancelAt: START + DAY }), START + DAY);
    assert.equal(nextCheckAt(PAST_DUE), START + 3 * DAY + PAYMENT_GRACE_MS);
    assert.equal(nextCheckAt({ ...TRIAL, fetchedAt: START + 4 * DAY }), null);
    assert.equal(nextCheckAt({ ...TRIAL, status: 'canceled' }), null);
  });
});

test('fetches in any order and number leave the verdict of the latest of them', () => {
  assertVerdictOfLatest({ numRuns: 500, seed: 15 });
});

test('a cancellation is final, and a grace counts from the first fetch that saw it', () => {
  const canceled = mergeFetched(TRIAL, { ...TRIAL, status: 'canceled', fetchedAt: START + 1 }, 'pro');
  assert.equal(mergeFetched(canceled, { ...TRIAL, status: 'active', fetchedAt: START + 2 }, 'pro'), canceled);
  const again = mergeFetched(PAST_DUE, { ...PAST_DUE, fetchedAt: START + 5 * DAY }, 'pro');
  assert.equal(again.pastDueSince, START + 3 * DAY);
  assert.equal(
    mergeFetched(again, { ...again, status: 'active', fetchedAt: START + 6 * DAY }, 'pro').pastDueSince,
    null,
  );
});

test('a status or price that we do not know leaves the known one and is noted', () => {
  const odd = mergeFetched(TRIAL, { ...TRIAL, status: 'suspended', fetchedAt: START + 1 }, 'pro');
  assert.deepEqual([odd.status, odd.unrecognized], ['trialing', 'status suspended']);
  const price = mergeFetched(TRIAL, { ...TRIAL, plan: null, fetchedAt: START + 1 }, 'starter');
  assert.deepEqual([price.plan, price.unrecognized], ['pro', 'price']);
  assert.equal(standing(mergeFetched(null, { ...TRIAL, status: 'suspended' }, 'pro'), START).isOpen, false);
});

/**
 * Whether the key of a subscription is served, why, and until when: the verdict on what is known of it at a moment, the
 * way verdicts on prices are made. It is never stored.
 */
import type { SubscriptionFacts, SubscriptionStatus } from './subscription.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How long a key is served after a payment failed, from when we first saw it. */
export const PAYMENT_GRACE_MS = 7 * DAY_MS;
/** How long the last verdict stands past its end while Stripe says nothing newer: its outage closes no paid key. */
export const UNCONFIRMED_MS = 72 * HOUR_MS;

/** Why a key is served. */
type OpenReason = 'trial' | 'active' | 'grace';
/** Why it is not. `unconfirmed`: Stripe has said nothing for 72 hours past the end of what it last said. */
export type ClosedReason = 'withdrawn' | 'disputed' | 'ended' | 'overdue' | 'paused' | 'incomplete' | 'unconfirmed';

export type Standing =
  | {
      readonly isOpen: true;
      readonly reason: OpenReason;
      /** When time alone closes it, unless Stripe says something newer; epoch ms. */
      readonly until: number;
    }
  | { readonly isOpen: false; readonly reason: ClosedReason };

const CLOSED: Readonly<Partial<Record<SubscriptionStatus, ClosedReason>>> = {
  unpaid: 'overdue',
  paused: 'paused',
  incomplete: 'incomplete',
  incomplete_expired: 'ended',
  canceled: 'ended',
};

/** The part of the facts that decides. */
type DecidingFacts = Omit<SubscriptionFacts, 'plan' | 'unrecognized' | 'statusSince'>;

/** The verdict at `now`, epoch ms. */
export function standing(facts: DecidingFacts, now: number): Standing {
  const closed = closedBy(facts);
  if (closed !== null) return { isOpen: false, reason: closed };
  const { reason, until } = facts.status === 'past_due' ? graceOf(facts) : periodOf(facts);
  if (now < until) return { isOpen: true, reason, until };
  return { isOpen: false, reason: reason === 'grace' ? 'overdue' : 'unconfirmed' };
}

function closedBy({ status, withdrawnAt, disputedAt }: DecidingFacts): ClosedReason | null {
  if (withdrawnAt !== null) return 'withdrawn';
  if (disputedAt !== null) return 'disputed';
  return CLOSED[status] ?? null;
}

type Open = { readonly reason: OpenReason; readonly until: number };

/** The grace ends after 7 days, but only once Stripe has confirmed since then that the payment is still overdue. */
function graceOf({ pastDueSince, fetchedAt }: DecidingFacts): Open {
  const end = (pastDueSince ?? fetchedAt) + PAYMENT_GRACE_MS;
  return { reason: 'grace', until: fetchedAt >= end ? end : end + UNCONFIRMED_MS };
}

/** A status that Stripe confirmed after the end of the period holds from then on. */
function periodOf({ status, trialEnd, periodEnd, cancelAt, fetchedAt }: DecidingFacts): Open {
  const isTrial = status === 'trialing';
  const paidUntil = isTrial ? (trialEnd ?? periodEnd) : periodEnd;
  // An end that was chosen for later than the next charge says nothing of that charge.
  const end = Math.min(paidUntil, cancelAt ?? paidUntil);
  return { reason: isTrial ? 'trial' : 'active', until: Math.max(end, fetchedAt) + UNCONFIRMED_MS };
}

/** When Stripe should be asked again because time has made the facts old, even if no event comes; epoch ms. */
export function nextCheckAt(facts: DecidingFacts): number | null {
  const { status, trialEnd, periodEnd, cancelAt, pastDueSince, fetchedAt } = facts;
  if (closedBy(facts) !== null) return null;
  const ends = [
    status === 'trialing' ? trialEnd : null,
    periodEnd,
    cancelAt,
    pastDueSince === null ? null : pastDueSince + PAYMENT_GRACE_MS,
  ];
  const ahead = ends.filter((end): end is number => end !== null && end > fetchedAt);
  return ahead.length === 0 ? null : Math.min(...ahead);
}

/** The deadline of requests that need Stripe. */
import { TimeoutError, withTimeout } from '../../concurrency/with-timeout.ts';

/** How long a request waits for Stripe and for what follows of its answers. */
const STRIPE_DEADLINE_MS = 4_000;

/**
 * Rejects with a `TimeoutError` where it takes longer. Only the wait ends: what Stripe says later is stored then, and
 * what is lost with this process a worker finds.
 */
export function withStripeDeadline<T>(work: Promise<T>): Promise<T> {
  return withTimeout(
    STRIPE_DEADLINE_MS,
    work,
    () => new TimeoutError(`it was not done within ${STRIPE_DEADLINE_MS / 1_000} s`),
  );
}

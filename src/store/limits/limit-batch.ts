/** How limits query the database: many requests per statement, each decided in time for its answer or given back. */
import { type BatchOptions, batched } from '../../concurrency/batch.ts';
import { withTimeout } from '../../concurrency/with-timeout.ts';
import type { BatchSeries } from '../../telemetry/batch-counts.ts';
import { traced } from '../../telemetry/tracing.ts';

/** The database did not decide in time, or is unavailable. */
export class LimitsUnavailable extends Error {
  override name = 'LimitsUnavailable';
}

/**
 * Measured with 5,000 keys and requests a second: 10 ms cost the database 27 µs a request and half of the answers 9 ms,
 * 20 ms cost 23 µs and 16 ms, 25 ms cost 21 µs and 19 ms.
 */
const BATCH_INTERVAL_MS = 10;
/** The contract requires a refusal within a second. */
const DECISION_TIMEOUT_MS = 800;
/** The connection of a statement that takes longer is dropped: no request waits for it any more. */
export const STATEMENT_TIMEOUT_MS = 1_000;

type LimitBatchOptions<Q, A> = Pick<BatchOptions<Q, A>, 'runBatch' | 'onLateAnswers'> & {
  readonly timeoutMs?: number;
  readonly series: BatchSeries;
};

/**
 * Returns a function that resolves with a durable decision on one item, or rejects with `LimitsUnavailable`. Decisions
 * that come after that go to `onLateAnswers`. Whether a statement that failed, or whose connection was lost or dropped,
 * decided anything is unknown: what it counted stays counted.
 */
export function batchLimits<Q, A>({
  runBatch,
  timeoutMs = DECISION_TIMEOUT_MS,
  series,
  ...options
}: LimitBatchOptions<Q, A>): (item: Q) => Promise<A> {
  const onBatch: BatchOptions<Q, A>['onBatch'] = (...batch) => series.count(...batch);
  const ask = batched<Q, A>({
    ...options,
    runBatch: (items) =>
      traced('decide on limits', { 'pompa.batch.size': items.length, 'db.system.name': 'postgresql' }, () =>
        runBatch(items),
      ),
    timeoutMs,
    intervalMs: BATCH_INTERVAL_MS,
    Unavailable: LimitsUnavailable,
    onBatch,
  });
  return (item) => traced('wait for the limits', {}, () => ask(item));
}

/** Settles as the decision does; rejects with `LimitsUnavailable` if it takes longer than `ms`. */
export function decidedWithin<T>(ms: number, decision: Promise<T>): Promise<T> {
  return withTimeout(ms, decision, () => new LimitsUnavailable('no answer in time'));
}

/** Batches items: under load, those that arrive within a few milliseconds are processed together. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { OutageProbe } from './outage-probe.ts';
import { startTimeout, withTimeout } from './with-timeout.ts';

/** A batch failed, timed out, or failed a moment ago. */
class BatchUnavailable extends Error {
  override name = 'BatchUnavailable';
}

export type BatchOptions<Q, A> = {
  /** Answers all items, in their order. Without any it changes nothing, but fails whenever it would fail with some. */
  readonly runBatch: (items: readonly Q[]) => Promise<readonly A[]>;
  /**
   * The most time between the starts of two batches, one of which may take longer. A batch starts sooner when few items
   * come, and when as many wait as one of the last batches had: then all who ask again after an answer have done so.
   */
  readonly intervalMs: number;
  /**
   * An item without an answer after this time is rejected; a batch that takes this long has failed. An item that still
   * waits then is sent all the same: those that follow it must find what it did.
   */
  readonly timeoutMs: number;
  /**
   * After a failure, items are rejected immediately for this long; after two in a row, until `runBatch` succeeds
   * without items in the background.
   */
  readonly failurePauseMs?: number;
  /** Maximum number of items in a batch. */
  readonly maxBatchSize?: number;
  /** Told of each batch when it has ended: how many items it had, how long it took, whether it failed. */
  readonly onBatch?: (size: number, ms: number, isFailure: boolean) => void;
  /**
   * Told of answers that come after their items were rejected, in the order of the items; must not throw. What a batch
   * did that fails, however late, is unknown: nobody is told of it.
   */
  readonly onLateAnswers?: (items: readonly Q[], answers: readonly A[]) => void;
  /** The error of rejected items, `BatchUnavailable` by default; errors of `runBatch` of this class are passed on. */
  readonly Unavailable?: new (
    message: string,
    options?: ErrorOptions,
  ) => Error;
};

const FAILURE_PAUSE_MS = 250;
const MAX_BATCH_SIZE = 500;
/** So few items within an interval do not wait for each other. */
const FEW_ITEMS = 8;
/** Whoever stops asking is waited for this many times. */
const REMEMBERED_SIZES = 4;

type PendingItem<Q, A> = {
  readonly item: Q;
  /** When it times out, by `performance.now()`. */
  readonly due: number;
  readonly resolve: (answer: A) => void;
  readonly reject: (why: Error) => void;
};

/** Returns a function that submits one item and resolves with its answer. */
export function batched<Q, A>(options: BatchOptions<Q, A>): (item: Q) => Promise<A> {
  const {
    runBatch,
    intervalMs,
    timeoutMs,
    failurePauseMs = FAILURE_PAUSE_MS,
    maxBatchSize = MAX_BATCH_SIZE,
    Unavailable = BatchUnavailable,
    onBatch,
    onLateAnswers,
  } = options;
  let waiting: PendingItem<Q, A>[] = [];
  /** The batch under way. */
  let inFlight: PendingItem<Q, A>[] = [];
  /** Items that were due by then, by `performance.now()`, are rejected already. */
  let rejectedUntil = Number.NEGATIVE_INFINITY;
  /** The next batch: `now` in this turn of the event loop, a timer at the end of the interval. */
  let next: 'now' | NodeJS.Timeout | undefined;
  let begunAt = Number.NEGATIVE_INFINITY;
  /** Items that came since the batch before, as so many within an interval. */
  let itemsPerInterval = 0;
  let lastSizes: readonly number[] = [];
  const late = () => new Unavailable('no answer in time');
  const runInTime = async (items: readonly Q[]) => {
    const answers = runBatch(items);
    try {
      return await withTimeout(timeoutMs, answers, late);
    } catch (error) {
      void answers.then(
        (all) => onLateAnswers?.(items, all),
        () => undefined,
      );
      throw error;
    }
  };
  const outage = new OutageProbe({ probe: () => runInTime([]), pauseMs: failurePauseMs });

  // A batch is nobody's in particular: what it logs does not belong to the item that happened to start it.
  const outside = AsyncLocalStorage.snapshot();
  const runOutside = () => outside(run);
  const isDue = () => itemsPerInterval < FEW_ITEMS || waiting.length >= Math.min(maxBatchSize, Math.max(...lastSizes));
  const schedule = () => {
    if (next === 'now' || inFlight.length > 0 || waiting.length === 0) return;
    const left = isDue() ? 0 : begunAt + intervalMs - performance.now();
    if (left > 0) {
      next ??= setTimeout(runOutside, left);
    } else {
      clearTimeout(next);
      next = 'now';
      setImmediate(runOutside);
    }
  };
  const answersOrError = async (batch: readonly PendingItem<Q, A>[]): Promise<readonly A[] | Error> => {
    try {
      return await runInTime(batch.map(({ item }) => item));
    } catch (error) {
      return error instanceof Unavailable ? error : new Unavailable((error as Error).message, { cause: error });
    }
  };
  /** Items become due in the order in which they came. */
  const reportLate = (batch: readonly PendingItem<Q, A>[], answers: readonly A[]) => {
    if ((batch[0]?.due ?? Number.POSITIVE_INFINITY) > rejectedUntil) return;
    const overdue = batch.filter(({ due }) => due <= rejectedUntil).map(({ item }) => item);
    onLateAnswers?.(overdue, answers.slice(0, overdue.length));
  };
  const run = async () => {
    inFlight = waiting.slice(0, maxBatchSize);
    waiting = waiting.slice(maxBatchSize);
    next = undefined;
    const now = performance.now();
    itemsPerInterval = (inFlight.length / (now - begunAt)) * intervalMs;
    lastSizes = [inFlight.length, ...lastSizes].slice(0, REMEMBERED_SIZES);
    begunAt = now;
    const answers = await answersOrError(inFlight);
    const batch = inFlight;
    onBatch?.(batch.length, performance.now() - now, answers instanceof Error);
    inFlight = [];
    if (answers instanceof Error) {
      outage.failed();
      // Items that arrived meanwhile would most likely wait as long and fail.
      const all = [...batch, ...waiting];
      waiting = [];
      for (const { reject } of all) reject(answers);
    } else {
      outage.succeeded();
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as A);
      reportLate(batch, answers);
    }
    if (waiting.length === 0) timeouts.stop();
    schedule();
  };
  // Separate from the batch's timeout: an item may wait for the previous batch.
  const timeouts = createTimeoutWatcher((now) => {
    rejectedUntil = now;
    for (const { due, reject } of [...inFlight, ...waiting]) {
      if (due > now) return due;
      reject(late());
    }
    return undefined;
  });
  return (item) => {
    if (outage.isPaused) return Promise.reject(new Unavailable('a batch failed a moment ago'));
    const now = performance.now();
    return new Promise((resolve, reject) => {
      waiting.push({ item, due: now + timeoutMs, resolve, reject });
      timeouts.watch(timeoutMs);
      schedule();
    });
  };
}

/**
 * Calls `rejectOverdue` when an item is due; it returns when the next one is. All items share one timer: one per item
 * costs more than its share of a batch.
 */
function createTimeoutWatcher(rejectOverdue: (now: number) => number | undefined) {
  let cancel: (() => void) | undefined;
  const watch = (ms: number) => {
    cancel ??= startTimeout(ms, check);
  };
  const check = (now: number) => {
    cancel = undefined;
    const nextDue = rejectOverdue(now);
    if (nextDue !== undefined) watch(nextDue - now);
  };
  const stop = () => {
    cancel?.();
    cancel = undefined;
  };
  return { watch, stop };
}

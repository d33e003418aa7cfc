/** Batches questions: those asked within a few milliseconds are answered together. */
import { withTimeout } from './with-timeout.ts';

/** A batch failed, timed out, or failed a moment ago. */
class BatchUnavailable extends Error {
  override name = 'BatchUnavailable';
}

export type BatchOptions<Q, A> = {
  /** Answers all questions, in their order. */
  readonly ask: (questions: readonly Q[]) => Promise<readonly A[]>;
  /** Minimum time between the starts of two batches; the first question after a quiet time is sent at once. */
  readonly intervalMs: number;
  /** A question without an answer after this time is rejected; a batch that takes this long has failed. */
  readonly timeoutMs: number;
  /** After a failure, questions are rejected immediately for this long. */
  readonly failurePauseMs?: number;
  /** Maximum number of questions in a batch. */
  readonly maxBatchSize?: number;
  /** The error of rejected questions, `BatchUnavailable` by default; `ask` errors of this class are passed on. */
  readonly Unavailable?: new (
    message: string,
    options?: ErrorOptions,
  ) => Error;
};

const FAILURE_PAUSE_MS = 250;
const MAX_BATCH_SIZE = 500;

type PendingQuestion<Q, A> = {
  readonly question: Q;
  /** When it times out, by `performance.now()`. */
  readonly due: number;
  readonly resolve: (answer: A) => void;
  readonly reject: (why: Error) => void;
};

/** Returns a function that asks one question and resolves with its answer. */
export function batched<Q, A>(options: BatchOptions<Q, A>): (question: Q) => Promise<A> {
  const {
    ask,
    intervalMs,
    timeoutMs,
    failurePauseMs = FAILURE_PAUSE_MS,
    maxBatchSize = MAX_BATCH_SIZE,
    Unavailable = BatchUnavailable,
  } = options;
  let waiting: PendingQuestion<Q, A>[] = [];
  /** The batch under way. */
  let inFlight: PendingQuestion<Q, A>[] = [];
  let scheduled = false;
  let begunAt = Number.NEGATIVE_INFINITY;
  let failedAt = Number.NEGATIVE_INFINITY;

  const schedule = () => {
    if (scheduled || inFlight.length > 0 || waiting.length === 0) return;
    scheduled = true;
    const left = waiting.length >= maxBatchSize ? 0 : begunAt + intervalMs - performance.now();
    if (left <= 0) setImmediate(run);
    else setTimeout(run, left);
  };
  const late = () => new Unavailable('no answer in time');
  const answersOrError = async (batch: readonly PendingQuestion<Q, A>[]): Promise<readonly A[] | Error> => {
    try {
      const questions = batch.map(({ question }) => question);
      return await withTimeout(timeoutMs, ask(questions), late);
    } catch (error) {
      return error instanceof Unavailable ? error : new Unavailable((error as Error).message, { cause: error });
    }
  };
  const run = async () => {
    inFlight = waiting.slice(0, maxBatchSize);
    waiting = waiting.slice(maxBatchSize);
    scheduled = false;
    begunAt = performance.now();
    const answers = await answersOrError(inFlight);
    const batch = inFlight;
    inFlight = [];
    if (answers instanceof Error) {
      failedAt = performance.now();
      // Questions that arrived meanwhile would most likely wait as long in vain.
      const all = [...batch, ...waiting];
      waiting = [];
      for (const { reject } of all) reject(answers);
    } else {
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as A);
    }
    if (waiting.length === 0) timeouts.stop();
    schedule();
  };
  // Separate from the batch's timeout: a question may wait for the previous batch.
  const timeouts = createTimeoutWatcher(() => [...inFlight, ...waiting], late);
  return (question) => {
    const now = performance.now();
    if (now < failedAt + failurePauseMs) return Promise.reject(new Unavailable('a batch failed a moment ago'));
    return new Promise((resolve, reject) => {
      waiting.push({ question, due: now + timeoutMs, resolve, reject });
      timeouts.watch(timeoutMs);
      schedule();
    });
  };
}

/** Rejects overdue questions. All share one timer: one per question costs more than its share of a batch. */
function createTimeoutWatcher<Q, A>(all: () => PendingQuestion<Q, A>[], late: () => Error) {
  let timer: NodeJS.Timeout | undefined;
  const watch = (ms: number) => {
    timer ??= setTimeout(rejectOverdue, ms);
  };
  const rejectOverdue = () => {
    timer = undefined;
    const now = performance.now();
    for (const { due, reject } of all()) {
      if (due > now) return watch(due - now);
      reject(late());
    }
  };
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  return { watch, stop };
}

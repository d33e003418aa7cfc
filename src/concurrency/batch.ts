/** Many small questions to the database as few statements: what is asked within a few milliseconds goes together. */

/** The database did not decide in time, or cannot be asked. */
export class LimitsUnavailable extends Error {
  override name = 'LimitsUnavailable';
}

export type BatchOptions<Q, A> = {
  /** Answers all, in their order. */
  readonly ask: (questions: readonly Q[]) => Promise<readonly A[]>;
  /** One batch begins no sooner than this after the one before; the first question after a quiet time goes at once. */
  readonly intervalMs?: number;
  /** Whoever has no answer after this time gets `Undecided`; a batch that took so long has failed. */
  readonly timeoutMs?: number;
  /** After a failure whoever asks is told `Undecided` at once, for so long. */
  readonly failurePauseMs?: number;
  /** Questions in one batch. */
  readonly maxBatchSize?: number;
};

/** Measured with 5,000 keys at 5,000 requests a second: 10 ms cost the database 27 µs a request, 20 ms 23 µs, 25 ms 21 µs. */
const INTERVAL_MS = 25;
/** The contract asks for a refusal within a second. */
const TIMEOUT_MS = 800;
/** What a batch still has under way at the database after this time nobody waits for: it is cut off. */
export const DEADLINE_MS = 1_000;
const FAILURE_PAUSE_MS = 250;
const MAX_BATCH_SIZE = 500;

type PendingQuestion<Q, A> = {
  readonly question: Q;
  /** When it has waited long enough, by `performance.now()`. */
  readonly due: number;
  readonly resolve: (answer: A) => void;
  readonly reject: (why: LimitsUnavailable) => void;
};

/** Makes a function that asks one question; answers come when what was decided is durable. */
export function batched<Q, A>(options: BatchOptions<Q, A>): (question: Q) => Promise<A> {
  const {
    ask,
    intervalMs = INTERVAL_MS,
    timeoutMs = TIMEOUT_MS,
    failurePauseMs = FAILURE_PAUSE_MS,
    maxBatchSize = MAX_BATCH_SIZE,
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
  const run = async () => {
    inFlight = waiting.slice(0, maxBatchSize);
    waiting = waiting.slice(maxBatchSize);
    scheduled = false;
    begunAt = performance.now();
    const answers = await errorOrResult(timeoutMs, () => ask(inFlight.map(({ question }) => question)));
    const batch = inFlight;
    inFlight = [];
    if (answers instanceof LimitsUnavailable) {
      failedAt = performance.now();
      // Whoever came meanwhile would wait as long again for a database that does not answer.
      const all = [...batch, ...waiting];
      waiting = [];
      for (const { reject } of all) reject(answers);
    } else {
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as A);
    }
    if (waiting.length === 0) timeouts.rest();
    schedule();
  };
  // Of their own: a question may wait for the batch before its own.
  const timeouts = createTimeoutWatcher(() => [...inFlight, ...waiting]);
  return (question) => {
    const now = performance.now();
    if (now < failedAt + failurePauseMs)
      return Promise.reject(new LimitsUnavailable('the database failed a moment ago'));
    return new Promise((resolve, reject) => {
      waiting.push({ question, due: now + timeoutMs, resolve, reject });
      timeouts.watch(timeoutMs);
      schedule();
    });
  };
}

/** Tells those whose time is over. One timer for all of them: its own for each costs more than its part of a batch. */
function createTimeoutWatcher<Q, A>(all: () => PendingQuestion<Q, A>[]) {
  let timer: NodeJS.Timeout | undefined;
  const watch = (ms: number) => {
    timer ??= setTimeout(rejectOverdue, ms);
  };
  const rejectOverdue = () => {
    timer = undefined;
    const now = performance.now();
    for (const { due, reject } of all()) {
      if (due > now) return watch(due - now);
      reject(new LimitsUnavailable('no answer in time'));
    }
  };
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  return { watch, rest: stop };
}

/** What is asked; rejects with `Undecided` when that is not there after `ms`, whatever becomes of it then. */
export async function withTimeout<T>(ms: number, promise: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new LimitsUnavailable('no answer in time')), ms);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function errorOrResult<T>(ms: number, work: () => Promise<T>): Promise<T | LimitsUnavailable> {
  try {
    return await withTimeout(ms, work());
  } catch (error) {
    return error instanceof LimitsUnavailable
      ? error
      : new LimitsUnavailable((error as Error).message, { cause: error });
  }
}

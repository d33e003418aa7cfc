/** Long work in slices: between two of them the event loop does other work. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Yields the items, `size` at a time, each slice in its own turn of the event loop. */
export async function* inSlices<T>(items: readonly T[], size: number): AsyncGenerator<readonly T[], void, void> {
  for (let from = 0; from < items.length; from += size) {
    await nextTurn();
    yield items.slice(from, from + size);
  }
}

/** Time for work within one turn, ms. */
const SLICE_MS = 5;

/** Yields each item; an item that finds 5 ms of a turn of the event loop used waits for the next turn. */
export async function* inTimeSlices<T>(items: readonly T[]): AsyncGenerator<T, void, void> {
  let end = 0;
  for (const item of items) {
    if (performance.now() >= end) {
      await nextTurn();
      end = performance.now() + SLICE_MS;
    }
    yield item;
  }
}

/** Runs a generator to its end and returns its result; each `yield` ends a slice. */
export async function runInSlices<R>(steps: Generator<void, R, void>): Promise<R> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await nextTurn();
  }
}

/** Time for a turn of generators that answer a request, ms: several of them may run at once. */
const STEPS_MS = 1;

/**
 * Runs a generator of short steps to its end and returns its result; a `yield` that finds 1 ms of a turn used ends the
 * slice.
 */
export async function runInTimeSlices<R>(steps: Generator<void, R, void>): Promise<R> {
  let end = 0;
  for (;;) {
    if (performance.now() >= end) {
      await nextTurn();
      end = performance.now() + STEPS_MS;
    }
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Spreads bursts of work over turns of the event loop, so that other clients are served in between. */

type SlicedTask = { readonly work: () => void; readonly heavy: boolean };

/** Time for work within one turn, ms. */
const SLICE_MS = 5;

export class TimeSlicer {
  readonly #queue: SlicedTask[] = [];

  /** @param heavy ends the turn: the work that it causes takes a turn's time by itself. */
  push(work: () => void, heavy = false): void {
    if (this.#queue.length === 0) setImmediate(this.#runSlice);
    this.#queue.push({ work, heavy });
  }

  readonly #runSlice = (): void => {
    const end = performance.now() + SLICE_MS;
    let completed = 0;
    let isSliceOver = false;
    while (completed < this.#queue.length && !isSliceOver) {
      const { work, heavy } = this.#queue[completed] as SlicedTask;
      work();
      completed += 1;
      isSliceOver = heavy || performance.now() >= end;
    }
    this.#queue.splice(0, completed);
    if (this.#queue.length > 0) setImmediate(this.#runSlice);
  };
}

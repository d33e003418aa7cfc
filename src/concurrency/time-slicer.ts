/** Work that comes in heaps, done a little in each turn of the event loop: between turns others are served. */

type Piece = { readonly work: () => void; readonly heavy: boolean };

/** How much of one turn the work takes, ms. */
const SLICE_MS = 5;

export class Slices {
  readonly #ready: Piece[] = [];

  /** @param heavy it is the last of its turn: what it sets off takes a turn's time by itself. */
  push(work: () => void, heavy = false): void {
    if (this.#ready.length === 0) setImmediate(this.#turn);
    this.#ready.push({ work, heavy });
  }

  readonly #turn = (): void => {
    const end = performance.now() + SLICE_MS;
    let done = 0;
    let full = false;
    while (done < this.#ready.length && !full) {
      const { work, heavy } = this.#ready[done] as Piece;
      work();
      done += 1;
      full = heavy || performance.now() >= end;
    }
    this.#ready.splice(0, done);
    if (this.#ready.length > 0) setImmediate(this.#turn);
  };
}

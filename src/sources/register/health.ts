/** Whether a sweep is still worth going on with, and whether the register can be believed at its end. */
import { SourceFailed } from '../source.ts';

/** Units read before a verdict on the whole is passed. */
const ENOUGH = 20;
/** Beyond this share of failed units the source has not delivered (decision 32), of wrong shapes it is not the register. */
const BEARABLE_SHARE = 0.1;

export class Health {
  readonly #total: number;
  #settled = 0;
  #failed = 0;
  #wrongShapes = 0;
  #unanswered = 0;
  #lastWhy = '';

  constructor(total: number) {
    this.#total = total;
  }

  get settled(): number {
    return this.#settled;
  }

  /** Counts a unit that was read, was empty, or whose refusal is judged later. */
  well(): void {
    this.#settled += 1;
  }

  /** Counts a failed unit. Throws `SourceFailed` once the run cannot succeed any more. */
  failed(reason: string, why: string): void {
    this.#settled += 1;
    this.#failed += 1;
    this.#lastWhy = why;
    if (reason === 'wrong_shape') this.#wrongShapes += 1;
    if (reason === 'no_answer') this.#unanswered += 1;
    const hopeless = this.#failed === this.#settled || this.#failed > this.#total * BEARABLE_SHARE;
    if (this.#failed >= ENOUGH && hopeless) {
      throw new SourceFailed(
        `the register fails: ${this.#failed} of the first ${this.#settled} units, at last: ${why}`,
      );
    }
  }

  /** Throws `SourceFailed` when more than a small share of the answers were not the register's. */
  conclude(): void {
    const answered = this.#settled - this.#unanswered;
    if (this.#wrongShapes <= answered * BEARABLE_SHARE) return;
    throw new SourceFailed(
      `the register answers in another shape: ${this.#wrongShapes} of ${answered} units, at last: ${this.#lastWhy}`,
    );
  }
}

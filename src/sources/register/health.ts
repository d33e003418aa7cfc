/** Whether a sweep is still worth going on with, and whether the register can be believed at its end. */
import { SourceFailed } from '../source.ts';

/** Units read before a verdict on the whole is passed. */
const MIN_FAILURES_TO_STOP = 20;
/** Beyond this share of failed units the source has not delivered (rule 32), of wrong shapes it is not the register. */
const MAX_FAILED_SHARE = 0.1;

export class SweepHealth {
  readonly #total: number;
  #finished = 0;
  #failed = 0;
  #wrongShapes = 0;
  #unanswered = 0;
  #lastFailure = '';

  constructor(total: number) {
    this.#total = total;
  }

  get finished(): number {
    return this.#finished;
  }

  /** Counts a unit that was read, was empty, or whose refusal is judged later. */
  unitSucceeded(): void {
    this.#finished += 1;
  }

  /** Counts a failed unit. Throws `SourceFailed` once the run cannot succeed any more. */
  unitFailed(reason: string, why: string): void {
    this.#finished += 1;
    this.#failed += 1;
    this.#lastFailure = why;
    if (reason === 'wrong_shape') this.#wrongShapes += 1;
    if (reason === 'no_answer') this.#unanswered += 1;
    const hopeless = this.#failed === this.#finished || this.#failed > this.#total * MAX_FAILED_SHARE;
    if (this.#failed >= MIN_FAILURES_TO_STOP && hopeless) {
      throw new SourceFailed(
        `the register fails: ${this.#failed} of the first ${this.#finished} units, at last: ${why}`,
      );
    }
  }

  /** Throws `SourceFailed` when more than a small share of the answers were not the register's. */
  requireKnownShape(): void {
    const answered = this.#finished - this.#unanswered;
    if (this.#wrongShapes <= answered * MAX_FAILED_SHARE) return;
    throw new SourceFailed(
      `the register answers in another shape: ${this.#wrongShapes} of ${answered} units, at last: ${this.#lastFailure}`,
    );
  }
}

/** Decides whether a sweep is worth continuing, and whether the register can be trusted at its end. */
import { SourceFailed } from '../source.ts';

/** Failed units before the whole sweep is judged. */
const MIN_FAILURES_TO_STOP = 20;
/**
 * With a larger share of failed units the source has not delivered (rule 32); with a larger share of wrong shapes it is
 * not the register.
 */
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

  /** Counts a failed unit. Throws `SourceFailed` once the run can no longer succeed. */
  unitFailed(reason: string, why: string): void {
    this.#finished += 1;
    this.#failed += 1;
    this.#lastFailure = why;
    if (reason === 'wrong_shape') this.#wrongShapes += 1;
    if (reason === 'no_answer') this.#unanswered += 1;
    const hopeless = this.#failed === this.#finished || this.#failed > this.#total * MAX_FAILED_SHARE;
    if (this.#failed >= MIN_FAILURES_TO_STOP && hopeless) {
      throw new SourceFailed(`the register fails: ${this.#failed} of the first ${this.#finished} units, last: ${why}`);
    }
  }

  /** Throws `SourceFailed` if too many answers did not have the register's shape. */
  requireKnownShape(): void {
    const answered = this.#finished - this.#unanswered;
    if (this.#wrongShapes <= answered * MAX_FAILED_SHARE) return;
    throw new SourceFailed(
      `the register answers in another shape: ${this.#wrongShapes} of ${answered} units, last: ${this.#lastFailure}`,
    );
  }
}

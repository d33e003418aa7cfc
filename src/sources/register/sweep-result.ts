/** The book of one sweep: how each unit ended, what it gave, and what was refused. */
import { Rejections, type UnitOutcome } from '../../domain/reports/observation.ts';
import type { Progress, Sweep } from '../source.ts';
import { countRefusals, type Found, gather } from './gather.ts';
import { Health } from './health.ts';
import type { Questions } from './requests/register-client.ts';
import type { Task } from './requests/sweep-plan.ts';

export class Ledger {
  readonly rejections = new Rejections();
  readonly #tasks: readonly Task[];
  readonly #questions: Questions;
  readonly #onProgress: (progress: Progress) => void;
  readonly #health: Health;
  readonly #outcomes = new Map<string, UnitOutcome>();
  readonly #found = new Map<string, Found>();

  constructor(tasks: readonly Task[], questions: Questions, onProgress: (progress: Progress) => void) {
    this.#tasks = tasks;
    this.#questions = questions;
    this.#onProgress = onProgress;
    this.#health = new Health(tasks.length);
  }

  /** Keeps what a unit gave, without a word on how it ended. */
  keep(found: Found): void {
    this.#found.set(found.task.key, found);
    countRefusals([...found.own, ...found.around], this.rejections);
  }

  /** The unit was read, is empty, or refused. */
  settle(task: Task, outcome: UnitOutcome): void {
    this.#outcomes.set(task.key, outcome);
    this.#health.well();
    this.#report();
  }

  /** The unit failed, counted as `unit_<reason>`. Throws `SourceFailed` once the run cannot succeed any more. */
  fail(task: Task, reason: string, why: string): void {
    this.#outcomes.set(task.key, 'failed');
    this.rejections.add(`unit_${reason}`, `${task.key}: ${why}`);
    this.#health.failed(reason, `${task.key}: ${why}`);
    this.#report();
  }

  /** The sweep's result. Throws `SourceFailed` when too many answers were not the register's. */
  close(): Sweep {
    this.#health.conclude();
    // In the order of the plan, so that the result does not depend on which answer came first.
    const found = this.#tasks.map(({ key }) => this.#found.get(key)).filter((one) => one !== undefined);
    const swept = new Set(this.#tasks.map(({ siruta }) => siruta));
    return {
      ...gather(found, swept),
      units: this.#outcomes,
      rejections: this.rejections,
      requests: this.#questions.asked,
    };
  }

  #report(): void {
    const { settled } = this.#health;
    this.#onProgress({ done: settled, total: this.#tasks.length, requests: this.#questions.asked });
  }
}

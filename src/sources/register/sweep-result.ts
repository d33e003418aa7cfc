/** The book of one sweep: how each unit ended, what it gave, and what was refused. */

import { Rejections, type UnitOutcome } from '../../domain/reports/observation.ts';
import type { Sweep } from '../../domain/reports/sweep.ts';
import type { Progress } from '../source.ts';
import { SweepHealth } from './health.ts';
import { countRejections, mergeTaskRows, type TaskRows } from './merge-task-rows.ts';
import type { RegisterClient } from './requests/register-client.ts';
import type { UnitTask } from './requests/sweep-plan.ts';

export class SweepResult {
  readonly rejections = new Rejections();
  readonly #tasks: readonly UnitTask[];
  readonly #client: RegisterClient;
  readonly #onProgress: (progress: Progress) => void;
  readonly #health: SweepHealth;
  readonly #outcomes = new Map<string, UnitOutcome>();
  readonly #rowsByTask = new Map<string, TaskRows>();

  constructor(tasks: readonly UnitTask[], client: RegisterClient, onProgress: (progress: Progress) => void) {
    this.#tasks = tasks;
    this.#client = client;
    this.#onProgress = onProgress;
    this.#health = new SweepHealth(tasks.length);
  }

  /** Adds the rows of a unit, without setting its outcome. */
  addRows(found: TaskRows): void {
    this.#rowsByTask.set(found.task.key, found);
    countRejections([...found.own, ...found.around], this.rejections);
  }

  /** The unit was read, is empty, or refused. */
  unitDone(task: UnitTask, outcome: UnitOutcome): void {
    this.#outcomes.set(task.key, outcome);
    this.#health.unitSucceeded();
    this.#report();
  }

  /** The unit failed, counted as `unit_<reason>`. Throws `SourceFailed` once the run can no longer succeed. */
  unitFailed(task: UnitTask, reason: string, why: string): void {
    this.#outcomes.set(task.key, 'failed');
    this.rejections.add(`unit_${reason}`, `${task.key}: ${why}`);
    this.#health.unitFailed(reason, `${task.key}: ${why}`);
    this.#report();
  }

  /** The sweep's result. Throws `SourceFailed` if too many answers did not have the register's shape. */
  toSweep(): Sweep {
    this.#health.requireKnownShape();
    // In the order of the plan, so that the result does not depend on the order of the answers.
    const found = this.#tasks.map(({ key }) => this.#rowsByTask.get(key)).filter((one) => one !== undefined);
    const swept = new Set(this.#tasks.map(({ siruta }) => siruta));
    return {
      ...mergeTaskRows(found, swept),
      units: this.#outcomes,
      rejections: this.rejections,
      requests: this.#client.requestCount,
    };
  }

  #report(): void {
    const { finished } = this.#health;
    this.#onProgress({ done: finished, total: this.#tasks.length, requests: this.#client.requestCount });
  }
}

/** Collects the result of one sweep: how each unit ended, its rows, and what was rejected. */

import { Rejections, type UnitOutcome } from '../../domain/reports/observation.ts';
import type { Sweep } from '../../domain/reports/sweep.ts';
import type { Progress } from '../source.ts';
import { countRejections, mergeTaskRows, type TaskRows } from './merge-task-rows.ts';
import type { ParsedRows } from './parsing/parse-rows.ts';
import type { RegisterSession } from './requests/register-session.ts';
import type { UnitTask } from './requests/sweep-plan.ts';
import { SweepHealth } from './sweep-health.ts';

export class SweepResult {
  readonly rejections = new Rejections();
  readonly #tasks: readonly UnitTask[];
  readonly #session: RegisterSession;
  readonly #onProgress: (progress: Progress) => void;
  readonly #health: SweepHealth;
  readonly #outcomes = new Map<string, UnitOutcome>();
  readonly #rowsByTask = new Map<string, TaskRows>();

  constructor(tasks: readonly UnitTask[], session: RegisterSession, onProgress: (progress: Progress) => void) {
    this.#tasks = tasks;
    this.#session = session;
    this.#onProgress = onProgress;
    this.#health = new SweepHealth(tasks.length);
  }

  /** Adds the rows of a unit, without setting its outcome. */
  addRows(found: TaskRows): void {
    countRejections([...found.own, ...found.around], this.rejections);
    this.#rowsByTask.set(found.task.key, {
      task: found.task,
      own: found.own.map(withoutRejections),
      around: found.around.map(withoutRejections),
    });
  }

  /** Records that the unit was read, is empty, or not found by the source. */
  unitDone(task: UnitTask, outcome: UnitOutcome): void {
    this.#outcomes.set(task.key, outcome);
    this.#health.unitSucceeded();
    this.#report();
  }

  /** Records a failed unit, counted as `unit_<reason>`. Throws `SourceFailed` once the run can no longer succeed. */
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
      requests: this.#session.requestCount,
    };
  }

  #report(): void {
    const { finished } = this.#health;
    this.#onProgress({ done: finished, total: this.#tasks.length, requests: this.#session.requestCount });
  }
}

/** Rejections hold the rows as sent, which would stay in memory until the end of the sweep. */
function withoutRejections(answer: ParsedRows): ParsedRows {
  return { ...answer, rejections: [] };
}

/** When each task of the maintenance was last done, which the leases tell: one is taken once its task is done. */
import { type Kysely, sql } from 'kysely';
import { MAINTENANCE_HOURS } from '../../domain/access/retention.ts';
import { MAX_CLOCK_STEP_MS, takeLease } from '../connection/leases.ts';
import type { Schema } from '../connection/schema.ts';

/** `daily` and `hourly` remove expired rows; `statistics` computes those that past days lack. */
export type MaintenanceTask = 'daily' | 'hourly' | 'statistics';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The names in the database are older than those of the tasks; every version has to use the same. */
const TASKS: Readonly<Record<MaintenanceTask, { readonly lease: string; readonly everyMs: number }>> = {
  daily: { lease: 'upkeep', everyMs: DAY_MS },
  hourly: { lease: 'counters', everyMs: MAINTENANCE_HOURS * HOUR_MS },
  statistics: { lease: 'statistics', everyMs: DAY_MS },
};

/** `doneAt`: epoch ms by the clock of the database; `null` = never. */
export type MaintenanceTime = {
  readonly task: MaintenanceTask;
  readonly doneAt: number | null;
  readonly isDue: boolean;
};

/** All tasks, in the order in which they are done. */
export async function readMaintenanceTimes(db: Kysely<Schema>): Promise<MaintenanceTime[]> {
  const { rows } = await sql<{ name: string; until: number; now: number }>`
    select name, expires_at as until, clock_timestamp() as now from leases`.execute(db);
  return Object.entries(TASKS).map(([task, { lease, everyMs }]) => {
    const row = rows.find(({ name }) => name === lease);
    if (row === undefined) return { task: task as MaintenanceTask, doneAt: null, isDue: true };
    const { until, now } = row;
    // As `takeLease` has it: one from before the clock was set back counts no more.
    const isDue = until <= now || until > now + everyMs + MAX_CLOCK_STEP_MS;
    return { task: task as MaintenanceTask, doneAt: until - everyMs, isDue };
  });
}

/** Records that a task that was due is done: it is due again when its time is over. */
export async function recordMaintenance(db: Kysely<Schema>, task: MaintenanceTask, holder: string): Promise<void> {
  const { lease, everyMs } = TASKS[task];
  await takeLease(db, lease, holder, everyMs);
}

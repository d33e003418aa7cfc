/** The maintenance of the database: removes what has expired, in whichever process finds it due first. */

import { prunePushClients } from '../../store/alerts/prune-push-clients.ts';
import { pruneBilling } from '../../store/billing/prune-billing.ts';
import { withIdleTimeout } from '../../store/connection/idle-timeout.ts';
import { pruneDriverReports } from '../../store/driver-reports/prune-driver-reports.ts';
import { pruneGermanAnswers } from '../../store/germany/prune-german-answers.ts';
import { pruneKeys } from '../../store/keys/prune-keys.ts';
import { rotateAddressKeys } from '../../store/limits/address-keys.ts';
import { pruneLimits } from '../../store/limits/prune-limits.ts';
import {
  type MaintenanceTask,
  readMaintenanceTimes,
  recordMaintenance,
} from '../../store/maintenance/maintenance-times.ts';
import { pruneHistoryAndAlerts } from '../../store/maintenance/prune-history.ts';
import { pruneReviews } from '../../store/reviews/prune-reviews.ts';
import type { Collector } from '../collection/collect.ts';
import { fillStatistics } from '../collection/fill-statistics.ts';
import { underLease } from '../leases/under-lease.ts';

type Log = { info(message: string): void; warn(message: string): void };

/** Reading what is due fails after this long without a response from the database. */
const SQL_IDLE_TIMEOUT_MS = 5_000;
/** Longer than any statement that holds a key. */
const ROTATION_TIMEOUT_MS = 10_000;

/**
 * Does the tasks that are due. One that fails keeps no other from being done, and rests for ten minutes before any
 * process tries it again; rejects afterwards with the first failure.
 */
export async function runMaintenance(collector: Collector, log: Log, signal: AbortSignal): Promise<void> {
  const errors: unknown[] = [];
  for (const task of await dueTasks(collector)) {
    if (signal.aborted) break;
    await runTask(collector, task, log, signal).catch((error) => errors.push(error));
  }
  if (errors.length > 0) throw errors[0];
}

async function dueTasks({ database }: Collector): Promise<MaintenanceTask[]> {
  const times = await withIdleTimeout(SQL_IDLE_TIMEOUT_MS, () => readMaintenanceTimes(database.kysely));
  return times.filter(({ isDue }) => isDue).map(({ task }) => task);
}

async function runTask(collector: Collector, task: MaintenanceTask, log: Log, signal: AbortSignal): Promise<void> {
  const { database, holder } = collector;
  const job = { lease: `maintenance: ${task}`, lost: 'another process does the maintenance now' };
  await underLease(database.kysely, job, { holder, restAfterFailure: true, signal }, async (kept) => {
    // Another process may have done it in between.
    if (!(await dueTasks(collector)).includes(task)) return;
    const done = await WORK[task](collector, kept);
    if (done > 0) log.info(`maintenance: ${MESSAGES[task](done)}`);
    if (!kept.aborted) await recordMaintenance(database.kysely, task, holder);
  });
}

const removed = (rows: number) => `${rows} expired rows removed`;

const MESSAGES: Readonly<Record<MaintenanceTask, (done: number) => string>> = {
  daily: removed,
  hourly: removed,
  statistics: (days) => `days whose statistics were computed: ${days}`,
};

/** Each resolves with how much was done. */
const WORK: Readonly<Record<MaintenanceTask, (collector: Collector, signal: AbortSignal) => Promise<number>>> = {
  daily: async ({ database, clock }) =>
    (await pruneHistoryAndAlerts(database.kysely, clock())) + (await pruneKeys(database.kysely)),
  hourly: ({ database }) => hourlyMaintenance(database),
  statistics: ({ database, settings }, signal) => fillStatistics(database.kysely, settings.gazetteer, signal),
};

/** Removes expired rows, and replaces the keys of hashes that are due. */
async function hourlyMaintenance(database: Collector['database']): Promise<number> {
  let pruned = 0;
  for (const prune of [pruneLimits, pruneGermanAnswers, pruneReviews, pruneDriverReports, prunePushClients])
    pruned += await prune(database.pool);
  pruned += await pruneBilling(database);
  await rotateAddressKeys(database, ROTATION_TIMEOUT_MS);
  return pruned;
}

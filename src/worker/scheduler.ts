/** The scheduled work: one process at a time does what is due. */
import { WarnOnce } from '../concurrency/warn-once.ts';
import type { RunRecord } from '../domain/reports/run-record.ts';
import { LOCATOR_INTERVAL_MS, sourceKind } from '../domain/reports/source-kind.ts';
import { pruneArchives } from '../sources/archive/archive.ts';
import { withIdleTimeout } from '../store/connection/idle-timeout.ts';
import { takeLease } from '../store/connection/leases.ts';
import { pruneGermanAnswers } from '../store/germany/german-cache.ts';
import { pruneKeys } from '../store/keys/prune-keys.ts';
import { pruneLimits } from '../store/limits/prune-limits.ts';
import { pruneHistory } from '../store/maintenance/retention.ts';
import { deliveryTimes, lastScheduledStarts } from '../store/prices/runs.ts';
import { pruneReviews } from '../store/reviews/prune-reviews.ts';
import type { AlertRunner } from './alerts/alert-job.ts';
import { type Collector, collect } from './collection/collect.ts';
import { LeaseTaken } from './collection/lease-errors.ts';

export type Schedule = {
  readonly collector: Collector;
  /** The sources in service that are collected. */
  readonly sources: readonly string[];
  readonly collectEveryMs: number;
  readonly log: { info(message: string): void; warn(message: string): void };
  /** Price alerts, if push is configured. */
  readonly alerts?: AlertRunner;
  readonly onRuns?: (runs: readonly RunRecord[]) => void;
};

export type ScheduledWorker = { close(): Promise<void> };

/** Polling interval. */
const CHECK_INTERVAL_MS = 5_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A stopping worker waits no longer than this for a silent database. */
const SQL_IDLE_TIMEOUT_MS = 5_000;
/** Raw payloads are kept this long. */
const ARCHIVE_RETENTION_MS = 30 * DAY_MS;
const MAINTENANCE_LEASE = 'upkeep';
const COUNTERS_LEASE = 'counters';

/** Works until closed; logs failures and retries the work when it is next due. */
export function startWorker(schedule: Schedule): ScheduledWorker {
  const { alerts } = schedule;
  const collectLoop = startLoop(schedule, 'the scheduled work could not be done', (signal) =>
    collectAndPrune(schedule, signal),
  );
  // Runs separately: alerts for what others publish during a long collection go out at once.
  const alertLoop =
    alerts && startLoop(schedule, 'price alerts could not be sent', (signal) => alerts.run(signal, false));
  return {
    async close() {
      await Promise.all([collectLoop.close(), alertLoop?.close()]);
      await alerts?.close();
    },
  };
}

function startLoop(
  { collectEveryMs, log }: Schedule,
  failureMessage: string,
  work: (signal: AbortSignal) => Promise<void>,
): ScheduledWorker {
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const failures = new WarnOnce({ warn: (why) => log.warn(`${failureMessage}: ${why}`) });
  const intervalMs = Math.min(CHECK_INTERVAL_MS, collectEveryMs / 4);
  const runOnce = async () => {
    try {
      await work(stop.signal);
      failures.succeeded();
    } catch (error) {
      if (!stop.signal.aborted) failures.failed((error as Error).message);
    }
    if (!stop.signal.aborted) timer = setTimeout(runAgain, intervalMs);
  };
  let running = runOnce();
  const runAgain = () => {
    running = runOnce();
  };
  return {
    async close() {
      stop.abort(new Error('the worker is being stopped'));
      clearTimeout(timer);
      await running;
    },
  };
}

/** Does what is due now and returns. Skips work that another process is doing. */
export async function runDueWork(schedule: Schedule, signal: AbortSignal): Promise<void> {
  try {
    await collectDueSources(schedule, signal);
    if (!signal.aborted) await schedule.alerts?.run(signal, true);
    if (!signal.aborted) await runMaintenance(schedule);
  } finally {
    await schedule.alerts?.close();
  }
}

async function collectAndPrune(schedule: Schedule, signal: AbortSignal): Promise<void> {
  await collectDueSources(schedule, signal);
  if (!signal.aborted) await runMaintenance(schedule);
}

async function collectDueSources(schedule: Schedule, signal: AbortSignal): Promise<void> {
  if ((await dueSources(schedule)).length === 0) return;
  try {
    const { runs } = await collect(schedule.collector, {
      // Check again under the lease: another worker may have collected in between.
      sources: () => dueSources(schedule),
      at: null,
      fromArchive: false,
      force: false,
      scheduled: true,
      waitMs: 0,
      onProgress: () => undefined,
      signal,
    });
    for (const run of runs) logRun(schedule, run);
    schedule.onRuns?.(runs);
    await pruneOwnArchives(schedule);
  } catch (error) {
    if (!(error instanceof LeaseTaken)) throw error;
  }
}

async function dueSources({ collector, sources, collectEveryMs }: Schedule): Promise<string[]> {
  const { kysely } = collector.database;
  const starts = await withIdleTimeout(SQL_IDLE_TIMEOUT_MS, () => lastScheduledStarts(kysely));
  const deliveries = await withIdleTimeout(SQL_IDLE_TIMEOUT_MS, () => deliveryTimes(kysely));
  const since = (times: ReadonlyMap<string, number | null>, source: string) =>
    collector.clock() - (times.get(source) ?? Number.NEGATIVE_INFINITY);
  return sources.filter((source) => {
    if (since(starts, source) < collectEveryMs) return false;
    return sourceKind(source) !== 'locator' || since(deliveries, source) >= LOCATOR_INTERVAL_MS;
  });
}

/** The process that collects has the archive on its own disk, so it prunes it. */
async function pruneOwnArchives({ collector: { dataDir, clock }, sources, log }: Schedule): Promise<void> {
  let files = 0;
  for (const source of sources) files += await pruneArchives(dataDir, source, clock() - ARCHIVE_RETENTION_MS);
  if (files > 0) log.info(`${files} archived runs older than 30 days removed`);
}

/**
 * Runs periodically, in whichever process comes first: the lease is not released, so it marks the work as done for its
 * period.
 */
async function runMaintenance({ collector, log }: Schedule): Promise<void> {
  const { database, holder, clock } = collector;
  let pruned = 0;
  if ((await takeLease(database.kysely, MAINTENANCE_LEASE, holder, DAY_MS)) !== null)
    pruned += (await pruneHistory(database.kysely, clock())) + (await pruneKeys(database.kysely));
  if ((await takeLease(database.kysely, COUNTERS_LEASE, holder, HOUR_MS)) !== null)
    for (const prune of [pruneLimits, pruneGermanAnswers, pruneReviews]) pruned += await prune(database.pool);
  if (pruned > 0) log.info(`upkeep: ${pruned} old rows removed`);
}

function logRun({ log }: Schedule, run: RunRecord): void {
  const seconds = (run.finishedAt - run.startedAt) / 1000;
  if (run.outcome === 'delivered') {
    log.info(
      `${run.source}: ${run.rows} prices read in ${seconds} s, ${run.changed} changed, ${run.created} new stations`,
    );
  } else {
    log.warn(`${run.source}: ${run.outcome === 'failed' ? 'failed' : 'set aside'}: ${run.reason}`);
  }
}

/** The scheduled work: what is due, done by one process at a time. */
import { LOCATOR_REST_MS, sourceKind } from '../domain/reports/source-kind.ts';
import { pruneArchives } from '../sources/archive/archive.ts';
import { patiently } from '../store/connection/idle-timeout.ts';
import { takeLease } from '../store/connection/leases.ts';
import { pruneGermanAnswers } from '../store/germany/german-cache.ts';
import { pruneKeys } from '../store/keys/prune-keys.ts';
import { pruneAllowances } from '../store/limits/prune-limits.ts';
import { pruneFacts } from '../store/maintenance/retention.ts';
import { deliveryTimes, lastScheduledStarts, type RunRecord } from '../store/prices/runs.ts';
import { pruneReviews } from '../store/reviews/prune-reviews.ts';
import type { AlertWork } from './alerts/alert-job.ts';
import { type Collector, collect } from './collection/collect.ts';
import { LeaseTaken } from './collection/lease-errors.ts';

export type Schedule = {
  readonly collector: Collector;
  /** The sources in service that are collected. */
  readonly sources: readonly string[];
  readonly collectEveryMs: number;
  readonly log: { info(message: string): void; warn(message: string): void };
  /** Price alerts, where push is configured. */
  readonly alerts?: AlertWork;
  readonly onRuns?: (runs: readonly RunRecord[]) => void;
};

export type Worker = { close(): Promise<void> };

/** How often is looked whether something is due. */
const TICK_MS = 5_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A worker that is told to end waits no longer for a database that says nothing. */
const SILENT_MS = 5_000;
/** Raw payloads are kept this long. */
const ARCHIVE_MS = 30 * DAY_MS;
const UPKEEP_LEASE = 'upkeep';
const COUNTERS_LEASE = 'counters';

/** Works until closed; trouble is logged and the work is tried again when it is next due. */
export function startWorker(schedule: Schedule): Worker {
  const { alerts } = schedule;
  const collecting = repeat(schedule, 'the scheduled work could not be done', (signal) =>
    collectAndTidy(schedule, signal),
  );
  // In a course of its own: what others publish during a long collection is told at once.
  const telling = alerts && repeat(schedule, 'price alerts could not be sent', (signal) => alerts.run(signal, false));
  return {
    async close() {
      await Promise.all([collecting.close(), telling?.close()]);
      await alerts?.close();
    },
  };
}

function repeat(
  { collectEveryMs, log }: Schedule,
  failed: string,
  work: (signal: AbortSignal) => Promise<void>,
): Worker {
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let failing = false;
  const wait = Math.min(TICK_MS, collectEveryMs / 4);
  const turn = async () => {
    try {
      await work(stop.signal);
      failing = false;
    } catch (error) {
      if (!failing && !stop.signal.aborted) log.warn(`${failed}: ${(error as Error).message}`);
      failing = true;
    }
    if (!stop.signal.aborted) timer = setTimeout(again, wait);
  };
  let running = turn();
  const again = () => {
    running = turn();
  };
  return {
    async close() {
      stop.abort(new Error('the worker is being stopped'));
      clearTimeout(timer);
      await running;
    },
  };
}

/** Does what is due now and returns. Work that another process is doing is left to it. */
export async function workOnce(schedule: Schedule, signal: AbortSignal): Promise<void> {
  try {
    await collectWhatIsDue(schedule, signal);
    if (!signal.aborted) await schedule.alerts?.run(signal, true);
    if (!signal.aborted) await upkeep(schedule);
  } finally {
    await schedule.alerts?.close();
  }
}

async function collectAndTidy(schedule: Schedule, signal: AbortSignal): Promise<void> {
  await collectWhatIsDue(schedule, signal);
  if (!signal.aborted) await upkeep(schedule);
}

async function collectWhatIsDue(schedule: Schedule, signal: AbortSignal): Promise<void> {
  if ((await dueSources(schedule)).length === 0) return;
  try {
    const { runs } = await collect(schedule.collector, {
      // Asked again under the lease: another worker may have collected in between.
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
  const starts = await patiently(SILENT_MS, () => lastScheduledStarts(kysely));
  const deliveries = await patiently(SILENT_MS, () => deliveryTimes(kysely));
  const since = (times: ReadonlyMap<string, number | null>, source: string) =>
    collector.clock() - (times.get(source) ?? Number.NEGATIVE_INFINITY);
  return sources.filter((source) => {
    if (since(starts, source) < collectEveryMs) return false;
    return sourceKind(source) !== 'locator' || since(deliveries, source) >= LOCATOR_REST_MS;
  });
}

/** Whoever collects has the archive on its own disk, and is the one who can keep it small. */
async function pruneOwnArchives({ collector: { dataDir, clock }, sources, log }: Schedule): Promise<void> {
  let files = 0;
  for (const source of sources) files += await pruneArchives(dataDir, source, clock() - ARCHIVE_MS);
  if (files > 0) log.info(`${files} archived runs older than 30 days removed`);
}

/** Now and then, whoever comes first: the lease is not given back, so it marks the work as done for its time. */
async function upkeep({ collector, log }: Schedule): Promise<void> {
  const { database, holder, clock } = collector;
  let pruned = 0;
  if ((await takeLease(database.kysely, UPKEEP_LEASE, holder, DAY_MS)) !== null)
    pruned += (await pruneFacts(database.kysely, clock())) + (await pruneKeys(database.kysely));
  if ((await takeLease(database.kysely, COUNTERS_LEASE, holder, HOUR_MS)) !== null)
    for (const prune of [pruneAllowances, pruneGermanAnswers, pruneReviews]) pruned += await prune(database.pool);
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

/** One collection, top to bottom: the lease, the sweeps, one publication. */

import { readArchive } from '../sources/archive.ts';
import { openRecorder, type Recorder } from '../sources/recorder.ts';
import { recordAsk, replayAsk } from '../sources/recording.ts';
import type { Ask, Progress, Source } from '../sources/source.ts';
import type { Database } from '../store/database.ts';
import { type Lease, releaseLease, renewLease, takeLease } from '../store/leases.ts';
import type { Schema } from '../store/schema.ts';
import { knownUnits } from '../store/units.ts';
import type { FinishedSweep } from './apply-sweep.ts';
import type { Rules } from './days.ts';
import { type FailedSweep, LeaseLost, type Published, publish } from './publish.ts';

/** A source in service and the way to its pages. */
export type Feed = {
  readonly source: Source;
  readonly parallel: number;
  /** Opens the way to the source; `close` frees its connections. */
  readonly open: (signal: AbortSignal) => { ask: Ask; close: () => Promise<void> };
};

export type Collector = {
  readonly database: Database<Schema>;
  readonly dataDir: string;
  readonly rules: Rules;
  readonly feeds: ReadonlyMap<string, Feed>;
  readonly clock: () => number;
  /** Names this process among the holders of leases. */
  readonly holder: string;
  readonly leaseMs: number;
};

export type CollectOrder = {
  readonly sources: readonly string[];
  /** The run's clock for backfills and replays, epoch ms; `null` = the end of the collection. */
  readonly at: number | null;
  readonly fromArchive: boolean;
  readonly force: boolean;
  readonly scheduled: boolean;
  /** How long to wait for the lease. */
  readonly waitMs: number;
  readonly onProgress: (source: string, progress: Progress) => void;
  readonly signal: AbortSignal;
};

/** Nobody else's collection ended in time. */
export class LeaseTaken extends Error {}

export const COLLECT_LEASE = 'collect';
/** A collection that takes longer is given up: the next one is due. */
const DEADLINE_MS = 45 * 60_000;
const LEASE_RETRY_MS = 250;

/** Runs one collection and publishes it. Rejects with `LeaseTaken` or `LeaseLost`; a source that fails is in the result. */
export async function collect(collector: Collector, order: CollectOrder): Promise<Published> {
  const lease = await waitForLease(collector, order);
  const lost = new AbortController();
  const renewal = keepLease(collector, lease, lost);
  let archives: Archive[] = [];
  try {
    const signal = AbortSignal.any([order.signal, lost.signal, AbortSignal.timeout(DEADLINE_MS)]);
    const sweeps = await Promise.all(order.sources.map((source) => sweepOne(collector, order, source, signal)));
    archives = sweeps.flatMap(({ archive }) => archive ?? []);
    if (lost.signal.aborted) throw new LeaseLost();
    const at = order.at ?? wholeSeconds(collector.clock());
    const swept = sweeps.flatMap(({ swept }) => (swept ? [swept] : []));
    const failed = sweeps.flatMap(({ failed }) => (failed ? [failed] : []));
    const { scheduled, force } = order;
    const published = await publish(
      collector.database.kysely,
      lease,
      { swept, failed, at, scheduled, force },
      collector.rules,
    );
    // The facts are in: a payload that cannot be kept (a full disk) costs a later replay, not the collection.
    await Promise.allSettled(archives.map((archive) => archive.finish(at)));
    return published;
  } finally {
    clearInterval(renewal);
    await Promise.allSettled(archives.map((archive) => archive.discard()));
    await releaseLease(collector.database.kysely, lease).catch(() => undefined);
  }
}

type Archive = Pick<Recorder, 'finish' | 'discard'>;
type SweepResult = { swept?: FinishedSweep; failed?: FailedSweep; archive: Archive | null };

async function sweepOne(
  collector: Collector,
  order: CollectOrder,
  source: string,
  signal: AbortSignal,
): Promise<SweepResult> {
  const feed = collector.feeds.get(source) as Feed;
  const startedAt = wholeSeconds(collector.clock());
  let requests = 0;
  const way = await openWay(collector, order, feed, signal);
  try {
    const units = await knownUnits(collector.database.kysely, source);
    const sweep = await feed.source.sweep({
      ...units,
      ask: (target, options) => {
        requests += 1;
        return way.ask(target, options);
      },
      parallel: feed.parallel,
      now: order.at ?? startedAt,
      ranges: collector.rules.ranges,
      onProgress: (progress) => order.onProgress(source, progress),
      signal,
    });
    const finishedAt = wholeSeconds(collector.clock());
    return { swept: { source, sweep, startedAt, finishedAt }, archive: way.archive };
  } catch (error) {
    const finishedAt = wholeSeconds(collector.clock());
    return {
      failed: { source, startedAt, finishedAt, requests, reason: (error as Error).message },
      archive: way.archive,
    };
  } finally {
    await way.close();
  }
}

type Way = { ask: Ask; archive: Archive | null; close: () => Promise<void> };

/** The live source with every answer archived, or the archive in its place. */
async function openWay(
  { dataDir }: Collector,
  { at, fromArchive }: CollectOrder,
  feed: Feed,
  signal: AbortSignal,
): Promise<Way> {
  const { name } = feed.source;
  if (fromArchive && at !== null) {
    const replay = replayAsk(await readArchive(dataDir, name, at));
    return { ...replay, archive: null };
  }
  const recorder = await openRecorder(dataDir, name);
  const live = feed.open(signal);
  return { ask: recordAsk(live.ask, recorder), archive: recorder, close: live.close };
}

async function waitForLease({ database, holder, leaseMs }: Collector, order: CollectOrder): Promise<Lease> {
  const until = performance.now() + order.waitMs;
  for (;;) {
    const lease = await takeLease(database.kysely, COLLECT_LEASE, holder, leaseMs);
    if (lease !== null) return lease;
    if (order.signal.aborted || performance.now() >= until) {
      throw new LeaseTaken('another collection is under way and did not end in time');
    }
    await new Promise((resume) => setTimeout(resume, LEASE_RETRY_MS));
  }
}

function keepLease({ database, leaseMs }: Collector, lease: Lease, lost: AbortController): NodeJS.Timeout {
  return setInterval(async () => {
    // A database that does not answer is no proof of loss: the publication itself checks the lease.
    const held = await renewLease(database.kysely, lease, leaseMs).catch(() => true);
    if (!held) lost.abort(new LeaseLost());
  }, leaseMs / 3);
}

function wholeSeconds(instant: number): number {
  return Math.floor(instant / 1000) * 1000;
}

/** One collection, top to bottom: the lease, the sweeps, one publication. */

import { readArchive } from '../../sources/archive/archive.ts';
import { openRecorder, type Recorder } from '../../sources/archive/recorder.ts';
import { recordAsk, replayAsk } from '../../sources/archive/recording.ts';
import type { Ask, Progress, Source } from '../../sources/source.ts';
import type { Database } from '../../store/connection/database.ts';
import { type Lease, releaseLease, renewLease, takeLease } from '../../store/connection/leases.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { knownUnits } from '../../store/prices/units.ts';
import type { FinishedSweep } from './apply-sweep.ts';
import type { Rules } from './days.ts';
import { LeaseLost, LeaseTaken } from './lease-errors.ts';
import { type FailedSweep, type Published, publish } from './publish.ts';

/** A source in service and the way to its pages. */
export type Feed = {
  readonly source: Source;
  readonly parallel: number;
  /** Opens the way to the source; `close` frees its connections, `sent` counts the requests, further tries included. */
  readonly open: (signal: AbortSignal) => { ask: Ask; sent?: () => number; close: () => Promise<void> };
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
  /** A collection that takes longer is given up: the next one is due. */
  readonly deadlineMs: number;
  /** Told of what costs no collection. */
  readonly warn: (message: string) => void;
};

type LeaseHolder = Pick<Collector, 'database' | 'holder' | 'leaseMs'>;

export type CollectOrder = {
  /** Names, or what tells them once the lease is held and nobody else can be collecting. */
  readonly sources: readonly string[] | (() => Promise<readonly string[]>);
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

export const COLLECT_LEASE = 'collect';
const LEASE_RETRY_MS = 250;

/**
 * Runs one collection and publishes it. Rejects with `LeaseTaken` or `LeaseLost`, and when it was stopped: then nothing
 * is stored. A source that fails is in the result.
 */
export async function collect(collector: Collector, order: CollectOrder): Promise<Published> {
  const lease = await waitForLease(collector, order);
  const end = new AbortController();
  const renewal = keepLease(collector, lease, end);
  const deadline = setTimeout(() => end.abort(tooLong(collector)), collector.deadlineMs);
  const archives: Archive[] = [];
  try {
    const signal = AbortSignal.any([order.signal, end.signal]);
    const sources = typeof order.sources === 'function' ? await order.sources() : order.sources;
    if (sources.length === 0) return { runs: [], version: null };
    const sweeps = await Promise.all(sources.map((source) => sweepOne(collector, order, source, archives, signal)));
    order.signal.throwIfAborted();
    if (end.signal.reason instanceof LeaseLost) throw end.signal.reason;
    const at = order.at ?? wholeSeconds(collector.clock());
    const { scheduled, force } = order;
    const swept = sweeps.filter((result) => 'sweep' in result);
    const failed = sweeps.filter((result) => 'reason' in result);
    const collection = { swept, failed, at, scheduled, force };
    // Renewed further, a publication that hangs would keep the lease from others after the server gave it up.
    const held = () => clearInterval(renewal);
    const published = await publish(collector.database.kysely, lease, collection, collector.rules, held);
    await keepArchives(collector, archives, at);
    return published;
  } finally {
    clearInterval(renewal);
    clearTimeout(deadline);
    await Promise.allSettled(archives.map((archive) => archive.discard()));
    await releaseLease(collector.database.kysely, lease).catch(() => undefined);
  }
}

type Archive = Pick<Recorder, 'finish' | 'discard'>;

async function sweepOne(
  collector: Collector,
  order: CollectOrder,
  source: string,
  archives: Archive[],
  signal: AbortSignal,
): Promise<FinishedSweep | FailedSweep> {
  const feed = collector.feeds.get(source) as Feed;
  const startedAt = wholeSeconds(collector.clock());
  let requests = 0;
  let way: Way | undefined;
  try {
    way = await openWay(collector, order, feed, signal);
    const { ask, archive } = way;
    if (archive) archives.push(archive);
    const units = await knownUnits(collector.database.kysely, source);
    const sweeping = feed.source.sweep({
      ...units,
      ask: (target, options) => {
        requests += 1;
        return ask(target, options);
      },
      parallel: feed.parallel,
      now: order.at ?? startedAt,
      ranges: collector.rules.ranges,
      onProgress: (progress) => order.onProgress(source, progress),
      signal,
    });
    const sweep = await Promise.race([sweeping, rejectionOf(signal)]);
    const finishedAt = wholeSeconds(collector.clock());
    return { source, sweep: { ...sweep, requests: way.sent?.() ?? sweep.requests }, startedAt, finishedAt };
  } catch (error) {
    const finishedAt = wholeSeconds(collector.clock());
    const reason = (error as Error).message;
    return { source, startedAt, finishedAt, requests: way?.sent?.() ?? requests, reason };
  } finally {
    await way?.close();
  }
}

/** Rejects when the signal says stop: a source that hangs and does not heed it must not hold the lease. */
function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function tooLong({ deadlineMs }: Collector): Error {
  return new Error(`the collection did not end within ${Math.ceil(deadlineMs / 60_000)} minutes`);
}

/** The facts are in: a payload that cannot be kept (a full disk) costs a later replay, not the collection. */
async function keepArchives({ warn }: Collector, archives: readonly Archive[], at: number): Promise<void> {
  for (const kept of await Promise.allSettled(archives.map((archive) => archive.finish(at)))) {
    if (kept.status === 'rejected') {
      warn(`the raw payloads could not be kept, the run cannot be replayed: ${(kept.reason as Error).message}`);
    }
  }
}

type Way = ReturnType<Feed['open']> & { archive: Archive | null };

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
  return { ...live, ask: recordAsk(live.ask, recorder), archive: recorder };
}

/** Takes the lease of all who collect, waiting for it as long as told. Rejects with `LeaseTaken`. */
export async function waitForLease(
  { database, holder, leaseMs }: LeaseHolder,
  order: Pick<CollectOrder, 'waitMs' | 'signal'>,
): Promise<Lease> {
  const until = performance.now() + order.waitMs;
  for (;;) {
    const lease = await takeLease(database.kysely, COLLECT_LEASE, holder, leaseMs);
    if (lease !== null) return lease;
    if (performance.now() >= until) throw new LeaseTaken('another collection is under way and did not end in time');
    await new Promise((resume) => setTimeout(resume, Math.min(LEASE_RETRY_MS, order.waitMs)));
    order.signal.throwIfAborted();
  }
}

/** Renews the lease until the timer is cleared; aborts `end` when it is lost. */
export function keepLease({ database, leaseMs }: LeaseHolder, lease: Lease, end: AbortController): NodeJS.Timeout {
  return setInterval(async () => {
    // A database that does not answer is no proof of loss: the publication itself checks the lease.
    const held = await renewLease(database.kysely, lease, leaseMs).catch(() => true);
    if (!held) end.abort(new LeaseLost());
  }, leaseMs / 3);
}

function wholeSeconds(instant: number): number {
  return Math.floor(instant / 1000) * 1000;
}

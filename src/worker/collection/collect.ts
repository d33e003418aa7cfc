/** One collection, top to bottom: the lease, the sweeps, one publication. */

import { setTimeout as sleep } from 'node:timers/promises';
import { abortable } from '../../concurrency/abortable.ts';
import type { CollectionSettings } from '../../domain/prices/collection-settings.ts';
import type { FinishedSweep } from '../../domain/reports/sweep.ts';
import { readArchive } from '../../sources/archive/archive.ts';
import { openRecorder, type Recorder } from '../../sources/archive/recorder.ts';
import { recordFetch, replayFetch } from '../../sources/archive/recording.ts';
import type { Fetch, Progress, Source, SweepContext } from '../../sources/source.ts';
import type { Database } from '../../store/connection/database.ts';
import { type Lease, releaseLease, takeLease } from '../../store/connection/leases.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { knownUnits } from '../../store/prices/units.ts';
import { traced } from '../../telemetry/tracing.ts';
import { keepLease } from '../leases/keep-lease.ts';
import { LeaseLost, LeaseTaken } from './lease-errors.ts';
import { type FailedSweep, type PublishResult, publish } from './publish.ts';

/** A source and how to connect to it. */
export type ConfiguredSource = {
  readonly source: Source;
  readonly parallel: number;
  /** Connects to the source; `close` ends the connection, `requestCount` counts the requests, retries included. */
  readonly connect: (signal: AbortSignal) => { fetch: Fetch; requestCount?: () => number; close: () => Promise<void> };
};

export type Collector = {
  readonly database: Database<Schema>;
  readonly dataDir: string;
  readonly settings: CollectionSettings;
  readonly configuredSources: ReadonlyMap<string, ConfiguredSource>;
  readonly clock: () => number;
  /** Identifies this process as a holder of leases. */
  readonly holder: string;
  readonly leaseMs: number;
  /** A collection that takes longer is aborted: the next one is due. */
  readonly deadlineMs: number;
  /** Called with problems that do not fail the collection. */
  readonly warn: (message: string) => void;
};

type LeaseHolder = Pick<Collector, 'database' | 'holder' | 'leaseMs'>;

export type CollectOptions = {
  /** Names of sources, or a function that returns them once the lease is held and no other process collects. */
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
 * Runs one collection and publishes it. Rejects with `LeaseTaken` or `LeaseLost`, and when it was stopped: then no
 * price is stored. A source that fails is in the result.
 */
export function collect(collector: Collector, options: CollectOptions): Promise<PublishResult> {
  return traced('collect', {}, () => collectUnderLease(collector, options));
}

async function collectUnderLease(collector: Collector, options: CollectOptions): Promise<PublishResult> {
  const lease = await waitForLease(collector, options);
  const cancellation = new AbortController();
  const stopRenewal = startLeaseRenewal(collector, lease, cancellation);
  const deadline = setTimeout(() => cancellation.abort(deadlineError(collector)), collector.deadlineMs);
  const archives: OpenArchive[] = [];
  let sweeps: SweepOutcome[] = [];
  try {
    const signal = AbortSignal.any([options.signal, cancellation.signal]);
    const sources = typeof options.sources === 'function' ? await options.sources() : options.sources;
    if (sources.length === 0) return { runs: [], version: null };
    sweeps = await Promise.all(
      sources.map((source) =>
        traced('read a source', { 'pompa.source': source }, () =>
          sweepSource(collector, options, source, archives, signal),
        ),
      ),
    );
    options.signal.throwIfAborted();
    if (cancellation.signal.reason instanceof LeaseLost) throw cancellation.signal.reason;
    const at = options.at ?? wholeSeconds(collector.clock());
    const { scheduled, force } = options;
    const swept = sweeps.filter((result) => 'sweep' in result);
    const failed = sweeps.filter((result) => 'reason' in result);
    const collection = { swept, failed, at, scheduled, force };
    // With further renewals, a publication that hangs would block the lease after the server has ended its session.
    const published = await traced('publish', { 'pompa.sources': sources.length }, () =>
      publish(collector.database.kysely, lease, collection, collector.settings, stopRenewal),
    );
    await finishArchives(collector, archives, at);
    return published;
  } catch (error) {
    stopRenewal();
    if (error instanceof LeaseLost && !options.fromArchive)
      await recordLoss(collector, options, lease, sweeps).catch(() => undefined);
    throw error;
  } finally {
    stopRenewal();
    clearTimeout(deadline);
    await Promise.allSettled(archives.map((archive) => archive.discard()));
    await releaseLease(collector.database.kysely, lease).catch(() => undefined);
  }
}

type OpenArchive = Pick<Recorder, 'finish' | 'discard'>;
type SweepOutcome = FinishedSweep | FailedSweep;

/**
 * Records that every source failed, so that each is asked again only when it is next due: reading its answer may be
 * what kept this process from renewing its lease. If another process has had the lease since, its run counts.
 */
async function recordLoss(
  collector: Collector,
  { at, scheduled, force }: CollectOptions,
  lost: Lease,
  sweeps: readonly SweepOutcome[],
): Promise<void> {
  const { kysely } = collector.database;
  const lease = await takeLease(kysely, COLLECT_LEASE, collector.holder, collector.leaseMs);
  if (lease === null) return;
  try {
    if (lease.fence !== lost.fence + 1) return;
    const failed = sweeps.map((result) => ('reason' in result ? result : lostSweep(result)));
    const runAt = at ?? wholeSeconds(collector.clock());
    await publish(kysely, lease, { swept: [], failed, at: runAt, scheduled, force }, collector.settings);
  } finally {
    await releaseLease(kysely, lease);
  }
}

function lostSweep({ source, startedAt, finishedAt, sweep: { requests } }: FinishedSweep): FailedSweep {
  return { source, startedAt, finishedAt, requests, reason: new LeaseLost().message };
}

async function sweepSource(
  collector: Collector,
  options: CollectOptions,
  source: string,
  archives: OpenArchive[],
  signal: AbortSignal,
): Promise<SweepOutcome> {
  const configured = collector.configuredSources.get(source) as ConfiguredSource;
  const startedAt = wholeSeconds(collector.clock());
  let requests = 0;
  let connection: SourceConnection | undefined;
  try {
    connection = await openConnection(collector, options, configured, signal);
    const { fetch, archive } = connection;
    if (archive) archives.push(archive);
    const units = await knownUnits(collector.database.kysely, source);
    const context: SweepContext = {
      ...units,
      fetch: (target, options) => {
        requests += 1;
        return fetch(target, options);
      },
      parallel: configured.parallel,
      now: options.at ?? startedAt,
      ranges: collector.settings.ranges,
      onProgress: (progress) => options.onProgress(source, progress),
      signal,
    };
    // A source that hangs and ignores the signal must not hold the lease.
    const sweep = await abortable(signal, () => configured.source.sweep(context));
    const finishedAt = wholeSeconds(collector.clock());
    return {
      source,
      sweep: { ...sweep, requests: connection.requestCount?.() ?? sweep.requests },
      startedAt,
      finishedAt,
    };
  } catch (error) {
    const finishedAt = wholeSeconds(collector.clock());
    const reason = (error as Error).message;
    return { source, startedAt, finishedAt, requests: connection?.requestCount?.() ?? requests, reason };
  } finally {
    await connection?.close();
  }
}

function deadlineError({ deadlineMs }: Collector): Error {
  return new Error(`the collection did not end within ${Math.ceil(deadlineMs / 60_000)} minutes`);
}

/** The facts are stored by now: a payload that cannot be kept (full disk) costs a later replay, not the collection. */
async function finishArchives({ warn }: Collector, archives: readonly OpenArchive[], at: number): Promise<void> {
  for (const result of await Promise.allSettled(archives.map((archive) => archive.finish(at)))) {
    if (result.status === 'rejected') {
      warn(`the raw payloads could not be kept, the run cannot be replayed: ${(result.reason as Error).message}`);
    }
  }
}

type SourceConnection = ReturnType<ConfiguredSource['connect']> & { archive: OpenArchive | null };

/** The live source with every answer archived, or the archive in its place. */
async function openConnection(
  { dataDir }: Collector,
  { at, fromArchive }: CollectOptions,
  configured: ConfiguredSource,
  signal: AbortSignal,
): Promise<SourceConnection> {
  const { name } = configured.source;
  if (fromArchive && at !== null) {
    const replay = replayFetch(await readArchive(dataDir, name, at));
    return { ...replay, archive: null };
  }
  const recorder = await openRecorder(dataDir, name);
  const live = configured.connect(signal);
  return { ...live, fetch: recordFetch(live.fetch, recorder), archive: recorder };
}

/** Takes the lease on collecting, waiting up to `waitMs` for it. Rejects with `LeaseTaken`. */
export async function waitForLease(
  { database, holder, leaseMs }: LeaseHolder,
  options: Pick<CollectOptions, 'waitMs' | 'signal'>,
): Promise<Lease> {
  const deadline = performance.now() + options.waitMs;
  for (;;) {
    const lease = await takeLease(database.kysely, COLLECT_LEASE, holder, leaseMs);
    if (lease !== null) return lease;
    if (performance.now() >= deadline) throw new LeaseTaken('another collection is under way and did not end in time');
    await sleep(Math.min(LEASE_RETRY_MS, options.waitMs));
    options.signal.throwIfAborted();
  }
}

/**
 * Renews the lease until the result is called; aborts the work if it is lost. The publication checks the lease itself.
 */
export function startLeaseRenewal(
  { database, leaseMs }: LeaseHolder,
  lease: Lease,
  cancellation: AbortController,
): () => void {
  const onLost = () => cancellation.abort(new LeaseLost());
  return keepLease(database.kysely, lease, { leaseMs, onLost, expires: false });
}

function wholeSeconds(instant: number): number {
  return Math.floor(instant / 1000) * 1000;
}

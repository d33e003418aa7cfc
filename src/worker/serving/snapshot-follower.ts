/**
 * Keeps the snapshot of this process current: at every publication, at midnight in Bucharest, and whenever a verdict
 * changes with time. Without a database it continues with what it has, or with the last good facts on disk.
 */
import { WarnOnce } from '../../concurrency/warn-once.ts';
import { bucharestDay, type DayNumber, dayNumber } from '../../domain/days.ts';
import type { CollectionSettings } from '../../domain/prices/collection-settings.ts';
import type { PriceHistory } from '../../snapshot/price-history.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { Database } from '../../store/connection/database.ts';
import { withIdleTimeout } from '../../store/connection/idle-timeout.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { saveLastGood } from '../../store/prices/last-good.ts';
import { currentVersion, PUBLICATION_CHANNEL } from '../../store/prices/publication.ts';
import type { PublicationReads } from '../../telemetry/snapshot-counts.ts';
import { traced } from '../../telemetry/tracing.ts';
import type { ValueCounts } from '../../telemetry/value-counts.ts';
import { type BuiltSnapshot, buildFrom, readFirstSnapshot } from './first-snapshot.ts';
import { PublicationReader } from './publication-reader.ts';
import { type LoadedState, readChanges } from './read-changes.ts';
import { readAllStatistics } from './read-statistics.ts';

export type SnapshotFollowerOptions = {
  readonly dataDir: string;
  readonly settings: CollectionSettings;
  readonly clock: () => number;
  /** The snapshot of the last good facts, if they were read already. */
  readonly first?: BuiltSnapshot;
  /** Called with every new snapshot; the next one is built only after it resolves. */
  readonly onSnapshot: (snapshot: Snapshot) => Promise<void> | void;
  /** Counts the seconds from facts to a served snapshot, of all but the first; nowhere by default. */
  readonly builds?: ValueCounts;
  /** Counts what is read of publications; nowhere by default. */
  readonly reads?: PublicationReads;
  readonly log: { info(message: string): void; warn(message: string): void };
  /** Called with what the snapshot in service was read from: the disk, or a database. */
  readonly onLoaded?: (state: LoadedState, isFromDatabase: boolean) => void;
};

/** Polling interval for the version, in case a notification was lost, and for retries of a failed rebuild. */
const POLL_MS = 1_000;
/** How long the server may be silent during a statement, which reads one day, 500 prices, or all facts as one row. */
const MIN_IDLE_TIMEOUT_MS = 3_000;
const MAX_IDLE_TIMEOUT_MS = 15_000;
/** A changed clock, or a machine that slept, is noticed within this time. */
const MAX_TIMER_MS = 60_000;

export class SnapshotFollower {
  readonly #options: SnapshotFollowerOptions;
  /** What the snapshot in service was built from; never modified in place, since that snapshot reads its history. */
  #loaded: LoadedState;
  /** The day before which all days of `#loaded` are closed. */
  #daysClosedBefore: DayNumber | null = null;
  /** Whether `#loaded` was read from the database this process is attached to. */
  #fromDatabase = false;
  #version = -1;
  /**
   * Snapshots are built one after another. Reading runs separately, so that a hanging database does not delay midnight.
   */
  #building: Promise<unknown> = Promise.resolve();
  #saving: Promise<void> = Promise.resolve();
  /** The past days that this process saved last, and their digest: few publications change them. */
  #saved: { readonly history: PriceHistory; readonly digest: string | null } | null = null;
  #checking = false;
  #checkAgain = false;
  #isFailing = false;
  readonly #outage: WarnOnce;
  #idleTimeoutMs = MIN_IDLE_TIMEOUT_MS;
  #timer: NodeJS.Timeout | undefined;
  #poll: NodeJS.Timeout | undefined;
  #closed = false;
  #versionWaiters: { version: number; onReached: () => void }[] = [];

  private constructor(options: SnapshotFollowerOptions, loaded: LoadedState) {
    this.#options = options;
    const { log } = options;
    this.#outage = new WarnOnce({
      warn: (why) => log.warn(`publications cannot be read: ${why}`),
      onRecovery: () => log.info('the database answers again; publications are followed'),
    });
    this.#loaded = loaded;
  }

  /** Starts with the last good facts on disk, or with nothing, and passes on the first snapshot before it returns. */
  static async start(options: SnapshotFollowerOptions): Promise<SnapshotFollower> {
    // Not kept with the other options: it is replaced.
    const { first: given, ...others } = options;
    const first = given ?? (await readFirstSnapshot(options));
    const follower = new SnapshotFollower(others, first.state);
    follower.#building = follower.#use(first);
    await follower.#building;
    options.onLoaded?.(first.state, false);
    return follower;
  }

  /** What the snapshot in service was built from. */
  get loaded(): LoadedState {
    return this.#loaded;
  }

  /** Whether there are prices, or the database has said that none were published yet. */
  get hasPrices(): boolean {
    return this.#loaded.facts.updatedAt !== null || this.#fromDatabase;
  }

  /** Whether there are also the statistics of past days, which the disk does not have. */
  get isComplete(): boolean {
    return this.hasPrices && this.#loaded.hasAllStatistics;
  }

  /** Whether the latest reading from the database failed. */
  get isFailing(): boolean {
    return this.#isFailing;
  }

  /** Serves a publication that came another way than from a database; resolves once it is served. */
  async take(next: LoadedState): Promise<void> {
    if (this.#options.reads !== undefined) this.#options.reads.followed += 1;
    await this.#enqueueBuild(next);
    this.#saving = this.#saveToDisk(next);
    await this.#saving;
  }

  /** Starts following the publications of a database, which are read from its replica where there is one. */
  useDatabase(database: Database<Schema>, replica: () => Database<Schema> | null = () => null): void {
    const { log, reads } = this.#options;
    const reader = new PublicationReader({ primary: database, replica, log, ...(reads && { reads }) });
    const check = () => void this.#checkForPublication(database, reader);
    database.listen(PUBLICATION_CHANNEL, { onNotify: check, onListening: check });
    this.#poll = setInterval(check, POLL_MS);
    check();
  }

  /** Resolves when the snapshot in service is of this version or a later one. */
  waitForVersion(version: number): Promise<void> {
    if (this.#version >= version) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#versionWaiters.push({ version, onReached: resolve });
    return promise;
  }

  /** Stops following; resolves when the build and the write to disk under way have ended. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#poll);
    await this.#building;
    await this.#saving;
  }

  /** Builds a snapshot of facts (by default those held) after the builds before it. */
  #enqueueBuild(next?: LoadedState): Promise<void> {
    const built = this.#building.then(() => traced('build the snapshot', {}, () => this.#build(next ?? this.#loaded)));
    this.#building = built.catch(() => undefined);
    return built;
  }

  /** Judges facts at the current time and passes the snapshot to `onSnapshot`. */
  async #build(next: LoadedState): Promise<void> {
    if (this.#closed) return;
    const { settings, clock, builds } = this.#options;
    const startedAt = performance.now();
    const closedBefore = next === this.#loaded ? this.#daysClosedBefore : null;
    await this.#use(await buildFrom(next, closedBefore, { settings, now: clock() }));
    builds?.add((performance.now() - startedAt) / 1000);
  }

  /** Passes a snapshot on, and holds what it was built from. */
  async #use({ snapshot, state, today }: BuiltSnapshot): Promise<void> {
    await this.#options.onSnapshot(snapshot);
    this.#loaded = state;
    this.#daysClosedBefore = today;
    this.#version = snapshot.version;
    const waiting = this.#versionWaiters;
    this.#versionWaiters = waiting.filter(({ version }) => version > this.#version);
    for (const { version, onReached } of waiting) if (version <= this.#version) onReached();
    this.#scheduleRebuild(snapshot.nextChangeAt);
  }

  #scheduleRebuild(instant: number): void {
    clearTimeout(this.#timer);
    if (this.#closed) return;
    const left = instant - this.#options.clock();
    this.#timer = setTimeout(() => this.#rebuildWhenDue(instant), Math.min(Math.max(left, 0), MAX_TIMER_MS));
  }

  async #rebuildWhenDue(instant: number): Promise<void> {
    const { clock, log } = this.#options;
    if (clock() < instant) return this.#scheduleRebuild(instant);
    try {
      await this.#enqueueBuild();
    } catch (error) {
      log.warn(`the snapshot could not be rebuilt: ${(error as Error).message}`);
      this.#scheduleRebuild(clock() + POLL_MS);
    }
  }

  /** Reads a newer publication if there is one; a notification during a read triggers another read after it. */
  async #checkForPublication(database: Database<Schema>, reader: PublicationReader): Promise<void> {
    this.#checkAgain = true;
    if (this.#checking) return;
    this.#checking = true;
    while (this.#checkAgain && !this.#closed) {
      this.#checkAgain = false;
      await this.#update(database, reader).then(
        () => {
          this.#isFailing = false;
          this.#outage.succeeded();
        },
        (error: Error) => {
          this.#isFailing = true;
          if (!this.#closed) this.#outage.failed(error.message);
        },
      );
    }
    this.#checking = false;
  }

  async #update(database: Database<Schema>, reader: PublicationReader): Promise<void> {
    const before = this.#fromDatabase ? this.#loaded : null;
    const version = await currentVersion(database);
    if (version !== before?.facts.version) {
      const next = await this.#read((today) =>
        reader.read(version, (readable) => readChanges(readable, before, today, version)),
      );
      await this.#enqueueBuild(next);
      this.#fromDatabase = true;
      this.#options.onLoaded?.(next, true);
      this.#saving = this.#saveToDisk(next);
      await this.#saving;
    }
    if (!this.#loaded.hasAllStatistics && !this.#closed) await this.#addStatistics(reader);
  }

  /** A day that a later publication rewrites is read again with it. */
  async #addStatistics(reader: PublicationReader): Promise<void> {
    const { version } = this.#loaded.facts;
    const statistics = await this.#read((today) =>
      reader.read(version, (readable) => readAllStatistics(readable, today, version)),
    );
    const next = { ...this.#loaded, hasAllStatistics: true };
    if (statistics === null) this.#loaded = next;
    else await this.#enqueueBuild({ ...next, statistics });
    this.#options.onLoaded?.(this.#loaded, true);
  }

  /** Closes a hanging connection soon; gives a server that is only slow more time with every attempt. */
  async #read<T>(work: (today: DayNumber) => Promise<T>): Promise<T> {
    const idleTimeoutMs = this.#idleTimeoutMs;
    this.#idleTimeoutMs = Math.min(2 * idleTimeoutMs, MAX_IDLE_TIMEOUT_MS);
    const today = dayNumber(bucharestDay(this.#options.clock()));
    const found = await withIdleTimeout(idleTimeoutMs, () => work(today));
    this.#idleTimeoutMs = MIN_IDLE_TIMEOUT_MS;
    return found;
  }

  async #saveToDisk({ facts, history }: LoadedState): Promise<void> {
    if (facts.version === 0 || this.#closed) return;
    try {
      const saved = this.#saved?.history === history ? this.#saved.digest : null;
      const digest = await saveLastGood(this.#options.dataDir, { facts, series: history.content() }, saved);
      this.#saved = { history, digest };
    } catch (error) {
      this.#options.log.warn(`the last good snapshot could not be written to disk: ${(error as Error).message}`);
    }
  }
}

/**
 * Keeps the snapshot of this process current: at every publication, at midnight in Bucharest, and whenever a verdict
 * changes with time. Without a database it continues with what it has, or with the last good facts on disk.
 */
import { runInSlices } from '../../concurrency/in-slices.ts';
import { WarnOnce } from '../../concurrency/warn-once.ts';

import { bucharestDay, type DayNumber, dayNumber } from '../../domain/days.ts';
import { NO_PUBLISHED_FACTS } from '../../domain/prices/facts.ts';
import type { PricingRules } from '../../domain/prices/rules.ts';
import { buildSnapshotInSlices } from '../../snapshot/build.ts';
import { PriceHistory, type PriceSeries } from '../../snapshot/history.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { Database } from '../../store/connection/database.ts';
import { withIdleTimeout } from '../../store/connection/idle-timeout.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { readLastGood, saveLastGood } from '../../store/prices/last-good.ts';
import { currentVersion, PUBLICATION_CHANNEL } from '../../store/prices/publication.ts';
import { closedDayValues } from '../collection/days.ts';
import { copyHistory, type LoadedState, readChanges } from './read-changes.ts';

export type FollowerOptions = {
  readonly dataDir: string;
  readonly rules: PricingRules;
  readonly clock: () => number;
  /** Called with every new snapshot; the next one is built only after it resolves. */
  readonly onSnapshot: (snapshot: Snapshot) => Promise<void> | void;
  readonly log: { info(message: string): void; warn(message: string): void };
};

export type SnapshotFollower = {
  /** Starts following the publications of a database. */
  useDatabase(database: Database<Schema>): void;
  /** Resolves when the snapshot in service is of this version or a later one. */
  waitForVersion(version: number): Promise<void>;
  close(): Promise<void>;
};

/** Polling interval for the version, in case a notification was lost, and for retries of a failed rebuild. */
const POLL_MS = 1_000;
/** How long the server may be silent during a read statement, which reads one day or 2,000 facts. */
const MIN_IDLE_TIMEOUT_MS = 3_000;
const MAX_IDLE_TIMEOUT_MS = 15_000;
/** A changed clock, or a machine that slept, is noticed within this time. */
const MAX_TIMER_MS = 60_000;

/** Starts with the last good facts on disk, or with nothing, and hands over the first snapshot before it returns. */
export async function startSnapshotFollower(options: FollowerOptions): Promise<SnapshotFollower> {
  const stored = await readLastGood<PriceSeries>(options.dataDir, (why) => options.log.warn(why));
  const loaded = { facts: stored?.facts ?? NO_PUBLISHED_FACTS, history: new PriceHistory(new Map(stored?.series)) };
  const follower = new PublicationFollower(options, loaded);
  await follower.serve(loaded);
  return follower;
}

class PublicationFollower implements SnapshotFollower {
  readonly #options: FollowerOptions;
  /** What the snapshot in service was built from; never modified in place, since that snapshot reads its history. */
  #loaded: LoadedState;
  /** The day before which all days of `#held` are closed. */
  #daysClosedBefore: DayNumber | null = null;
  /** Whether `#held` was read from the database this process is attached to. */
  #fromDatabase = false;
  #version = -1;
  /**
   * Snapshots are built one after another. Reading runs separately, so that a hanging database does not delay midnight.
   */
  #building: Promise<unknown> = Promise.resolve();
  #saving: Promise<void> = Promise.resolve();
  #checking = false;
  #checkAgain = false;
  readonly #outage: WarnOnce;
  #idleTimeoutMs = MIN_IDLE_TIMEOUT_MS;
  #timer: NodeJS.Timeout | undefined;
  #poll: NodeJS.Timeout | undefined;
  #closed = false;
  #versionWaiters: { version: number; onReached: () => void }[] = [];

  constructor(options: FollowerOptions, loaded: LoadedState) {
    this.#options = options;
    const { log } = options;
    this.#outage = new WarnOnce({
      warn: (why) => log.warn(`publications cannot be read: ${why}`),
      onRecovery: () => log.info('the database answers again; publications are followed'),
    });
    this.#loaded = loaded;
  }

  useDatabase(database: Database<Schema>): void {
    const check = () => void this.#checkForPublication(database);
    database.listen(PUBLICATION_CHANNEL, { onNotify: check, onListening: check });
    this.#poll = setInterval(check, POLL_MS);
    check();
  }

  waitForVersion(version: number): Promise<void> {
    if (this.#version >= version) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#versionWaiters.push({ version, onReached: resolve });
    return promise;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#poll);
    await this.#building;
    await this.#saving;
  }

  /** Judges facts (by default those held) at the current time and passes the snapshot on. */
  serve(next?: LoadedState): Promise<void> {
    const built = this.#building.then(() => this.#buildAndServe(next ?? this.#loaded));
    this.#building = built.catch(() => undefined);
    return built;
  }

  async #buildAndServe(next: LoadedState): Promise<void> {
    if (this.#closed) return;
    const { rules, clock, onSnapshot } = this.#options;
    const now = clock();
    const today = dayNumber(bucharestDay(now));
    const current =
      next === this.#loaded && today === this.#daysClosedBefore ? next : withClosedDays(next, today, rules);
    const snapshot = await runInSlices(buildSnapshotInSlices({ ...rules, ...current, now }));
    await onSnapshot(snapshot);
    this.#loaded = current;
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
      await this.serve();
    } catch (error) {
      log.warn(`the snapshot could not be rebuilt: ${(error as Error).message}`);
      this.#scheduleRebuild(clock() + POLL_MS);
    }
  }

  /** Reads a newer publication if there is one; a notification during a read triggers another read after it. */
  async #checkForPublication(database: Database<Schema>): Promise<void> {
    this.#checkAgain = true;
    if (this.#checking) return;
    this.#checking = true;
    while (this.#checkAgain && !this.#closed) {
      this.#checkAgain = false;
      await this.#update(database).then(
        () => this.#outage.succeeded(),
        (error: Error) => {
          if (!this.#closed) this.#outage.failed(error.message);
        },
      );
    }
    this.#checking = false;
  }

  async #update(database: Database<Schema>): Promise<void> {
    const before = this.#fromDatabase ? this.#loaded : null;
    if (before !== null && (await currentVersion(database)) === before.facts.version) return;
    const next = await this.#read(database, before);
    await this.serve(next);
    this.#fromDatabase = true;
    this.#saving = this.#saveToDisk(next);
    await this.#saving;
  }

  /** Closes a hanging connection soon; gives a server that is only slow more time with every attempt. */
  async #read(database: Database<Schema>, before: LoadedState | null): Promise<LoadedState> {
    const idleTimeoutMs = this.#idleTimeoutMs;
    this.#idleTimeoutMs = Math.min(2 * idleTimeoutMs, MAX_IDLE_TIMEOUT_MS);
    const today = dayNumber(bucharestDay(this.#options.clock()));
    const next = await withIdleTimeout(idleTimeoutMs, () => readChanges(database, before, today));
    this.#idleTimeoutMs = MIN_IDLE_TIMEOUT_MS;
    return next;
  }

  async #saveToDisk({ facts, history }: LoadedState): Promise<void> {
    if (facts.version === 0 || this.#closed) return;
    try {
      await saveLastGood(this.#options.dataDir, { facts, series: history.content() });
    } catch (error) {
      this.#options.log.warn(`the last good snapshot could not be written to disk: ${(error as Error).message}`);
    }
  }
}

/** The days that ended since the facts were published get the values the next publication will store. */
function withClosedDays(loaded: LoadedState, today: DayNumber, rules: PricingRules): LoadedState {
  const closed = closedDayValues(loaded.facts, today, rules);
  if (closed.length === 0) return loaded;
  const history = copyHistory(loaded.history);
  for (const { day, rows } of closed) {
    for (const row of rows) history.putDay(row, day, row.facts);
  }
  return { ...loaded, history };
}

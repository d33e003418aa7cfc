/**
 * Keeps the snapshot of this process true: at every publication, at midnight in Bucharest, and whenever a verdict
 * changes by time alone. Without a database it goes on from what it has, or from the last good facts on disk.
 */
import { bucharestDay, dayNumber } from '../domain/days.ts';
import { type Facts, NO_FACTS } from '../domain/facts.ts';
import { buildSnapshotGently } from '../snapshot/build.ts';
import { History, type Series } from '../snapshot/history.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Database } from '../store/database.ts';
import { readLastGood, saveLastGood } from '../store/last-good.ts';
import { currentVersion, PUBLICATION_CHANNEL } from '../store/publication.ts';
import type { Schema } from '../store/schema.ts';
import { closedDays, type Rules } from './days.ts';
import { readChanges } from './read-changes.ts';

export type FollowOptions = {
  readonly dataDir: string;
  readonly rules: Rules;
  readonly clock: () => number;
  /** Called with every new snapshot; the next one is not made before it resolves. */
  readonly onSnapshot: (snapshot: Snapshot) => Promise<void> | void;
  readonly log: { info(message: string): void; warn(message: string): void };
};

export type Follower = {
  /** Begins to follow the publications of a database. */
  attach(database: Database<Schema>): void;
  /** Resolves when the snapshot in service is of this version or a later one. */
  reached(version: number): Promise<void>;
  close(): Promise<void>;
};

/** How often the version is looked at in case an announcement was lost. */
const POLL_MS = 1_000;
/** Node's timers hold no longer delays. */
const LONGEST_TIMER_MS = 2_000_000_000;

/** Starts with the last good facts on disk, or with nothing, and hands over the first snapshot before it returns. */
export async function follow(options: FollowOptions): Promise<Follower> {
  const stored = await readLastGood<Series>(options.dataDir, (why) => options.log.warn(why));
  const follower = new PublicationFollower(options, stored?.facts ?? NO_FACTS, new History(new Map(stored?.series)));
  await follower.rebuild();
  return follower;
}

class PublicationFollower implements Follower {
  readonly #options: FollowOptions;
  readonly #history: History;
  #facts: Facts;
  /** Whether the facts come from the database this process is attached to. */
  #fromDatabase = false;
  #database: Database<Schema> | undefined;
  #work: Promise<void> = Promise.resolve();
  #queued = false;
  #failing = false;
  #timer: NodeJS.Timeout | undefined;
  #poll: NodeJS.Timeout | undefined;
  #closed = false;
  #version = -1;
  readonly #waiting: { version: number; reached: () => void }[] = [];

  constructor(options: FollowOptions, facts: Facts, history: History) {
    this.#options = options;
    this.#facts = facts;
    this.#history = history;
  }

  attach(database: Database<Schema>): void {
    this.#database = database;
    database.listen(PUBLICATION_CHANNEL, { onNotify: () => this.#look(), onUp: () => this.#look() });
    this.#poll = setInterval(() => this.#look(), POLL_MS);
    this.#look();
  }

  reached(version: number): Promise<void> {
    if (this.#version >= version) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ version, reached: resolve });
    return promise;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#poll);
    await this.#work;
  }

  /** Judges the facts at the present moment and hands the snapshot on. */
  async rebuild(): Promise<void> {
    const { rules, clock, onSnapshot } = this.#options;
    const now = clock();
    this.#closeDays(now);
    const snapshot = await buildSnapshotGently({ ...rules, facts: this.#facts, now, history: this.#history });
    await onSnapshot(snapshot);
    this.#version = snapshot.version;
    for (const { version, reached } of this.#waiting) if (version <= this.#version) reached();
    this.#wakeAt(snapshot.nextChange);
  }

  /** The days that ended since the facts were published, as the next publication will store them. */
  #closeDays(now: number): void {
    const today = dayNumber(bucharestDay(now));
    for (const { day, rows } of closedDays(this.#facts, today, this.#options.rules)) {
      for (const row of rows) this.#history.put(row, day, row.facts);
    }
  }

  #wakeAt(instant: number): void {
    clearTimeout(this.#timer);
    if (this.#closed) return;
    const delay = Math.min(Math.max(instant - this.#options.clock(), 0), LONGEST_TIMER_MS);
    this.#timer = setTimeout(() => this.#enqueue(() => this.rebuild()), delay);
  }

  /** Looks for a newer publication, unless a look is waiting its turn already. */
  #look(): void {
    if (this.#queued || this.#closed) return;
    this.#queued = true;
    this.#enqueue(async () => {
      this.#queued = false;
      await this.#update();
    });
  }

  #enqueue(work: () => Promise<void>): void {
    this.#work = this.#work.then(async () => {
      if (this.#closed) return;
      try {
        await work();
        if (this.#failing) this.#options.log.info('the database answers again; publications are followed');
        this.#failing = false;
      } catch (error) {
        if (!this.#failing) this.#options.log.warn(`publications cannot be read: ${(error as Error).message}`);
        this.#failing = true;
      }
    });
  }

  async #update(): Promise<void> {
    const database = this.#database as Database<Schema>;
    if (this.#fromDatabase && (await currentVersion(database.kysely)) === this.#facts.version) return;
    const today = dayNumber(bucharestDay(this.#options.clock()));
    this.#facts = await readChanges(database, this.#history, this.#fromDatabase ? this.#facts.version : null, today);
    this.#fromDatabase = true;
    await this.rebuild();
    await this.#keep();
  }

  async #keep(): Promise<void> {
    if (this.#facts.version === 0) return;
    try {
      await saveLastGood(this.#options.dataDir, { facts: this.#facts, series: this.#history.content() });
    } catch (error) {
      this.#options.log.warn(`the last good snapshot could not be kept on disk: ${(error as Error).message}`);
    }
  }
}

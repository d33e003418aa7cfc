/**
 * Keeps the snapshot of this process true: at every publication, at midnight in Bucharest, and whenever a verdict
 * changes by time alone. Without a database it goes on from what it has, or from the last good facts on disk.
 */
import { bucharestDay, type DayNumber, dayNumber } from '../../domain/days.ts';
import { NO_FACTS } from '../../domain/prices/facts.ts';
import { buildSnapshotGently } from '../../snapshot/build.ts';
import { History, type Series } from '../../snapshot/history.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { Database } from '../../store/connection/database.ts';
import { patiently } from '../../store/connection/idle-timeout.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { readLastGood, saveLastGood } from '../../store/prices/last-good.ts';
import { currentVersion, PUBLICATION_CHANNEL } from '../../store/prices/publication.ts';
import { closedDays, type Rules } from '../collection/days.ts';
import { copyOf, type Held, readChanges } from './read-changes.ts';

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

/** How often the version is looked at in case an announcement was lost, and a failed rebuilding is tried again. */
const POLL_MS = 1_000;
/** How long the server may be silent on a statement of a reading: a statement reads one day, or 2,000 facts. */
const PATIENCE_MS = 3_000;
const MOST_PATIENCE_MS = 15_000;
/** A clock that is set, or a machine that slept, is noticed within this time. */
const LONGEST_TIMER_MS = 60_000;

/** Starts with the last good facts on disk, or with nothing, and hands over the first snapshot before it returns. */
export async function follow(options: FollowOptions): Promise<Follower> {
  const stored = await readLastGood<Series>(options.dataDir, (why) => options.log.warn(why));
  const held = { facts: stored?.facts ?? NO_FACTS, history: new History(new Map(stored?.series)) };
  const follower = new PublicationFollower(options, held);
  await follower.serve(held);
  return follower;
}

class PublicationFollower implements Follower {
  readonly #options: FollowOptions;
  /** What the snapshot in service was made from; never changed in place, since that snapshot reads its history. */
  #held: Held;
  /** The day before which all days of `#held` are closed. */
  #closedFor: DayNumber | null = null;
  /** Whether `#held` was read from the database this process is attached to. */
  #fromDatabase = false;
  #version = -1;
  /** Snapshots are made one after another. Reading has a course of its own: a database that hangs stops no midnight. */
  #making: Promise<unknown> = Promise.resolve();
  #keeping: Promise<void> = Promise.resolve();
  #looking = false;
  #lookAgain = false;
  #unreadable = false;
  #patienceMs = PATIENCE_MS;
  #timer: NodeJS.Timeout | undefined;
  #poll: NodeJS.Timeout | undefined;
  #closed = false;
  #waiting: { version: number; reached: () => void }[] = [];

  constructor(options: FollowOptions, held: Held) {
    this.#options = options;
    this.#held = held;
  }

  attach(database: Database<Schema>): void {
    const look = () => void this.#look(database);
    database.listen(PUBLICATION_CHANNEL, { onNotify: look, onUp: look });
    this.#poll = setInterval(look, POLL_MS);
    look();
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
    await this.#making;
    await this.#keeping;
  }

  /** Judges facts (those held, when none are given) at the present moment and hands the snapshot on. */
  serve(next?: Held): Promise<void> {
    const turn = this.#making.then(() => this.#make(next ?? this.#held));
    this.#making = turn.catch(() => undefined);
    return turn;
  }

  async #make(next: Held): Promise<void> {
    if (this.#closed) return;
    const { rules, clock, onSnapshot } = this.#options;
    const now = clock();
    const today = dayNumber(bucharestDay(now));
    const held = next === this.#held && today === this.#closedFor ? next : closeDays(next, today, rules);
    const snapshot = await buildSnapshotGently({ ...rules, ...held, now });
    await onSnapshot(snapshot);
    this.#held = held;
    this.#closedFor = today;
    this.#version = snapshot.version;
    const waiting = this.#waiting;
    this.#waiting = waiting.filter(({ version }) => version > this.#version);
    for (const { version, reached } of waiting) if (version <= this.#version) reached();
    this.#wakeAt(snapshot.nextChange);
  }

  #wakeAt(instant: number): void {
    clearTimeout(this.#timer);
    if (this.#closed) return;
    const left = instant - this.#options.clock();
    this.#timer = setTimeout(() => this.#wake(instant), Math.min(Math.max(left, 0), LONGEST_TIMER_MS));
  }

  async #wake(instant: number): Promise<void> {
    const { clock, log } = this.#options;
    if (clock() < instant) return this.#wakeAt(instant);
    try {
      await this.serve();
    } catch (error) {
      log.warn(`the snapshot could not be made anew: ${(error as Error).message}`);
      this.#wakeAt(clock() + POLL_MS);
    }
  }

  /** Looks for a newer publication; what is announced while a look is under way is looked for after it. */
  async #look(database: Database<Schema>): Promise<void> {
    this.#lookAgain = true;
    if (this.#looking) return;
    this.#looking = true;
    while (this.#lookAgain && !this.#closed) {
      this.#lookAgain = false;
      await this.#update(database).then(
        () => this.#readable(),
        (error: Error) => this.#notReadable(error),
      );
    }
    this.#looking = false;
  }

  async #update(database: Database<Schema>): Promise<void> {
    const before = this.#fromDatabase ? this.#held : null;
    if (before !== null && (await currentVersion(database)) === before.facts.version) return;
    const next = await this.#read(database, before);
    await this.serve(next);
    this.#fromDatabase = true;
    this.#keeping = this.#keep(next);
    await this.#keeping;
  }

  /** A connection that hangs is given up soon; a server that is only slow gets more time at every further try. */
  async #read(database: Database<Schema>, before: Held | null): Promise<Held> {
    const silentMs = this.#patienceMs;
    this.#patienceMs = Math.min(2 * silentMs, MOST_PATIENCE_MS);
    const today = dayNumber(bucharestDay(this.#options.clock()));
    const next = await patiently(silentMs, () => readChanges(database, before, today));
    this.#patienceMs = PATIENCE_MS;
    return next;
  }

  #readable(): void {
    if (this.#unreadable) this.#options.log.info('the database answers again; publications are followed');
    this.#unreadable = false;
  }

  #notReadable(error: Error): void {
    if (!this.#unreadable && !this.#closed) this.#options.log.warn(`publications cannot be read: ${error.message}`);
    this.#unreadable = true;
  }

  async #keep({ facts, history }: Held): Promise<void> {
    if (facts.version === 0 || this.#closed) return;
    try {
      await saveLastGood(this.#options.dataDir, { facts, series: history.content() });
    } catch (error) {
      this.#options.log.warn(`the last good snapshot could not be kept on disk: ${(error as Error).message}`);
    }
  }
}

/** The days that ended since the facts were published get the values the next publication will store. */
function closeDays(held: Held, today: DayNumber, rules: Rules): Held {
  const closed = closedDays(held.facts, today, rules);
  if (closed.length === 0) return held;
  const history = copyOf(held.history);
  for (const { day, rows } of closed) {
    for (const row of rows) history.put(row, day, row.facts);
  }
  return { ...held, history };
}

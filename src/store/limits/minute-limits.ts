/** So many requests a minute and client over all processes; while the database cannot be asked, in this one. */

import { batched, DEADLINE_MS, inTime, Undecided } from '../../concurrency/batch.ts';
import { Memory } from '../../concurrency/bounded-map.ts';
import { placeIn, takePlace } from '../../domain/access/sliding-window.ts';
import { type Askable, askingWithin } from './limit-query.ts';
import { type MinuteVerdict, takeMinute } from './minute-windows.ts';

/** A request of a client (its canonical address or network) under one of the limits. */
export type Minute = { readonly client: string; readonly name: string; readonly most: number };

/** ms until the next place is free; 0 = this one was given. */
export type Wait = number;

const MINUTE_MS = 60_000;
const REMEMBERED = 100_000;

/** Requests that this process accepted in the last minute, sorted, by `performance.now()`. */
type Accepted = {
  readonly all: number[];
  /** Those the database does not know of. */
  readonly alone: number[];
};

export type MinuteOptions = {
  /** Makes the keyed hash under which a client is kept; `null` = its key is not known yet. */
  readonly hash: (client: string) => Buffer | null;
  /** Clients that are remembered at most. */
  readonly remembered?: number;
};

export class MinuteAllowance {
  readonly #database: () => Askable | null;
  readonly #hash: (client: string) => Buffer | null;
  readonly #ask: (minute: Minute) => Promise<Wait>;
  /** When the next place is free, by `performance.now()`. */
  readonly #refused: Memory<number>;
  readonly #accepted: Memory<Accepted>;

  constructor(database: () => Askable | null, { hash, remembered = REMEMBERED }: MinuteOptions) {
    this.#database = database;
    this.#hash = hash;
    this.#refused = new Memory(remembered);
    this.#accepted = new Memory(remembered);
    this.#ask = batched<Minute, Wait>({ ask: (minutes) => this.#decide(minutes) });
  }

  /** Takes a place, or tells how long there is none. What the database does not decide within `withinMs` is decided here. */
  take(minute: Minute, withinMs?: number): Wait | Promise<Wait> {
    const name = minuteName(minute);
    const now = performance.now();
    const left = (this.#refused.get(name) ?? now) - now;
    if (left > 0) return left;
    const alone = this.#stillAlone(name, now);
    const { free, waitMs } = placeIn(windowOf(minute), alone, now);
    if (!free) return waitMs;
    const asked = this.#ask({ ...minute, most: minute.most - alone.length });
    return (withinMs === undefined ? asked : inTime(withinMs, asked)).then(
      (wait) => this.#learn(name, wait),
      (error) => this.#decideAlone(minute, error),
    );
  }

  /** What was accepted without the database counts as long as it would have counted with it. */
  #stillAlone(name: string, now: number): readonly number[] {
    return this.#accepted.get(name)?.alone.filter((each) => each >= now - MINUTE_MS) ?? [];
  }

  #learn(name: string, wait: Wait): Wait {
    const now = performance.now();
    if (wait === 0) {
      this.#note(name, now, false);
      return 0;
    }
    const [first] = this.#stillAlone(name, now);
    const least = first === undefined ? wait : Math.min(wait, first + MINUTE_MS + 1 - now);
    this.#refused.set(name, now + least);
    return least;
  }

  async #decide(minutes: readonly Minute[]): Promise<Wait[]> {
    const database = this.#database();
    if (database === null) throw new Undecided('there is no database');
    const wanted = new Map<string, Minute & { wanted: number }>();
    for (const minute of minutes) {
      const name = minuteName(minute);
      wanted.set(name, { ...minute, wanted: (wanted.get(name)?.wanted ?? 0) + 1 });
    }
    const requests = [...wanted.values()].map((each) => ({ ...each, client: this.#hashOf(each.client) }));
    const verdicts = await takeMinute(askingWithin(database, DEADLINE_MS), requests);
    const left = new Map([...wanted.keys()].map((name, index) => [name, { ...(verdicts[index] as MinuteVerdict) }]));
    return minutes.map((minute) => {
      const mine = left.get(minuteName(minute)) as { given: number; waitMs: number };
      if (mine.given === 0) return mine.waitMs;
      mine.given -= 1;
      return 0;
    });
  }

  #hashOf(client: string): Buffer {
    const hash = this.#hash(client);
    if (hash === null) throw new Undecided('the key of the hashes is not known yet');
    return hash;
  }

  #decideAlone(minute: Minute, error: unknown): Wait {
    if (!(error instanceof Undecided)) throw error;
    const name = minuteName(minute);
    const now = performance.now();
    const known = this.#accepted.get(name);
    const { free, waitMs } = placeIn(windowOf(minute), known?.all ?? [], now);
    if (!free) return waitMs;
    // With no room left to remember that it was accepted it is not: the limit never falls open.
    const forgotten = this.#accepted.oldest?.all.at(-1);
    if (known === undefined && this.#accepted.full && forgotten !== undefined && forgotten >= now - MINUTE_MS)
      return forgotten + MINUTE_MS + 1 - now;
    this.#note(name, now, true);
    return 0;
  }

  #note(name: string, now: number, alone: boolean): void {
    const accepted = this.#accepted.get(name) ?? { all: [], alone: [] };
    takePlace({ ms: MINUTE_MS }, accepted.all, now);
    if (alone) takePlace({ ms: MINUTE_MS }, accepted.alone, now);
    this.#accepted.set(name, accepted);
  }
}

const windowOf = ({ most }: Minute) => ({ most, ms: MINUTE_MS });
const minuteName = ({ client, name }: Minute) => `${name} ${client}`;

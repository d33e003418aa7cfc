/**
 * The weekly cap of clients without a key. The database decides; its refusals are remembered until they end. While it
 * cannot be asked this process decides alone, and tells it afterwards: the cap never falls open.
 */

import { batched, DEADLINE_MS, inTime, Undecided } from '../../concurrency/batch.ts';
import { Memory } from '../../concurrency/bounded-map.ts';
import { type Askable, askingWithin } from './limit-query.ts';
import { type CapVerdict, giveBackWeekly, nameOf, noteWeekly, takeWeekly, type Visit } from './weekly-caps.ts';

/** A request of a client: its canonical address or network, and the endpoint's path template. */
export type Visitor = { readonly client: string; readonly endpoint: string };

/** `since` = when the answer was accepted that the cap counts, `now` = the present, both by one clock, epoch ms. */
export type Welcome = {
  readonly accepted: boolean;
  readonly since: number;
  readonly now: number;
  /** For so long the refusal stands without asking again. */
  readonly standsMs?: number;
};

const CAP_MS = 7 * 24 * 3_600_000;
const HOUR_MS = 3_600_000;
/** Each costs about 400 bytes; of one that was forgotten the database is asked again. */
const REMEMBERED = 30_000;
/** Of those that nobody else knows of more: with no room left all are refused. */
const REMEMBERED_ALONE = 200_000;
/** An acceptance may be given back as long as its answer is being made: until then its refusals are remembered briefly. */
const SETTLED_MS = 10_000;
/** Deciding alone is less exact: a slow database is waited for as long as a visitor may wait, two seconds in all. */
const PATIENCE_MS = 1_700;
const BRIEFLY_MS = 1_000;
/** How often is tried to tell the database what was decided alone, and how much of it at once. */
const TELL_MS = 1_000;
const TOLD_AT_ONCE = 1_000;

/**
 * What the database said of a visitor, its acceptance or a refusal. It is not asked again before `until`, by
 * `performance.now()`; `ahead` is the database's clock before that one.
 */
type Known = { readonly until: number; readonly since: number; readonly ahead: number };
/** Accepted without the database at `since` by this machine's clock, `at` by `performance.now()`. */
type Alone = { readonly visitor: Visitor; readonly since: number; readonly at: number };

export type WeeklyOptions = {
  /** Makes the keyed hash under which a client is kept; `null` = its key is not known yet. */
  readonly hash: (client: string) => Buffer | null;
  /** Of this machine, epoch ms, for when there is no database. */
  readonly clock: () => number;
  /** Resolves when the database is there, or is known to be away; `null` = that is known. */
  readonly coming?: () => Promise<unknown> | null;
  /** Visitors that are remembered at most. */
  readonly remembered?: number;
};

export class WeeklyAllowance {
  readonly #database: () => Askable | null;
  readonly #options: WeeklyOptions;
  readonly #ask: (visitor: Visitor) => Promise<CapVerdict>;
  readonly #known: Memory<Known>;
  readonly #alone: Memory<Alone>;
  /** Those of whom the database is being asked. */
  readonly #asking = new Set<string>();
  #telling: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(database: () => Askable | null, options: WeeklyOptions) {
    this.#database = database;
    this.#options = options;
    this.#known = new Memory(options.remembered ?? REMEMBERED);
    this.#alone = new Memory(options.remembered ?? REMEMBERED_ALONE);
    this.#ask = batched<Visitor, CapVerdict>({
      ask: (visitors) => this.#decide(visitors),
      patienceMs: PATIENCE_MS,
    });
  }

  /** Accepts the request, or tells which earlier one stands in its way. */
  visit(visitor: Visitor): Welcome | Promise<Welcome> {
    const name = visitorName(visitor);
    const known = this.#known.get(name);
    const at = performance.now();
    if (known !== undefined && at < known.until) return refusedBy(known, at);
    // Beside the request that asks again no other one can be accepted.
    if (known !== undefined && this.#asking.has(name) && isCapped(known, at)) return refusedBy(known, at);
    const alone = this.#alone.get(name);
    if (alone !== undefined && at < alone.at + CAP_MS) return refusedAlone(alone, at);
    const coming = this.#options.coming?.() ?? null;
    const asked = coming === null ? this.#ask(visitor) : this.#askWhenThere(coming, visitor);
    this.#asking.add(name);
    return asked
      .finally(() => this.#asking.delete(name))
      .then(
        (verdict) => this.#learn(name, verdict),
        (error) => this.#decideAlone(visitor, error),
      );
  }

  /** As long as a visitor waits for a database that is there. */
  async #askWhenThere(coming: Promise<unknown>, visitor: Visitor): Promise<CapVerdict> {
    const due = performance.now() + PATIENCE_MS;
    await inTime(PATIENCE_MS, coming);
    return inTime(due - performance.now(), this.#ask(visitor));
  }

  /** Takes an acceptance back: its answer was not 200. */
  async giveBack(visitor: Visitor, since: number): Promise<void> {
    const name = visitorName(visitor);
    this.#known.delete(name);
    // What is just being told is the database's by then.
    await this.#telling;
    this.#known.delete(name);
    if (this.#alone.get(name)?.since === since) return this.#alone.delete(name);
    const database = this.#database();
    const client = this.#options.hash(visitor.client);
    if (database === null || client === null) return;
    const visit = { client, endpoint: visitor.endpoint };
    await giveBackWeekly(askingWithin(database, DEADLINE_MS), visit, since).catch(() => undefined);
  }

  async #decide(visitors: readonly Visitor[]): Promise<CapVerdict[]> {
    const database = this.#database();
    if (database === null) throw new Undecided('there is no database');
    const asked = new Map<string, Visit>();
    const names = visitors.map((visitor) => {
      const visit = this.#visitOf(visitor);
      asked.set(nameOf(visit), visit);
      return nameOf(visit);
    });
    const verdicts = await takeWeekly(askingWithin(database, PATIENCE_MS + 100), [...asked.values()]);
    const byName = new Map([...asked.keys()].map((name, index) => [name, verdicts[index] as CapVerdict]));
    return names.map((name) => {
      const verdict = byName.get(name) as CapVerdict;
      // Of several requests of one client only the first is accepted.
      if (verdict.accepted) byName.set(name, { ...verdict, accepted: false });
      return verdict;
    });
  }

  #visitOf({ client, endpoint }: Visitor): Visit {
    const hash = this.#options.hash(client);
    if (hash === null) throw new Undecided('the key of the hashes is not known yet');
    return { client: hash, endpoint };
  }

  /** An acceptance is remembered, too: the database may be away when the client comes again. */
  #learn(name: string, { accepted, since, now }: CapVerdict): Welcome {
    const at = performance.now();
    const left = since + CAP_MS - now;
    // For an hour at most: an operator may have removed the row, or set the database's clock.
    const remembered = Math.min(left, now - since < SETTLED_MS ? BRIEFLY_MS : HOUR_MS);
    this.#known.set(name, { until: accepted ? at : at + remembered, since, ahead: now - at });
    return { accepted, since, now };
  }

  #decideAlone(visitor: Visitor, error: unknown): Welcome {
    if (!(error instanceof Undecided)) throw error;
    const name = visitorName(visitor);
    const at = performance.now();
    const known = this.#known.get(name);
    if (known !== undefined && isCapped(known, at)) return refusedBy(known, at);
    const alone = this.#alone.get(name);
    if (alone !== undefined && at < alone.at + CAP_MS) return refusedAlone(alone, at);
    const now = this.#options.clock();
    // With no room left to remember that it was accepted it is not: the cap never falls open.
    if (alone === undefined && this.#alone.full) return { accepted: false, since: now - CAP_MS + HOUR_MS, now };
    this.#alone.set(name, { visitor, since: now, at });
    this.#tellSoon();
    return { accepted: true, since: now, now };
  }

  #tellSoon(): void {
    if (this.#telling !== undefined || this.#timer !== undefined || this.#alone.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#telling = this.#tell().finally(() => {
        this.#telling = undefined;
        this.#tellSoon();
      });
    }, TELL_MS);
    this.#timer.unref();
  }

  /** Tells the database what was accepted without it; what cannot be told now is told later. */
  async #tell(): Promise<void> {
    try {
      for (let database = this.#database(); database !== null; database = this.#database()) {
        const some = this.#alone.entries().take(TOLD_AT_ONCE).toArray();
        if (some.length === 0) return;
        const accepted = some.map(([, { visitor, since }]) => ({ ...this.#visitOf(visitor), since }));
        await noteWeekly(askingWithin(database, DEADLINE_MS), accepted);
        for (const [name, one] of some) this.#hasTold(name, one);
      }
    } catch {
      // It is still away.
    }
  }

  /** The database may be away when the client comes again. */
  #hasTold(name: string, { since }: Alone): void {
    const at = performance.now();
    this.#alone.delete(name);
    this.#known.set(name, { until: at, since, ahead: this.#options.clock() - at });
  }
}

function isCapped({ since, ahead }: Known, at: number): boolean {
  return at + ahead < since + CAP_MS;
}

function refusedBy({ until, since, ahead }: Known, at: number): Welcome {
  return { accepted: false, since, now: at + ahead, standsMs: Math.max(0, until - at) };
}

function refusedAlone({ since, at: accepted }: Alone, at: number): Welcome {
  return { accepted: false, since, now: since + at - accepted };
}

/** One name for a client at an endpoint. */
const visitorName = ({ client, endpoint }: Visitor) => `${client} ${endpoint}`;

/**
 * Which price to believe. Facts and the present moment in, verdicts out: nothing here is ever stored, so a better rule
 * also corrects the past. Source: API contract (station record) and decisions 24 to 27.
 */
import { type DayNumber, dayNumber, startOfBucharestDay } from '../days.ts';
import { type Fuel, inRange, type Milli, type PriceRanges, STANDARD_OF } from '../fuel.ts';
import type { Observed } from '../reports/observation.ts';
import { sourceKind, sourceRank } from '../reports/source-kind.ts';

/** What one source currently says of one fuel at one station. */
export type PriceFact = {
  readonly source: string;
  readonly fuel: Fuel;
  /** `null`: the source's row carries no usable price any more. */
  readonly price: Milli | null;
  readonly observed: Observed | null;
  /** Day of the observation since which the price is the same. */
  readonly sinceDay: DayNumber;
  /** Whether the price of `sinceDay` replaced another one (a first sight is no change). */
  readonly changed: boolean;
  /** When the unit that vouches for the row was last read in a run that delivered, epoch ms. */
  readonly readAt: number;
  /** Since when complete sweeps of its area lack the row, epoch ms; `null` while it is there. */
  readonly missingSince: number | null;
};

export type DoubtReason = 'orphaned' | 'stale' | 'stuck';

export type Verdict =
  | { readonly kind: 'relied'; readonly price: Milli; readonly fact: PriceFact }
  | {
      readonly kind: 'doubtful';
      readonly price: Milli;
      readonly fact: PriceFact;
      readonly reason: DoubtReason;
      /** Day since which the price is unchanged (stuck) or of the last observation (stale); `null` for an orphan. */
      readonly since: DayNumber | null;
    }
  /** Withdrawn: every source that had a price has been silent for more than 24 h. */
  | { readonly kind: 'expired' }
  /** Withdrawn: a premium fuel below the standard one at the same pump. */
  | { readonly kind: 'incoherent' }
  /** The station sells it, the price is not known. */
  | { readonly kind: 'unknown' };

/** How the rest of a brand's stations have moved, as told by one source; see `stuckness`. */
export type BrandMovement = { stuckSince(fact: PriceFact): boolean };

export type Moment = { readonly now: number; readonly today: DayNumber; readonly ranges: PriceRanges };

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SILENCE_MS = DAY;
const STALE_DAYS = 7;
const STUCK_DAYS = 14;
/** How long the price of an orphan is still served. */
export const ORPHAN_PRICE_MS = 30 * DAY;
const ORPHAN_PIN_MS = 90 * DAY;

/**
 * Whether a fact is still worth a pin on the map. An orphan of the register's stays for 90 days; what another source
 * that delivered no longer has is gone at once. Decision 26.
 */
export function isOnMap(fact: PriceFact, now: number): boolean {
  if (fact.missingSince === null) return true;
  return sourceKind(fact.source) === 'register' && now - fact.missingSince <= ORPHAN_PIN_MS;
}

/** Instant from which on the source of a fact counts as silent (strictly after it). */
export function silentAfter(fact: PriceFact): number {
  return (fact.source === 'manual' ? (fact.observed?.at ?? fact.readAt) : fact.readAt) + SILENCE_MS;
}

/** The verdict over all that the sources say of one fuel at one station, before premium and standard are compared. */
export function choose(facts: readonly PriceFact[], movement: BrandMovement, moment: Moment): Verdict {
  const priced = facts.filter(
    (fact) => fact.price !== null && inRange(fact.price, fact.fuel, moment.ranges) && !longOrphaned(fact, moment.now),
  );
  const live = priced.filter((fact) => moment.now <= silentAfter(fact));
  if (live.length === 0) return priced.length > 0 ? { kind: 'expired' } : { kind: 'unknown' };
  const verdicts = live.sort(byBelief).map((fact) => judge(fact, movement, moment));
  return verdicts.find(({ kind }) => kind === 'relied') ?? (verdicts[0] as Verdict);
}

/** Withdraws every premium price below the standard one of its family, both relied on. Decision 27. Edits in place. */
export function withdrawIncoherent(verdicts: Map<Fuel, Verdict>): void {
  for (const [fuel, verdict] of verdicts) {
    const standardFuel = STANDARD_OF[fuel];
    const standard = standardFuel && verdicts.get(standardFuel);
    if (verdict.kind === 'relied' && standard?.kind === 'relied' && verdict.price < standard.price) {
      verdicts.set(fuel, { kind: 'incoherent' });
    }
  }
}

/** The next instant after `now` at which the verdict over a fact may change by time alone; midnight is not counted. */
export function nextChangeOf(fact: PriceFact, now: number): number {
  const instants = [silentAfter(fact) + 1];
  if (fact.missingSince !== null) {
    instants.push(fact.missingSince + ORPHAN_PRICE_MS + 1, fact.missingSince + ORPHAN_PIN_MS + 1);
  }
  return Math.min(...instants.map((instant) => (instant > now ? instant : Number.POSITIVE_INFINITY)));
}

function longOrphaned(fact: PriceFact, now: number): boolean {
  return fact.missingSince !== null && now - fact.missingSince > ORPHAN_PRICE_MS;
}

/** Which of two facts on one fuel and station is believed first: negative = the first. Decision 25. */
export function byBelief(a: PriceFact, b: PriceFact): number {
  return sourceRank(a.source) - sourceRank(b.source) || newness(b) - newness(a) || (a.source < b.source ? -1 : 1);
}

function newness(fact: PriceFact): number {
  return fact.observed?.at ?? (fact.observed ? startOfBucharestDay(dayNumber(fact.observed.day)) : fact.readAt);
}

function judge(fact: PriceFact, movement: BrandMovement, moment: Moment): Verdict {
  const price = fact.price as Milli;
  const doubtful = (reason: DoubtReason, since: DayNumber | null): Verdict => ({
    kind: 'doubtful',
    price,
    fact,
    reason,
    since,
  });
  if (fact.missingSince !== null) return doubtful('orphaned', null);
  const observedDay = fact.observed && dayNumber(fact.observed.day);
  if (observedDay !== null && moment.today - observedDay >= STALE_DAYS) return doubtful('stale', observedDay);
  if (moment.today - fact.sinceDay >= STUCK_DAYS && movement.stuckSince(fact)) return doubtful('stuck', fact.sinceDay);
  return { kind: 'relied', price, fact };
}

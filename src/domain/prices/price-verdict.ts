/**
 * Which price to trust. Facts and the current moment in, verdicts out: no verdict is ever stored, so a better rule
 * also corrects the past. Source: API contract (station record) and rules 24 to 27.
 */
import { compareCodeUnits } from '../../algorithms/compare-code-units.ts';
import { type DayNumber, dayNumber, startOfBucharestDay } from '../days.ts';
import type { ShownPrice } from '../driver-report.ts';
import { FUELS, type Fuel, isInRange, type MilliPrice, type PriceRanges, STANDARD_GRADE_OF } from '../fuel.ts';
import type { ObservationTime } from '../reports/observation.ts';
import { sourceKind, sourceRank } from '../reports/source-kind.ts';

/** What one source currently reports for one fuel at one station. */
export type SourcePrice = {
  readonly source: string;
  readonly fuel: Fuel;
  /** `null`: the source's row carries no usable price any more. */
  readonly price: MilliPrice | null;
  readonly observed: ObservationTime | null;
  /** Day of the observation since which the price has not changed. */
  readonly sinceDay: DayNumber;
  /** Whether the price of `sinceDay` replaced another one (the first observation is not a change). */
  readonly changed: boolean;
  /** When the unit that vouches for the row was last read in a run that delivered, epoch ms. */
  readonly readAt: number;
  /** Since when complete sweeps of its area lack the row, epoch ms; `null` while it is there. */
  readonly missingSince: number | null;
};

export type DoubtReason = 'orphaned' | 'stale' | 'stuck';

/**
 * Why no price is known: no source gives a usable one (a list of stations names the fuel, or a row has none), a source
 * gives one outside the plausible range, or the register stopped sending the row longer ago than an orphan keeps its
 * price.
 */
export type UnknownReason = 'unpublished' | 'invalid' | 'orphaned';

export type PriceVerdict =
  | { readonly kind: 'trusted'; readonly price: MilliPrice; readonly fact: SourcePrice }
  | {
      readonly kind: 'doubtful';
      readonly price: MilliPrice;
      readonly fact: SourcePrice;
      readonly reason: DoubtReason;
      /** Day since which the price is unchanged (stuck) or of the last observation (stale); `null` for an orphan. */
      readonly since: DayNumber | null;
    }
  /** `MAX_PRICE_AGE_MS` have passed for every source that had a price; the last of them confirmed it then, epoch ms. */
  | { readonly kind: 'expired'; readonly lastConfirmedAt: number }
  /** Withdrawn: a premium fuel below the standard one at the same pump. */
  | { readonly kind: 'incoherent' }
  /** The station sells it, the price is not known. */
  | { readonly kind: 'unknown'; readonly reason: UnknownReason };

/** The price of a verdict that counts; `null` of any other, and where there is none. */
export function trustedPrice(verdict: PriceVerdict | undefined): MilliPrice | null {
  return verdict?.kind === 'trusted' ? verdict.price : null;
}

/** Finds prices that did not change while those of the same source, network and fuel did; see `stuckPriceDetector`. */
export type StuckPriceDetector = { isStuck(fact: SourcePrice): boolean };

export type JudgingContext = { readonly now: number; readonly today: DayNumber; readonly ranges: PriceRanges };

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A price expires this long after the part of its source that has it was last read. Rule 25. */
export const MAX_PRICE_AGE_MS = DAY;
/** A price is doubtful when its source's own date is this old, or when it has stood still this long. Rule 26. */
export const STALE_DAYS = 7;
export const STUCK_DAYS = 14;
/** An orphan keeps its price this long. Rule 26. */
export const ORPHAN_PRICE_MS = 30 * DAY;
/** An orphan keeps its station on the map this long. Rule 26. */
export const ORPHAN_RECORD_MS = 90 * DAY;

/**
 * Whether a fact still puts its station on the map. An orphan of the register stays for 90 days; a row that any other
 * source no longer delivers is removed at once. Rule 26.
 */
export function isOnMap(fact: SourcePrice, now: number): boolean {
  if (fact.missingSince === null) return true;
  return sourceKind(fact.source) === 'register' && now - fact.missingSince <= ORPHAN_RECORD_MS;
}

/** The last instant at which the price of a fact still counts. */
export function priceExpiresAt(fact: SourcePrice): number {
  return confirmedAt(fact) + MAX_PRICE_AGE_MS;
}

/** When its source last vouched for a price. A manual report does so at its own time only. */
function confirmedAt(fact: SourcePrice): number {
  return fact.source === 'manual' ? (fact.observed?.at ?? fact.readAt) : fact.readAt;
}

/** The verdict over all facts on one fuel at one station, before premium and standard are compared. */
export function judgeFuel(
  facts: readonly SourcePrice[],
  detector: StuckPriceDetector,
  context: JudgingContext,
): PriceVerdict {
  let best: PricedVerdict | null = null;
  let lastConfirmedAt: number | null = null;
  for (const fact of facts) {
    if (!hasUsablePrice(fact, context.ranges) || isOrphanedTooLong(fact, context.now)) continue;
    lastConfirmedAt = Math.max(lastConfirmedAt ?? 0, confirmedAt(fact));
    if (context.now > priceExpiresAt(fact)) continue;
    const verdict = judgeSourcePrice(fact, detector, context);
    if (best === null || isPreferred(verdict, best)) best = verdict;
  }
  if (best !== null) return best;
  if (lastConfirmedAt !== null) return { kind: 'expired', lastConfirmedAt };
  return { kind: 'unknown', reason: unknownReason(facts, context) };
}

type PricedVerdict = Extract<PriceVerdict, { price: MilliPrice }>;

/** A trusted price before a doubtful one, then that of the source which is trusted more. */
function isPreferred(verdict: PricedVerdict, other: PricedVerdict): boolean {
  if (verdict.kind !== other.kind) return verdict.kind === 'trusted';
  return byTrust(verdict.fact, other.fact) < 0;
}

/** Withdraws every trusted premium price below the trusted standard price of its family. Rule 27. Edits in place. */
export function withdrawIncoherent(verdicts: Map<Fuel, PriceVerdict>): void {
  for (const [fuel, standardFuel] of PREMIUM_FUELS) {
    const price = trustedPrice(verdicts.get(fuel));
    const standardPrice = trustedPrice(verdicts.get(standardFuel));
    if (price !== null && standardPrice !== null && price < standardPrice) verdicts.set(fuel, { kind: 'incoherent' });
  }
}

/** Each premium fuel with the standard one of its family. */
const PREMIUM_FUELS = FUELS.flatMap((fuel) => {
  const standardFuel = STANDARD_GRADE_OF[fuel];
  return standardFuel === undefined ? [] : [[fuel, standardFuel] as const];
});

/** The price that pages show for a verdict, a doubtful one included, and when its source last changed it. */
export function shownPrice(verdict: PriceVerdict): ShownPrice {
  if (verdict.kind !== 'trusted' && verdict.kind !== 'doubtful') return { price: null, changedOn: null };
  const { price, fact } = verdict;
  return { price, changedOn: fact.changed ? fact.sinceDay : null };
}

/** The next instant after `now` at which the verdict on a fact may change by time alone, midnight aside. */
export function nextChangeOf(fact: SourcePrice, now: number): number {
  const after = (instant: number) => (instant > now ? instant : Number.POSITIVE_INFINITY);
  const expires = after(priceExpiresAt(fact) + 1);
  if (fact.missingSince === null) return expires;
  const orphanExpires = after(fact.missingSince + ORPHAN_PRICE_MS + 1);
  return Math.min(expires, orphanExpires, after(fact.missingSince + ORPHAN_RECORD_MS + 1));
}

function unknownReason(facts: readonly SourcePrice[], { now, ranges }: JudgingContext): UnknownReason {
  if (facts.some((fact) => hasUsablePrice(fact, ranges) && isOrphanedTooLong(fact, now))) return 'orphaned';
  return facts.some(({ price }) => price !== null) ? 'invalid' : 'unpublished';
}

function hasUsablePrice({ price, fuel }: SourcePrice, ranges: PriceRanges): boolean {
  return price !== null && isInRange(price, fuel, ranges);
}

function isOrphanedTooLong(fact: SourcePrice, now: number): boolean {
  return fact.missingSince !== null && now - fact.missingSince > ORPHAN_PRICE_MS;
}

/** Sorts facts on one fuel and station, most trusted first. Rule 25. */
export function byTrust(a: SourcePrice, b: SourcePrice): number {
  return (
    sourceRank(a.source) - sourceRank(b.source) ||
    observedAtOf(b) - observedAtOf(a) ||
    compareCodeUnits(a.source, b.source)
  );
}

function observedAtOf(fact: SourcePrice): number {
  return fact.observed?.at ?? (fact.observed ? startOfBucharestDay(dayNumber(fact.observed.day)) : fact.readAt);
}

function judgeSourcePrice(fact: SourcePrice, detector: StuckPriceDetector, context: JudgingContext): PricedVerdict {
  const price = fact.price as MilliPrice;
  const doubtful = (reason: DoubtReason, since: DayNumber | null): PricedVerdict => ({
    kind: 'doubtful',
    price,
    fact,
    reason,
    since,
  });
  if (fact.missingSince !== null) return doubtful('orphaned', null);
  const observedDay = fact.observed && dayNumber(fact.observed.day);
  if (observedDay !== null && context.today - observedDay >= STALE_DAYS) return doubtful('stale', observedDay);
  if (context.today - fact.sinceDay >= STUCK_DAYS && detector.isStuck(fact)) return doubtful('stuck', fact.sinceDay);
  return { kind: 'trusted', price, fact };
}

/** The name of a verdict in files and `--json` output, where a trusted price is `relied` since the first version. */
export function verdictCode(kind: string): string {
  return kind === 'trusted' ? 'relied' : kind;
}

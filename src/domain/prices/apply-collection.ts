/** Applies a finished sweep to the known facts: pure, so that a replay does the same. Rules 26, 28 and 32. */
import { bucharestDay, dayNumber } from '../days.ts';
import type { Fuel, MilliPrice } from '../fuel.ts';
import type { ObservationTime, PriceReading, Rejections, UnitOutcome } from '../reports/observation.ts';
import type { SourcePrice } from './price-verdict.ts';

/** The current fact of one station, fuel and source, with the unit that vouches for it. */
export type KnownPrice = Omit<SourcePrice, 'readAt'> & { readonly station: string; readonly unit: string };

/** A fact to append: the price changed, vanished or came back. */
export type PriceObservation = {
  readonly station: string;
  readonly fuel: Fuel;
  readonly source: string;
  readonly price: MilliPrice | null;
  readonly missing: boolean;
  readonly observed: ObservationTime | null;
};

export type StationReading = PriceReading & { readonly station: string };

export type CollectionChanges = {
  /** All facts after the sweep, changed or not. */
  readonly factsAfter: readonly KnownPrice[];
  /** Facts that are new or differ in any way. */
  readonly changedFacts: readonly KnownPrice[];
  readonly observations: readonly PriceObservation[];
  /** Number of readings whose price differs from the previous one. */
  readonly priceChanges: number;
};

/** A unit that had rows and answers "no such thing" counts as empty from this run in a row on. Rule 26. */
export const NOT_FOUND_TO_EMPTY = 3;

/**
 * How each unit counts in this run, given how many times in a row it was not found before. `notFoundCounts` holds the
 * new count of every unit: 0 after any other outcome, since only consecutive ones count.
 */
export function settleUnits(
  outcomes: ReadonlyMap<string, UnitOutcome>,
  countsBefore: ReadonlyMap<string, number>,
): { answered: Set<string>; failed: Set<string>; notFoundCounts: Map<string, number> } {
  const settled = { answered: new Set<string>(), failed: new Set<string>(), notFoundCounts: new Map<string, number>() };
  for (const [unit, outcome] of outcomes) {
    const notFound = outcome === 'not-found' ? (countsBefore.get(unit) ?? 0) + 1 : 0;
    const hasAnswered = outcome === 'read' || outcome === 'empty' || notFound >= NOT_FOUND_TO_EMPTY;
    (hasAnswered ? settled.answered : settled.failed).add(unit);
    settled.notFoundCounts.set(unit, notFound);
  }
  return settled;
}

/**
 * Applies one sweep at `now` to the facts of one source. A row of a unit that failed stays as it is; a row absent from
 * a completely read unit is missing from now on; a reading older than the known fact changes nothing.
 */
export function applyReadings(
  source: string,
  known: readonly KnownPrice[],
  readings: readonly StationReading[],
  answered: ReadonlySet<string>,
  now: number,
  rejections: Rejections,
): CollectionChanges {
  const byKey = new Map(known.map((fact) => [factKey(fact.station, fact.fuel), fact]));
  const after = new Map(byKey);
  const changedFacts: KnownPrice[] = [];
  const observations: PriceObservation[] = [];
  const keep = (fact: KnownPrice) => {
    changedFacts.push(fact);
    after.set(factKey(fact.station, fact.fuel), fact);
  };
  const seen = new Set<string>();
  let priceChanges = 0;
  for (const reading of readings) {
    const key = factKey(reading.station, reading.fuel);
    if (seen.has(key)) {
      rejections.addToRow(reading, 'second_row_of_station_and_fuel', `${reading.sourceId} ${reading.fuel}`);
      continue;
    }
    seen.add(key);
    const before = byKey.get(key);
    if (before && isOlder(reading.observed, before.observed)) {
      rejections.addToRow(
        reading,
        'older_than_known',
        `${reading.sourceId} ${reading.fuel} ${reading.observed?.text ?? ''}`,
      );
      if (before.missingSince !== null) {
        const back = { ...before, missingSince: null };
        keep(back);
        observations.push(asObservation(back));
      }
      continue;
    }
    const fact = nextFact(source, before, reading, now);
    if (before && before.price !== fact.price) priceChanges += 1;
    if (!before || !sameFact(before, fact)) keep(fact);
    if (!before || before.price !== fact.price || before.missingSince !== null) observations.push(asObservation(fact));
  }
  for (const fact of known) {
    if (fact.missingSince !== null || seen.has(factKey(fact.station, fact.fuel)) || !answered.has(fact.unit)) continue;
    const missing = { ...fact, missingSince: now };
    keep(missing);
    observations.push(asObservation(missing));
  }
  return { factsAfter: [...after.values()], changedFacts, observations, priceChanges };
}

/** The key of a station and fuel within one source. */
export function factKey(station: string, fuel: Fuel): string {
  return `${station} ${fuel}`;
}

function nextFact(source: string, before: KnownPrice | undefined, reading: StationReading, now: number): KnownPrice {
  const day = dayNumber(reading.observed?.day ?? bucharestDay(now));
  const { station, fuel, price, observed, unit } = reading;
  const same = before !== undefined && before.price === price;
  return {
    station,
    fuel,
    source,
    price,
    observed,
    unit,
    sinceDay: same ? before.sinceDay : day,
    changed: same ? before.changed : before !== undefined && before.price !== null,
    missingSince: null,
  };
}

function isOlder(reading: ObservationTime | null, known: ObservationTime | null): boolean {
  if (reading === null || known === null) return false;
  if (reading.at !== null && known.at !== null) return reading.at < known.at;
  return reading.day < known.day;
}

function sameFact(a: KnownPrice, b: KnownPrice): boolean {
  return (
    a.price === b.price &&
    a.unit === b.unit &&
    a.missingSince === b.missingSince &&
    a.observed?.day === b.observed?.day &&
    a.observed?.at === b.observed?.at &&
    a.observed?.text === b.observed?.text
  );
}

function asObservation(fact: KnownPrice): PriceObservation {
  const { station, fuel, source, price, observed, missingSince } = fact;
  return { station, fuel, source, price, observed, missing: missingSince !== null };
}

/** The figures of one day: of the country by fuel, of the largest cities and of the networks. */
import type { DayNumber } from '../../../domain/days.ts';
import { type MilliPrice, ROAD_FUELS, type RoadFuel } from '../../../domain/fuel.ts';
import type { DayStatistics, StatisticsScope } from '../../../domain/prices/day-statistics.ts';
import { changeSince, type DayPrice, pricesOf, records } from '../../../domain/prices/price-standing.ts';
import type { Snapshot } from '../../../snapshot/snapshot.ts';

export type FuelDay = {
  readonly fuel: RoadFuel;
  readonly statistics: DayStatistics;
  /** Changes of the mean over 1, 7, 30 and 365 days; `null` = unknown. */
  readonly changes: readonly (MilliPrice | null)[];
  /** Whether the mean is the lowest or the highest since records began, up to that day. */
  readonly record: 'lowest' | 'highest' | null;
};

export type Day = {
  readonly day: DayNumber;
  readonly isToday: boolean;
  readonly fuels: readonly FuelDay[];
  /** The day before and after with figures; `null` = none. */
  readonly earlier: DayNumber | null;
  readonly later: DayNumber | null;
};

/** Cities among the figures of a day. */
export const CITIES_SHOWN = 5;
/** The periods of the changes, in days. */
export const CHANGE_DAYS = [1, 7, 30, 365] as const;
/** A record needs this many days to be one. */
const MIN_RECORD_DAYS = 30;

const knownBySnapshot = new WeakMap<Snapshot, readonly DayNumber[]>();

/** The days with figures of the country, in ascending order; found once per snapshot. */
export function knownDays(snapshot: Snapshot): readonly DayNumber[] {
  const known = knownBySnapshot.get(snapshot);
  if (known !== undefined) return known;
  const days = new Set(ROAD_FUELS.flatMap((fuel) => snapshot.statistics('national', fuel).map(({ day }) => day)));
  const made = [...days].sort((a, b) => a - b);
  knownBySnapshot.set(snapshot, made);
  return made;
}

/** One day; `null` where no price of it is known. */
export function dayOf(day: DayNumber, snapshot: Snapshot): Day | null {
  const fuels = ROAD_FUELS.flatMap((fuel) => fuelDay(fuel, day, snapshot.statistics('national', fuel)) ?? []);
  if (fuels.length === 0) return null;
  const known = knownDays(snapshot);
  const at = known.indexOf(day);
  return { day, isToday: day === snapshot.today, fuels, earlier: known[at - 1] ?? null, later: known[at + 1] ?? null };
}

function fuelDay(fuel: RoadFuel, day: DayNumber, series: readonly DayStatistics[]): FuelDay | null {
  const statistics = series.find((each) => each.day === day);
  if (statistics === undefined) return null;
  const means = pricesOf(series, 'mean').filter((each) => each.day <= day);
  const changes = CHANGE_DAYS.map((days) => changeSince(means, days, day));
  return { fuel, statistics, changes, record: recordOn(day, means) };
}

function recordOn(day: DayNumber, means: readonly DayPrice[]): FuelDay['record'] {
  if (means.length < MIN_RECORD_DAYS) return null;
  const found = records(means);
  if (found?.lowest.day === day) return 'lowest';
  return found?.highest.day === day ? 'highest' : null;
}

/** The lowest price of each of the largest cities on a day, largest city first. */
export function citiesOn(
  day: DayNumber,
  count: number,
  snapshot: Snapshot,
): { readonly slug: string; readonly name: string; readonly lowest: ReadonlyMap<RoadFuel, MilliPrice> }[] {
  return snapshot.cities.slice(0, count).map(({ slug, name }) => {
    const lowest = new Map<RoadFuel, MilliPrice>();
    for (const fuel of ROAD_FUELS) {
      const found = statisticsOn(day, `city:${slug}`, fuel, snapshot);
      if (found !== undefined) lowest.set(fuel, found.min);
    }
    return { slug, name, lowest };
  });
}

/** The statistics of a scope on a day; `undefined` = no price is known. */
function statisticsOn(
  day: DayNumber,
  scope: StatisticsScope,
  fuel: RoadFuel,
  { statistics }: Snapshot,
): DayStatistics | undefined {
  return statistics(scope, fuel).find((each) => each.day === day);
}

/** Statistics of past days, held in memory: seven integers for each day, fuel and scope. */
import type { DayNumber } from '../domain/days.ts';
import type { RoadFuel } from '../domain/fuel.ts';
import {
  type DayStatistics,
  type ScopeKind,
  STATISTICS,
  type StatisticsLists,
  type StatisticsScope,
  scopeOf,
} from '../domain/prices/day-statistics.ts';

/** Days held, today not included: a year and a month of each city, ten years of the country, counties and networks. */
export const STATISTICS_DAYS: Readonly<Record<ScopeKind, number>> = {
  national: 3_660,
  county: 3_660,
  network: 3_660,
  city: 400,
};

export type Values = Uint16Array | Uint32Array;

/** One kind of scope: the position of each scope in a day's values, and the values by fuel and day. */
export type KindHistory = {
  /** Shared by all copies: scopes are only ever added, and those that a day lacks have zero stations. */
  readonly positions: Map<StatisticsScope, number>;
  readonly days: Map<RoadFuel, Map<DayNumber, Values>>;
};

/**
 * Past days of all scopes. A day's values are never changed, only replaced, so that copies share them. With 800 cities
 * they take 23 MB for a year and 49 MB for ten.
 */
export class StatisticsHistory {
  readonly #kinds: Map<ScopeKind, KindHistory>;

  constructor(kinds: Map<ScopeKind, KindHistory> = new Map()) {
    this.#kinds = kinds;
  }

  /** The raw content, to be sent elsewhere and passed to the constructor again. */
  content(): ReadonlyMap<ScopeKind, KindHistory> {
    return this.#kinds;
  }

  /** A copy that can be changed while others read this one. */
  copy(): StatisticsHistory {
    return new StatisticsHistory(
      new Map(
        [...this.#kinds].map(([kind, { positions, days }]) => [
          kind,
          { positions, days: new Map([...days].map(([fuel, ofFuel]) => [fuel, new Map(ofFuel)])) },
        ]),
      ),
    );
  }

  /** Stores one kind of scope and fuel of one day, in place of what is held of it. */
  putDay(day: DayNumber, lists: StatisticsLists): void {
    const { positions, days } = this.#kind(lists.kind);
    const ofFuel = days.get(lists.fuel) ?? new Map<DayNumber, Values>();
    days.set(lists.fuel, ofFuel);
    ofFuel.set(day, valuesOf(lists, positions));
  }

  /** Removes one day, before it is read again. */
  clearDay(day: DayNumber): void {
    for (const { days } of this.#kinds.values()) for (const ofFuel of days.values()) ofFuel.delete(day);
  }

  /** Removes the days that are older than `STATISTICS_DAYS`. */
  prune(today: DayNumber): void {
    for (const [kind, { days }] of this.#kinds) {
      for (const ofFuel of days.values()) {
        for (const day of ofFuel.keys()) if (day < today - STATISTICS_DAYS[kind]) ofFuel.delete(day);
      }
    }
  }

  /** The days before `today` on which the scope had a trusted price, in ascending order. */
  series(scope: StatisticsScope, fuel: RoadFuel, today: DayNumber): DayStatistics[] {
    const history = this.#kinds.get(scope.split(':', 1)[0] as ScopeKind);
    const position = history?.positions.get(scope);
    const ofFuel = history?.days.get(fuel);
    if (position === undefined || ofFuel === undefined) return [];
    const series: DayStatistics[] = [];
    for (const [day, values] of ofFuel) {
      const stations = values[position * STATISTICS.length];
      if (day < today && stations) series.push(statisticsAt(values, position, day));
    }
    return series.sort((a, b) => a.day - b.day);
  }

  #kind(kind: ScopeKind): KindHistory {
    const known = this.#kinds.get(kind) ?? { positions: new Map(), days: new Map() };
    this.#kinds.set(kind, known);
    return known;
  }
}

function statisticsAt(values: Values, position: number, day: DayNumber): DayStatistics {
  const at = (name: (typeof STATISTICS)[number]) =>
    values[position * STATISTICS.length + STATISTICS.indexOf(name)] as number;
  return {
    day,
    stations: at('stations'),
    min: at('min'),
    p10: at('p10'),
    median: at('median'),
    mean: at('mean'),
    p90: at('p90'),
    max: at('max'),
  };
}

/** Highest number in 16 bits: a price of 65.535 lei, which `PRICE_RANGES` may exceed. */
const MAX_UINT16 = 0xffff;

function valuesOf(lists: StatisticsLists, positions: Map<StatisticsScope, number>): Values {
  const { kind, names, max, stations } = lists;
  const own = names.map((name) => positionOf(scopeOf(kind, name), positions));
  const isLarge = [...max, ...stations].some((value) => value > MAX_UINT16);
  const length = own.reduce((most, position) => Math.max(most, position + 1), 0) * STATISTICS.length;
  const values = isLarge ? new Uint32Array(length) : new Uint16Array(length);
  own.forEach((position, index) => {
    STATISTICS.forEach((name, offset) => {
      values[position * STATISTICS.length + offset] = lists[name][index] as number;
    });
  });
  return values;
}

function positionOf(scope: StatisticsScope, positions: Map<StatisticsScope, number>): number {
  const position = positions.get(scope) ?? positions.size;
  positions.set(scope, position);
  return position;
}

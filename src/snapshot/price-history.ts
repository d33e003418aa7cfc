/** Daily prices of the stations, held in memory: 90 days of integers per station and fuel. */
import type { DayNumber } from '../domain/days.ts';
import { FUELS, type Fuel, type MilliPrice } from '../domain/fuel.ts';

/** Days kept: the longest window that a request may ask for. Source: API contract, `days` capped at 90. */
export const HISTORY_DAYS = 90;

/** The daily series of one station. */
export type StationHistory = {
  /** First day with a known price of the station; may be before the window. */
  readonly firstDay: DayNumber;
  /** Fuels ever known here, in the contract's order. */
  readonly fuels: readonly Fuel[];
  /** The price of one of the last 90 days; `null` = none known. */
  readonly price: (fuel: Fuel, day: DayNumber) => MilliPrice | null;
};

/** One past day of one station: price by fuel in the order of `FUELS`, `null` = none. */
type StationDay = { readonly station: string; readonly prices: readonly (MilliPrice | null)[] };

/** Every fuel, one bit each in the order of `FUELS`. */
const ALL_FUELS = (1 << FUELS.length) - 1;

export type PriceSeries = {
  firstDay: DayNumber;
  fuels: number;
  /** The ring holds the 90 days that end with this one. */
  lastDay: DayNumber;
  ring: Uint32Array;
};

/**
 * Past days of all stations in rings of 90 days: day d is at slot d mod 90. A new day replaces the oldest, and skipped
 * days are emptied. Zero marks "none" inside the ring only. The ring does not hold today: its value is the price being
 * served.
 */
export class PriceHistory {
  readonly #stations: Map<string, PriceSeries>;

  constructor(stations: Map<string, PriceSeries> = new Map()) {
    this.#stations = stations;
  }

  /** The raw content, to be stored on disk and passed to the constructor again. */
  content(): ReadonlyMap<string, PriceSeries> {
    return this.#stations;
  }

  /** A history that later days may be put into, while this one stays as it is. */
  copy(): PriceHistory {
    const copyOf = (series: PriceSeries) => ({ ...series, ring: series.ring.slice() });
    return new PriceHistory(new Map([...this.#stations].map(([id, series]) => [id, copyOf(series)])));
  }

  /** Records a station's first known day and fuels (bits in the order of `FUELS`), which may be older than the ring. */
  noteKnown(station: string, firstDay: DayNumber, fuels: number): void {
    const series = this.#series(station, firstDay);
    series.firstDay = Math.min(series.firstDay, firstDay);
    series.fuels |= fuels;
  }

  /**
   * Stores one past day for the fuels of `mask`; a day older than the ring only updates the first known day and fuels.
   */
  putDay({ station, prices }: StationDay, day: DayNumber, mask: number = ALL_FUELS): void {
    const known = prices.some((price, index) => price !== null && (mask >> index) & 1);
    if (!known && !this.#stations.has(station)) return;
    const series = this.#series(station, day);
    advanceTo(series, day);
    prices.forEach((price, index) => {
      if (!((mask >> index) & 1)) return;
      if (isInWindow(series, day)) series.ring[slot(index, day)] = price ?? 0;
      if (price === null) return;
      series.fuels |= 1 << index;
      series.firstDay = Math.min(series.firstDay, day);
    });
  }

  /** Empties one day of every station, before the day is read again. */
  clearDay(day: DayNumber): void {
    for (const series of this.#stations.values()) if (isInWindow(series, day)) emptyDay(series, day);
  }

  /** The stored prices of one day, station by station. */
  *pricesOn(day: DayNumber): Generator<StationDay, void, void> {
    for (const [station, series] of this.#stations) {
      if (!isInWindow(series, day)) continue;
      yield { station, prices: FUELS.map((_, index) => series.ring[slot(index, day)] || null) };
    }
  }

  /**
   * The series of one station as of `today`. `now(fuel)` returns the price being served, which is today's value.
   * Returns `undefined` if no price was ever known.
   */
  of(station: string, today: DayNumber, now: (fuel: Fuel) => MilliPrice | null): StationHistory | undefined {
    const series = this.#stations.get(station);
    const present = FUELS.filter((fuel) => now(fuel) !== null);
    if (series === undefined && present.length === 0) return undefined;
    return {
      firstDay: series?.firstDay ?? today,
      fuels: FUELS.filter((fuel, index) => ((series?.fuels ?? 0) >> index) & 1 || present.includes(fuel)),
      price: (fuel, day) => {
        if (day === today) return now(fuel);
        if (day > today || day <= today - HISTORY_DAYS || series === undefined || !isInWindow(series, day)) return null;
        return series.ring[slot(FUELS.indexOf(fuel), day)] || null;
      },
    };
  }

  #series(station: string, firstDay: DayNumber): PriceSeries {
    let series = this.#stations.get(station);
    if (series === undefined) {
      series = { firstDay, fuels: 0, lastDay: firstDay, ring: new Uint32Array(FUELS.length * HISTORY_DAYS) };
      this.#stations.set(station, series);
    }
    return series;
  }
}

/** Makes the ring end with `day`, unless it ends later; the days in between become empty. */
function advanceTo(series: PriceSeries, day: DayNumber): void {
  for (let next = Math.max(series.lastDay, day - HISTORY_DAYS) + 1; next <= day; next += 1) emptyDay(series, next);
  series.lastDay = Math.max(series.lastDay, day);
}

function isInWindow({ lastDay }: PriceSeries, day: DayNumber): boolean {
  return day <= lastDay && day > lastDay - HISTORY_DAYS;
}

function emptyDay({ ring }: PriceSeries, day: DayNumber): void {
  for (let index = 0; index < FUELS.length; index += 1) ring[slot(index, day)] = 0;
}

function slot(fuelIndex: number, day: DayNumber): number {
  return fuelIndex * HISTORY_DAYS + (day % HISTORY_DAYS);
}

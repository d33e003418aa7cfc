/** Statistics of one fuel on one day, over the trusted prices of the country, a county, a city or a network. */
import type { DayNumber } from '../days.ts';
import { type MilliPrice, meanToBani, type RoadFuel } from '../fuel.ts';

/** What one day has: the number of stations and six prices, in the order in which they are stored. */
export const STATISTICS = ['stations', 'min', 'p10', 'median', 'mean', 'p90', 'max'] as const;

/** Number of stations, and prices in thousandths. `p10` and `p90` are the 10th and the 90th percentile. */
export type PriceStatistics = Readonly<Record<(typeof STATISTICS)[number], number>>;

export type DayStatistics = PriceStatistics & { readonly day: DayNumber };

export const SCOPE_KINDS = ['national', 'county', 'network', 'city'] as const;
export type ScopeKind = (typeof SCOPE_KINDS)[number];

/** What statistics are about: a county by its plate code, a city or a network by its slug. */
export type StatisticsScope = 'national' | `${Exclude<ScopeKind, 'national'>}:${string}`;

/** All statistics of one day, one kind of scope and one fuel: parallel lists. */
export type StatisticsLists = {
  readonly kind: ScopeKind;
  readonly fuel: RoadFuel;
  /** Plate codes or slugs; the country is the empty one. */
  readonly names: readonly string[];
} & { readonly [name in keyof PriceStatistics]: readonly number[] };

/** The scope of a name in lists of this kind. */
export function scopeOf(kind: ScopeKind, name: string): StatisticsScope {
  return kind === 'national' ? 'national' : `${kind}:${name}`;
}

/**
 * The statistics of prices; `null` of none. The mean has whole bani, as in the API; percentiles are interpolated
 * linearly and rounded to whole thousandths.
 */
export function statisticsOf(prices: readonly MilliPrice[]): PriceStatistics | null {
  const mean = meanToBani(prices);
  if (mean === null) return null;
  const sorted = Float64Array.from(prices).sort();
  return {
    stations: sorted.length,
    min: percentile(sorted, 0),
    p10: percentile(sorted, 0.1),
    median: percentile(sorted, 0.5),
    mean,
    p90: percentile(sorted, 0.9),
    max: percentile(sorted, 1),
  };
}

function percentile(sorted: Float64Array, share: number): MilliPrice {
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] as number;
  const above = sorted[Math.ceil(at)] as number;
  return Math.round(below + (above - below) * (at - Math.floor(at)));
}

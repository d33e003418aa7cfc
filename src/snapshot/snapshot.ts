/**
 * The in-memory read model: everything that a price read needs. Immutable; `buildSnapshot` creates a whole new one,
 * which replaces the old one by a single reference. Prices are thousandths of a RON per litre; missing is `null`.
 */
import type { DayNumber } from '../domain/days.ts';
import type { Fuel, MilliPrice, RoadFuel } from '../domain/fuel.ts';
import type { DayStatistics, StatisticsScope } from '../domain/prices/day-statistics.ts';
import type { SourceTimes } from '../domain/prices/facts.ts';
import type { PriceVerdict } from '../domain/prices/price-verdict.ts';
import type { Network } from '../domain/stations/network.ts';
import type { StationHistory } from './price-history.ts';

export type RoadPrices = Readonly<Record<RoadFuel, MilliPrice | null>>;

/** No price of any fuel is known. */
export const NO_PRICES: RoadPrices = {
  petrol: null,
  petrol_premium: null,
  diesel: null,
  diesel_premium: null,
  lpg: null,
};

/** Cheapest trusted prices of one city. */
export type CityPrices = {
  readonly name: string;
  readonly slug: string;
  /** Plate code. */
  readonly county: string;
  readonly lat: number;
  readonly lng: number;
  readonly prices: RoadPrices;
};

/** Mean trusted prices of one network. */
export type NetworkPrices = { readonly network: Network; readonly prices: RoadPrices };

/** Means over the cities of one county. */
export type CountyPrices = { readonly code: string; readonly cities: number; readonly prices: RoadPrices };

export type NationalPrices = Readonly<
  Record<
    RoadFuel,
    { readonly min: MilliPrice | null; readonly mean: MilliPrice | null; readonly max: MilliPrice | null }
  >
>;

export type ServedStation = {
  readonly id: string;
  readonly network: Network;
  /** ASCII city name; empty when no locality is known. */
  readonly city: string;
  /** Slug of that locality; empty if none is known. */
  readonly citySlug: string;
  /** Plate code and ASCII name of the county; both empty when unknown. */
  readonly county: string;
  readonly countyName: string;
  readonly address: string;
  readonly lat: number;
  readonly lng: number;
  readonly approximateCoordinates: boolean;
  readonly suspectCoordinates: boolean;
  readonly name: string | null;
  readonly franchise: boolean | null;
  readonly priceNote: string | null;
  readonly hours: string | null;
  readonly services: readonly string[];
  readonly phone: string | null;
};

/** One station and fuel. */
export type StationRecord = { readonly station: ServedStation; readonly fuel: Fuel; readonly verdict: PriceVerdict };

export type SnapshotCounts = {
  readonly records: number;
  readonly recordsWithPrice: number;
  readonly pricesWithoutDay: number;
  readonly oldestObservation: string | null;
  readonly stations: number;
  readonly stationsWithPrice: number;
};

export type Snapshot = {
  /** The publication that the facts come from; 0 = nothing was ever published. */
  readonly version: number;
  /** The time at which the verdicts were judged, epoch ms. */
  readonly now: number;
  /** The calendar day in Bucharest at `now`. */
  readonly today: DayNumber;
  /** End of the last collection in which a source delivered, epoch ms. */
  readonly updatedAt: number | null;
  /** By population, largest first; only cities with a trusted price. */
  readonly cities: readonly CityPrices[];
  /** Every network with a station, by name. */
  readonly networks: readonly NetworkPrices[];
  readonly national: NationalPrices;
  /** All 42 counties by plate code. */
  readonly counties: ReadonlyMap<string, CountyPrices>;
  /** By county name, city, station id, fuel in the contract's order. */
  readonly records: readonly StationRecord[];
  /** Times of the price sources in service, for health. */
  readonly sources: readonly SourceTimes[];
  /** Times of the station locators in service, which have no prices. */
  readonly locators: readonly SourceTimes[];
  /** The fuels that locators name, by station id, also at stations where these make no records. */
  readonly locatorFuels: ReadonlyMap<string, ReadonlySet<Fuel>>;
  readonly counts: SnapshotCounts;
  /** The daily series of one station; `undefined` if it is unknown or has no history. */
  readonly history: (stationId: string) => StationHistory | undefined;
  /**
   * The statistics of each day on which a trusted price is known, in ascending order. The last day is `today`, if any
   * price is trusted now: its figures are those of `national`, `counties`, `networks` and `cities`.
   */
  readonly statistics: (scope: StatisticsScope, fuel: RoadFuel) => readonly DayStatistics[];
  /** The next time at which the same facts give a different snapshot: a verdict changes or a day begins. */
  readonly nextChangeAt: number;
};

/**
 * Computes what every answer must contain after a collection, from the simulated country and the contract alone,
 * without the service's own calculations.
 */

import { type MilliPrice, ROAD_FUELS, type RoadFuel } from '../../../src/domain/fuel.ts';
import { stationId } from '../../../src/domain/stations/link-by-place.ts';
import { priceAt } from '../../../src/simulation/country/simulated-prices.ts';
import { registerKey, type SimulatedStation } from '../../../src/simulation/country/simulated-station.ts';
import { type ControlledCountry, PRICE_CYCLE, PRICE_STEP, priceShift } from './controlled-country.ts';

const LONG_NAMES: Readonly<Record<RoadFuel, string>> = {
  petrol: 'benzina_standard',
  petrol_premium: 'benzina_premium',
  diesel: 'motorina_standard',
  diesel_premium: 'motorina_premium',
  lpg: 'gpl',
};
const SHORT_NAMES: Readonly<Record<RoadFuel, string>> = { ...LONG_NAMES, petrol: 'benzina', diesel: 'motorina' };

type FuelNames = Readonly<Record<RoadFuel, string>>;
type FuelPrices = Partial<Record<RoadFuel, MilliPrice>>;
type OracleStation = { readonly station: SimulatedStation; readonly id: string; readonly prices: FuelPrices };

/** Cities that `/preturi` shows, and records that `/statii` shows, without a key. */
export const PUBLIC_LIMITS = { cities: 20, records: 150 };

/** The expected answers of each collection. Prices in RON per litre. */
export class Oracle {
  /** How many records `/statii` has: one per station and fuel. */
  readonly records: number;
  /** Ids of the stations. */
  readonly ids: readonly string[];
  /** Plate codes of the counties with a station. */
  readonly counties: readonly string[];
  readonly #stations: readonly OracleStation[];
  readonly #byId: ReadonlyMap<string, OracleStation>;
  readonly #world: ControlledCountry;

  constructor(world: ControlledCountry) {
    const { country, moment } = world;
    this.#world = world;
    this.#stations = country.stations.map((station) => ({
      station,
      id: stationId('register', registerKey(station), () => false),
      prices: Object.fromEntries(
        station.fuels.map((fuel) => [fuel, priceAt(country, station, fuel, moment)]),
      ) as FuelPrices,
    }));
    this.#byId = new Map(this.#stations.map((each) => [each.id, each]));
    this.ids = [...this.#byId.keys()].sort();
    this.records = this.#stations.reduce((sum, { station }) => sum + station.fuels.length, 0);
    this.counties = [...new Set(country.units.map(({ county }) => county))].sort();
  }

  /** The price of a station and fuel (by its name in the contract); `undefined` when the station does not sell it. */
  price(id: string, fuelName: string, collection: number): number | undefined {
    const fuel = ROAD_FUELS.find((each) => LONG_NAMES[each] === fuelName);
    const base = fuel && this.#byId.get(id)?.prices[fuel];
    return base === undefined ? undefined : (base + priceShift(collection)) / 1000;
  }

  /** Every price of a collection, by station and fuel. */
  *prices(collection: number): Generator<{ id: string; fuel: RoadFuel; price: MilliPrice }> {
    for (const { id, prices } of this.#stations) {
      for (const fuel of ROAD_FUELS) {
        const base = prices[fuel];
        if (base !== undefined) yield { id, fuel, price: base + priceShift(collection) };
      }
    }
  }

  /** `preturi` of `/preturi/minime`. */
  national(collection: number): Record<string, { min: number; mediu: number; max: number }> {
    const bucket = (fuel: RoadFuel) => {
      const all = pricesOf(this.#stations, fuel);
      const shifted = (price: MilliPrice) => (price + priceShift(collection)) / 1000;
      return {
        min: shifted(Math.min(...all)),
        mediu: shifted(meanOf(all) as MilliPrice),
        max: shifted(Math.max(...all)),
      };
    };
    return Object.fromEntries(ROAD_FUELS.map((fuel) => [LONG_NAMES[fuel], bucket(fuel)]));
  }

  /** `retele` of `/retele` and `/preturi`: slug and means. */
  networks(collection: number): Record<string, unknown>[] {
    const groups = Map.groupBy(this.#stations, ({ station }) => station.network);
    return [...groups]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([network, own]) => ({
        slug: network.toLowerCase(),
        ...withFuelNames(SHORT_NAMES, collection, (fuel) => meanOf(pricesOf(own, fuel))),
      }));
  }

  /** `rezultate` of `/preturi` without a key: city, county and minima, largest city first. */
  cities(collection: number): Record<string, unknown>[] {
    return this.#minima()
      .slice(0, PUBLIC_LIMITS.cities)
      .map(({ unit, minimum }) => ({
        oras: unit.ascii,
        judet: unit.county,
        ...withFuelNames(SHORT_NAMES, collection, minimum),
      }));
  }

  /** `/judete/{judet}`: number of cities and the means of their minima. */
  county(code: string, collection: number): Record<string, unknown> {
    const own = this.#minima().filter(({ unit }) => unit.county === code);
    const mean = (fuel: RoadFuel) => meanOf(own.map(({ minimum }) => minimum(fuel)).filter((price) => price !== null));
    return { judet: code, nr_orase: own.length, ...withFuelNames(LONG_NAMES, collection, mean) };
  }

  /**
   * The collection that a price is from, where `base` is the price before any step; since prices repeat, the latest
   * possible one. `null` when no collection up to `latest` had such a price.
   */
  collectionOf(price: number, base: number, latest: number): number | null {
    const steps = (Math.round(price * 1000) - Math.round(base * 1000)) / PRICE_STEP;
    if (!Number.isInteger(steps) || steps < 0 || steps >= PRICE_CYCLE) return null;
    const collection = latest - ((((latest - steps) % PRICE_CYCLE) + PRICE_CYCLE) % PRICE_CYCLE);
    return collection < 1 ? null : collection;
  }

  #minima() {
    const { units } = this.#world.country;
    const byUnit = Map.groupBy(this.#stations, ({ station }) => station.siruta);
    return units
      .filter(({ siruta }) => byUnit.has(siruta))
      .map((unit) => ({
        unit,
        minimum: (fuel: RoadFuel): MilliPrice | null => {
          const all = pricesOf(byUnit.get(unit.siruta) ?? [], fuel);
          return all.length === 0 ? null : Math.min(...all);
        },
      }));
  }
}

function pricesOf(stations: readonly OracleStation[], fuel: RoadFuel): MilliPrice[] {
  return stations.map(({ prices }) => prices[fuel]).filter((price) => price !== undefined);
}

/** Rounded half up to whole bani; `null` for no prices. */
function meanOf(prices: readonly MilliPrice[]): MilliPrice | null {
  if (prices.length === 0) return null;
  const sum = prices.reduce((total, price) => total + price, 0);
  return 10 * Math.floor((sum + 5 * prices.length) / (10 * prices.length));
}

function withFuelNames(
  names: FuelNames,
  collection: number,
  price: (fuel: RoadFuel) => MilliPrice | null,
): Record<string, unknown> {
  return Object.fromEntries(
    ROAD_FUELS.map((fuel) => {
      const base = price(fuel);
      return [names[fuel], base === null ? null : (base + priceShift(collection)) / 1000];
    }),
  );
}

/**
 * A small simulated country with nothing odd in it, whose register tells every collection prices of its own: all of
 * them higher by one step for each collection before. So an answer says which publication it is from.
 */

import type { DayNumber } from '../../../src/domain/days.ts';
import type { MilliPrice, RoadFuel } from '../../../src/domain/fuel.ts';
import { loadGazetteer } from '../../../src/geodata/load-gazetteer.ts';
import { type Country, simulateCountry } from '../../../src/simulation/country/country.ts';
import { PriceLevels } from '../../../src/simulation/country/levels.ts';
import type { NetworkId } from '../../../src/simulation/country/networks.ts';
import { type SimulatedRegister, startSimulatedRegister } from '../../../src/simulation/register/register-server.ts';
import units from '../../../src/sources/register/units.json' with { type: 'json' };

/** One ban: means in whole bani move by exactly as much as the prices they are made of. */
export const PRICE_STEP: MilliPrice = 10;
/** The prices come back to where they began after so many collections, before any leaves its valid range. */
export const PRICE_CYCLE = 100;

const SEED = 11;
const UNITS = 30;
/** Of the stations that the simulation would place in these units, every other one. */
const EVERY = 2;

export type ControlledCountry = {
  readonly country: Country;
  /** SIRUTA codes of the units with stations. */
  readonly units: readonly number[];
  /** The register's clock stands still, so that prices change by the steps alone. */
  readonly moment: number;
};

/** The country as it is at a moment, epoch ms. */
export function controlledCountry(moment: number): ControlledCountry {
  const whole = simulateCountry({ localities: loadGazetteer().localities, units, seed: SEED, epoch: moment });
  const largest = whole.units.toSorted((a, b) => b.population - a.population).slice(0, UNITS);
  const chosen = new Set(largest.map(({ siruta }) => siruta));
  const stations = whole.stations
    .filter(({ siruta }) => chosen.has(siruta))
    .filter((_, index) => index % EVERY === 0)
    .map((station) => ({ ...station, anomalies: [], declared: { lat: station.lat, lng: station.lng } }));
  return { country: { ...whole, units: largest, stations, anomalies: [] }, units: [...chosen], moment };
}

/** How much dearer everything is in a collection's prices. */
export function priceShift(collection: number): MilliPrice {
  return PRICE_STEP * (collection % PRICE_CYCLE);
}

export type CountingRegister = SimulatedRegister & {
  /** Questions answered so far. */
  readonly requestCount: number;
};

/** The register as one collection finds it. Reports the number of each request, from 1. */
export async function openRegister(
  { country, moment }: ControlledCountry,
  collection: number,
  onRequest: (number: number) => void = () => undefined,
): Promise<CountingRegister> {
  const levels = new ShiftedLevels(country.seed, priceShift(collection));
  let requestCount = 0;
  const clock = () => {
    requestCount += 1;
    onRequest(requestCount);
    return moment;
  };
  const register = await startSimulatedRegister({ country: { ...country, levels }, clock });
  return {
    ...register,
    get requestCount() {
      return requestCount;
    },
  };
}

class ShiftedLevels extends PriceLevels {
  readonly #shift: MilliPrice;

  constructor(seed: number, shift: MilliPrice) {
    super(seed);
    this.#shift = shift;
  }

  override levelOn(network: NetworkId, fuel: RoadFuel, day: DayNumber): MilliPrice {
    return super.levelOn(network, fuel, day) + this.#shift;
  }
}

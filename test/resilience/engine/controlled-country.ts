/**
 * A small simulated country without anomalies. Its register gives each collection its own prices, one step higher than
 * those of the collection before, so that a price identifies the publication it is from.
 */

import type { DayNumber } from '../../../src/domain/days.ts';
import type { MilliPrice, RoadFuel } from '../../../src/domain/fuel.ts';
import { loadGazetteer } from '../../../src/geodata/load-gazetteer.ts';
import { type Country, simulateCountry } from '../../../src/simulation/country/country.ts';
import { PriceLevels } from '../../../src/simulation/country/levels.ts';
import type { NetworkId } from '../../../src/simulation/country/simulated-networks.ts';
import { type SimulatedRegister, startSimulatedRegister } from '../../../src/simulation/register/register-server.ts';
import units from '../../../src/sources/register/units.json' with { type: 'json' };

/** One ban: means in whole bani move by exactly as much as the prices they are calculated from. */
export const PRICE_STEP: MilliPrice = 10;
/** After this many collections the prices start again, before any leaves its valid range. */
export const PRICE_CYCLE = 100;

const SEED = 11;
const UNITS = 30;
/** Keeps every second station that the simulation places in these units. */
const KEPT_EVERY = 2;

export type ControlledCountry = {
  readonly country: Country;
  /** SIRUTA codes of the units with stations. */
  readonly units: readonly number[];
  /** The register's clock stands still, so that prices change only by the steps. */
  readonly moment: number;
};

/** The country at a moment, epoch ms. */
export function controlledCountry(moment: number): ControlledCountry {
  const whole = simulateCountry({ localities: loadGazetteer().localities, units, seed: SEED, epoch: moment });
  const largest = whole.units.toSorted((a, b) => b.population - a.population).slice(0, UNITS);
  const chosen = new Set(largest.map(({ siruta }) => siruta));
  const stations = whole.stations
    .filter(({ siruta }) => chosen.has(siruta))
    .filter((_, index) => index % KEPT_EVERY === 0)
    .map((station) => ({ ...station, anomalies: [], declared: { lat: station.lat, lng: station.lng } }));
  return { country: { ...whole, units: largest, stations, anomalies: [] }, units: [...chosen], moment };
}

/** How much higher all prices of a collection are than the first ones. */
export function priceShift(collection: number): MilliPrice {
  return PRICE_STEP * (collection % PRICE_CYCLE);
}

export type CountingRegister = SimulatedRegister & {
  /** Requests answered so far. */
  readonly requestCount: number;
};

/** Starts the register with the prices of one collection. Reports the number of each request, from 1. */
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

/**
 * A small simulated country with nothing odd in it, whose register tells every collection prices of its own: all of
 * them higher by one step for each collection before. So an answer says which publication it is from.
 */

import type { DayNumber } from '../../../src/domain/days.ts';
import type { Milli, RoadFuel } from '../../../src/domain/fuel.ts';
import { loadGazetteer } from '../../../src/geodata/load-gazetteer.ts';
import { type Country, simulateCountry } from '../../../src/simulation/country/country.ts';
import { Levels } from '../../../src/simulation/country/levels.ts';
import type { NetworkId } from '../../../src/simulation/country/networks.ts';
import { type SimulatedRegister, startSimulatedRegister } from '../../../src/simulation/register/register-server.ts';
import units from '../../../src/sources/register/units.json' with { type: 'json' };

/** One ban: means in whole bani move by exactly as much as the prices they are made of. */
export const STEP: Milli = 10;
/** The prices come back to where they began after so many collections, before any leaves its valid range. */
export const CYCLE = 100;

const SEED = 11;
const UNITS = 30;
/** Of the stations that the simulation would place in these units, every other one. */
const EVERY = 2;

export type SmallCountry = {
  readonly country: Country;
  /** SIRUTA codes of the units with stations. */
  readonly units: readonly number[];
  /** The register's clock stands still, so that prices change by the steps alone. */
  readonly moment: number;
};

/** The country as it is at a moment, epoch ms. */
export function smallCountry(moment: number): SmallCountry {
  const whole = simulateCountry({ localities: loadGazetteer().localities, units, seed: SEED, epoch: moment });
  const largest = whole.units.toSorted((a, b) => b.population - a.population).slice(0, UNITS);
  const chosen = new Set(largest.map(({ siruta }) => siruta));
  const stations = whole.stations
    .filter(({ siruta }) => chosen.has(siruta))
    .filter((_, index) => index % EVERY === 0)
    .map((station) => ({ ...station, oddities: [], declared: { lat: station.lat, lng: station.lng } }));
  return { country: { ...whole, units: largest, stations, oddities: [] }, units: [...chosen], moment };
}

/** How much dearer everything is in a collection's prices. */
export function shiftOf(collection: number): Milli {
  return STEP * (collection % CYCLE);
}

export type TellingRegister = SimulatedRegister & {
  /** Questions answered so far. */
  readonly asked: number;
};

/** The register as one collection finds it. `onQuestion` is told the number of each question, from 1. */
export async function openRegister(
  { country, moment }: SmallCountry,
  collection: number,
  onQuestion: (number: number) => void = () => undefined,
): Promise<TellingRegister> {
  const levels = new ShiftedLevels(country.seed, shiftOf(collection));
  let asked = 0;
  const clock = () => {
    asked += 1;
    onQuestion(asked);
    return moment;
  };
  const register = await startSimulatedRegister({ country: { ...country, levels }, clock });
  return {
    ...register,
    get asked() {
      return asked;
    },
  };
}

class ShiftedLevels extends Levels {
  readonly #shift: Milli;

  constructor(seed: number, shift: Milli) {
    super(seed);
    this.#shift = shift;
  }

  override on(network: NetworkId, fuel: RoadFuel, day: DayNumber): Milli {
    return super.on(network, fuel, day) + this.#shift;
  }
}

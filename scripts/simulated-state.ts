/**
 * The state of the mock: a part of the simulated country with every kind of record, made by the rules of collections.
 * Always the same: it depends on the gazetteer and the code alone.
 */

import { compareCodeUnits } from '../src/algorithms/compare-code-units.ts';
import { MOCK_NOW, MOCK_SOURCES } from '../src/app/mock/mock-moment.ts';
import type { MockState } from '../src/app/mock/mock-state.ts';
import { dayNumber, startOfBucharestDay } from '../src/domain/days.ts';
import { DEFAULT_RANGES } from '../src/domain/fuel.ts';
import type { Gazetteer } from '../src/domain/places/gazetteer.ts';
import type { CollectionSettings } from '../src/domain/prices/collection-settings.ts';
import type { PublishedFacts } from '../src/domain/prices/facts.ts';
import { EXAMPLE_STATION } from '../src/domain/stations/station-slug.ts';
import { backfillDays } from '../src/simulation/country/anomalies.ts';
import type { Country } from '../src/simulation/country/country.ts';
import { historyDays } from '../src/simulation/country/simulated-history.ts';
import { HISTORY_DAYS } from '../src/snapshot/price-history.ts';
import { ReplayState } from '../src/worker/replay/replay-state.ts';
import { type ManualFacts, manualFacts } from './manual-facts.ts';
import { mockCountry, REGISTER, registerSweep } from './mock-country.ts';

/** The last collection ended half an hour before the mock's moment. */
const UPDATED_AT = MOCK_NOW - 30 * 60_000;

/** The facts and past prices at the mock's moment. */
export function simulatedState(gazetteer: Gazetteer): MockState {
  const settings = { ranges: DEFAULT_RANGES, gazetteer, inService: MOCK_SOURCES };
  const country = mockCountry(gazetteer);
  const { epochDay } = country;
  const state = collected(country, manualFacts(country, settings), settings);
  const facts: PublishedFacts = {
    ...state.facts(epochDay),
    version: 1,
    publishedAt: UPDATED_AT,
    updatedAt: UPDATED_AT,
    sources: [{ name: REGISTER, deliveredAt: UPDATED_AT, downloadedAt: UPDATED_AT }],
  };
  const days = historyDays(country, epochDay - HISTORY_DAYS + 1, epochDay - 1, (key) => state.stationOf(REGISTER, key));
  const past = [...days].map(({ date, station, fuel, price }) => ({ station, fuel, day: dayNumber(date), price }));
  return withExampleStation({ facts, past });
}

/** The state after one collection on each of the days that reveal the anomalies, and the last one. */
function collected(country: Country, manual: ManualFacts, settings: CollectionSettings): ReplayState {
  const state = new ReplayState({
    sourceStations: manual.sourceStations,
    stations: new Set(),
    sources: new Map(),
    manual: new Map([[country.epochDay, manual.prices]]),
  });
  const lastMinutes = backfillDays(country.epochDay).map((day) => startOfBucharestDay(day + 1) - 60_000);
  for (const at of [...lastMinutes, UPDATED_AT]) {
    const finished = { source: REGISTER, sweep: registerSweep(country, at), startedAt: at, finishedAt: at };
    state.apply(finished, { at, scheduled: false, force: true, settings }, null);
  }
  return state;
}

/** Cluj-Napoca. */
const EXAMPLE_UNIT = 54_975;

/** Gives one station the id of the documentation's examples, so that each of them has an answer. */
function withExampleStation({ facts, past }: MockState): MockState {
  const chosen = facts.stations.find(({ network, siruta }) => network === 'petrom' && siruta === EXAMPLE_UNIT);
  if (chosen === undefined) throw new Error('there is no Petrom in Cluj-Napoca');
  const renamed = (id: string) => (id === chosen.id ? EXAMPLE_STATION.id : id);
  const stations = facts.stations
    .map((station) => ({ ...station, id: renamed(station.id) }))
    .sort((a, b) => compareCodeUnits(a.id, b.id));
  const prices = facts.prices.map((price) => ({ ...price, station: renamed(price.station) }));
  return {
    facts: { ...facts, stations, prices },
    past: past.map((each) => ({ ...each, station: renamed(each.station) })),
  };
}

/** What the mock's register knows: a part of the simulated country, read on several days as collections would. */

import { MOCK_NOW } from '../src/app/mock/mock-moment.ts';
import { dayText } from '../src/domain/days.ts';
import type { Gazetteer } from '../src/domain/places/gazetteer.ts';
import {
  type PriceReading,
  Rejections,
  type StationDescription,
  type UnitOutcome,
} from '../src/domain/reports/observation.ts';
import type { Sweep } from '../src/domain/reports/sweep.ts';
import { type Network, networkOf } from '../src/domain/stations/network.ts';
import { type Country, simulateCountry } from '../src/simulation/country/country.ts';
import { bucharestTime, isUnitFailing, registerQuote, reportDay } from '../src/simulation/country/simulated-prices.ts';
import { registerKey, type SimulatedStation } from '../src/simulation/country/simulated-station.ts';
import { reportTimeText, SERVICES } from '../src/simulation/register/register-rows.ts';
import { readContact } from '../src/sources/register/parsing/contact.ts';
import units from '../src/sources/register/units.json' with { type: 'json' };

export const REGISTER = 'register';
const SEED = 7;
/** A whole county, so that lists by city and network have something to tell. */
const COUNTIES: ReadonlySet<string> = new Set(['CJ']);
/** A town of this size has one station, so that there are more cities than the sample without a key shows. */
const TOWN = 40_000;

/** The simulated country at the mock's moment: of its stations only those that the mock has. */
export function mockCountry({ localities }: Pick<Gazetteer, 'localities'>): Country {
  const country = simulateCountry({ localities, units, seed: SEED, epoch: MOCK_NOW });
  return { ...country, stations: country.stations.filter(chosenStations(country)) };
}

/** All stations with an anomaly, all of one county, and one of each larger town. */
function chosenStations({ units: known, anomalies, epochDay }: Country): (station: SimulatedStation) => boolean {
  const unitOf = new Map(known.map((unit) => [unit.siruta, unit]));
  // The orphans of later years are ordinary stations today.
  const odd = new Set(anomalies.filter(({ since }) => (since ?? 0) <= epochDay).map(({ station }) => station));
  const seen = new Set<number>();
  return (station) => {
    const unit = unitOf.get(station.siruta);
    const isFirst = !seen.has(station.siruta);
    seen.add(station.siruta);
    return (
      odd.has(registerKey(station)) ||
      (unit !== undefined && (COUNTIES.has(unit.county) || (isFirst && unit.population >= TOWN)))
    );
  };
}

/** One read of the whole register at an instant. */
export function registerSweep(country: Country, at: number): Sweep {
  const moment = bucharestTime(at);
  const isAnswering = ({ siruta }: SimulatedStation) => !isUnitFailing(country, siruta, moment.day);
  const outcomes = new Map<string, UnitOutcome>();
  const readings: PriceReading[] = [];
  for (const station of country.stations) {
    const network = networkFor(station);
    const day = reportDay(station, moment);
    const observed = { day: dayText(day), at: null, text: reportTimeText(day, station.reportMinute) };
    for (const fuel of station.fuels) {
      const unit = `${station.siruta}:${fuel}`;
      outcomes.set(unit, isAnswering(station) ? 'read' : 'failed');
      const quote = registerQuote(country, station, fuel, moment);
      if (quote.kind === 'absent' || !isAnswering(station)) continue;
      const price = quote.kind === 'priced' ? quote.price : null;
      readings.push({ sourceId: station.id, network: network.slug, fuel, price, observed, unit });
    }
  }
  const stations = country.stations.filter(isAnswering).map(describe);
  return { stations, readings, units: outcomes, rejections: new Rejections(), requests: outcomes.size };
}

function networkFor({ network }: SimulatedStation): Network {
  return networkOf(network) as Network;
}

function describe(station: SimulatedStation): StationDescription {
  const { id: sourceId, name, address, siruta, declared, contact } = station;
  const { slug, name: brand } = networkFor(station);
  const services = SERVICES.filter(({ id }) => station.services.includes(id)).map((service) => service.name);
  const point = { lat: declared?.lat ?? null, lng: declared?.lng ?? null };
  return { sourceId, network: slug, brand, name, address, ...point, siruta, services, ...readContact(contact) };
}

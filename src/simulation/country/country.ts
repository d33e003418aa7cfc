/** A simulated country: stations of seven networks around real towns, always the same for the same seed. */
import { bucharestDay, type DayNumber, dayNumber } from '../../domain/days.ts';
import type { RoadFuel } from '../../domain/fuel.ts';
import type { Locality } from '../../domain/places/locality.ts';
import type { Road } from '../../domain/roads/road-file.ts';
import { injectAnomalies } from './anomalies.ts';
import { createIdGenerator } from './ids.ts';
import { PriceLevels } from './levels.ts';
import { motorwaySites } from './motorway-stations.ts';
import { chooseSite, distributeNetworks, roadsOut, type StationSite, unitsOf } from './placement.ts';
import { randomFraction, randomInteger } from './seeded-random.ts';
import { type NetworkId, networkProfile } from './simulated-networks.ts';
import type { Anomaly, SimulatedStation, SimulatedUnit } from './simulated-station.ts';
import { labelsOf } from './station-names.ts';

export type Country = {
  readonly seed: number;
  /** The Bucharest day on which the demo's data begin: the days of anomalies are counted from it. */
  readonly epochDay: DayNumber;
  readonly units: readonly SimulatedUnit[];
  readonly stations: readonly SimulatedStation[];
  /** Every injected anomaly, so that tests and pages can name one of each kind. */
  readonly anomalies: readonly Anomaly[];
  readonly levels: PriceLevels;
};

export type CountryOptions = {
  readonly localities: readonly Locality[];
  /** SIRUTA codes of the units the register knows. */
  readonly units: readonly number[];
  /** The roads that service areas lie on; without roads there is none. */
  readonly roads?: readonly Road[];
  readonly seed: number;
  /** The instant the demo's data folder was made, epoch ms. */
  readonly epoch: number;
};

/** Builds the country of a seed. Units the gazetteer does not know have no stations. */
export function simulateCountry({ localities, units: sirutas, roads = [], seed, epoch }: CountryOptions): Country {
  const epochDay = dayNumber(bucharestDay(epoch));
  const units = unitsOf(localities, sirutas);
  const networksByUnit = distributeNetworks(units, seed);
  const nextId = createIdGenerator();
  const built = units.flatMap((unit) => stationsIn(unit, networksByUnit.get(unit) ?? [], localities, nextId, seed));
  const { stations, anomalies } = injectAnomalies(built, units, epochDay, seed);
  // Last, so that they change no other station, and apart from the unit that fails.
  const failing = new Set(anomalies.filter(({ kind }) => kind === 'ill-unit').map(({ siruta }) => siruta));
  const answering = units.filter(({ siruta }) => !failing.has(siruta));
  const onMotorways = motorwaySites(roads, answering, localities, seed).map(
    ({ site, unit, network, labels, premium }): SimulatedStation => ({
      ...stationAt(site, unit, network, 0, nextId(network, unit.county), seed),
      ...labels,
      localRoad: premium,
      localLpg: premium,
    }),
  );
  return { seed, epochDay, units, stations: [...stations, ...onMotorways], anomalies, levels: new PriceLevels(seed) };
}

function stationsIn(
  unit: SimulatedUnit,
  networks: readonly NetworkId[],
  localities: readonly Locality[],
  nextId: ReturnType<typeof createIdGenerator>,
  seed: number,
): SimulatedStation[] {
  const ways = roadsOut(unit, localities);
  const numbers = new Map<NetworkId, number>();
  const stations: SimulatedStation[] = [];
  for (const network of networks) {
    const number = (numbers.get(network) ?? 0) + 1;
    numbers.set(network, number);
    const site = chooseSite(unit, ways, stations, seed, `${unit.siruta} ${stations.length}`);
    stations.push(stationAt(site, unit, network, number, nextId(network, unit.county), seed));
  }
  return stations;
}

function stationAt(
  site: StationSite,
  unit: SimulatedUnit,
  network: NetworkId,
  number: number,
  id: string,
  seed: number,
): SimulatedStation {
  const { lat, lng } = site;
  const [from, to] = networkProfile(network).reportMinutes;
  return {
    network,
    id,
    ...labelsOf(network, unit, site, number, seed),
    siruta: unit.siruta,
    lat,
    lng,
    declared: { lat, lng },
    services: servicesOf(id, network, seed),
    fuels: fuelsOf(id, network, seed),
    localRoad: localRoadOf(id, network, unit.siruta, seed),
    localLpg:
      10 * randomInteger(-12, 12, seed, 'local lpg', network, randomFraction(seed, 'own', id) < 0.4 ? id : unit.county),
    reportMinute: randomInteger(from, to, seed, 'report', network, id),
    anomalies: [],
  };
}

const PREMIUM_SHARE = 0.9;

function fuelsOf(id: string, network: NetworkId, seed: number): RoadFuel[] {
  const sells = (fuel: string, share: number) => randomFraction(seed, 'sells', fuel, network, id) < share;
  return [
    'petrol',
    ...(sells('petrol_premium', PREMIUM_SHARE) ? (['petrol_premium'] as const) : []),
    'diesel',
    ...(sells('diesel_premium', PREMIUM_SHARE) ? (['diesel_premium'] as const) : []),
    ...(sells('lpg', networkProfile(network).lpgShare) ? (['lpg'] as const) : []),
  ];
}

/** How often each service of the catalogue is offered. */
const SERVICE_SHARES = { '1': 0.92, '2': 0.35, '5': 0.5, '7': 0.4 } as const;

function servicesOf(id: string, network: NetworkId, seed: number): string[] {
  return Object.entries(SERVICE_SHARES)
    .filter(([service, share]) => randomFraction(seed, 'service', service, network, id) < share)
    .map(([service]) => service);
}

/**
 * Petrom has one nationwide price; stations of the others follow their town or go their own way, always by the same.
 */
function localRoadOf(id: string, network: NetworkId, siruta: number, seed: number): number {
  if (network === 'PETROM' || randomFraction(seed, 'local', network, id) < SHARE_AT_NATIONAL_PRICE) return 0;
  const where = randomFraction(seed, 'own way', network, id) < 0.3 ? id : siruta;
  return 10 * randomInteger(-LOCAL_BANI, LOCAL_BANI, seed, 'local by', network, where);
}

const SHARE_AT_NATIONAL_PRICE = 0.4;
const LOCAL_BANI = 6;

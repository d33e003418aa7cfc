/** Names, addresses and contacts of stations in the style of each network, marked as simulated. */

import type { StationSite } from './placement.ts';
import { randomFraction, randomInteger, randomItem } from './seeded-random.ts';
import type { NetworkId } from './simulated-networks.ts';
import type { SimulatedUnit } from './simulated-station.ts';

/** Precedes every address and follows every name that a person may read. */
export const SIMULATED_MARK = '[simulat]';

const STREETS = [
  'Mihai Eminescu',
  'Stefan cel Mare',
  'Republicii',
  'Unirii',
  '1 Decembrie 1918',
  'Tudor Vladimirescu',
  'Alexandru Ioan Cuza',
  'Nicolae Balcescu',
  'Avram Iancu',
  'Independentei',
  'Traian',
  'Decebal',
  'George Enescu',
  'Ion Creanga',
  'Dorobantilor',
  'Libertatii',
  'Garii',
  'Fabricii',
  'Industriei',
  'Aurel Vlaicu',
  'Horea',
  'Mihai Viteazul',
  'Victoriei',
  'Liviu Rebreanu',
  'Vasile Alecsandri',
] as const;

const KINDS = ['Str.', 'str.', 'Bd.', 'B-dul', 'Sos.', 'Calea'] as const;

export type StationLabels = {
  readonly name: string;
  readonly address: string;
  readonly zipcode: string;
  readonly contact: string | null;
};

/** Name, address, junk postcode and contact of the `number`-th station of its network in the unit. */
export function labelsOf(
  network: NetworkId,
  unit: SimulatedUnit,
  site: StationSite,
  number: number,
  seed: number,
): StationLabels {
  const key = `${unit.siruta} ${network} ${number}`;
  const outside = site.road !== null && site.km > 0.75 * unit.radiusKm;
  const street = outside && site.road ? site.road.towards.ascii : randomItem(STREETS, seed, 'street', key);
  const house = randomInteger(1, 390, seed, 'house', key);
  const onRoad = outside && unit.population < 100_000;
  const place = onRoad ? roadAddress(street, seed, key) : streetAddress(outside, street, house, seed, key);
  return {
    name: `${stationName(network, unit.ascii, street, number)} ${SIMULATED_MARK}`,
    address: `${SIMULATED_MARK} ${place}${townPart(network, unit, seed, key)}`,
    zipcode:
      randomFraction(seed, 'zip', key) < 0.6
        ? String(house)
        : String(randomInteger(10_000, 927_000, seed, 'postcode', key)),
    contact: contactOf(network, unit, seed, key),
  };
}

function stationName(network: NetworkId, town: string, street: string, number: number): string {
  switch (network) {
    case 'PETROM':
      return `${number} ${town.toUpperCase()}`;
    case 'OMV':
      return `${number} ${town.toUpperCase()} OMV`;
    case 'ROMPETROL':
      return `${town} ${number} (${street})`;
    case 'LUKOIL':
      return `${town} ${number}`;
    case 'SOCAR':
      return `${town} ${street}`;
    case 'MOL':
    case 'GAZPROM':
      return `${town} ${number} - ${street}`;
  }
}

function roadAddress(towards: string, seed: number, key: string): string {
  const road = `DN ${randomInteger(1, 79, seed, 'road', key)}`;
  const km = `km ${randomInteger(2, 260, seed, 'km', key)}+${String(randomInteger(0, 9, seed, 'metres', key) * 100).padStart(3, '0')}`;
  return `${road}, ${km}, iesirea spre ${towards}`;
}

function streetAddress(outside: boolean, street: string, house: number, seed: number, key: string): string {
  const kind = outside ? randomItem(['Calea', 'Sos.'], seed, 'kind', key) : randomItem(KINDS, seed, 'kind', key);
  const number = ['nr. ', 'Nr.', ''][randomInteger(0, 2, seed, 'number', key)];
  return `${kind} ${street}${number === '' ? '' : ` ${number}${house}`}`;
}

/** The town is often, but not always, the last segment. */
function townPart(network: NetworkId, unit: SimulatedUnit, seed: number, key: string): string {
  if (network === 'ROMPETROL') return `, ${randomInteger(100_000, 927_000, seed, 'code', key)}, ${unit.ascii}`;
  return randomFraction(seed, 'town', key) < 0.4 ? `, ${unit.ascii}` : '';
}

/** Only Petrom and OMV fill the field, in the one format ever recorded; the number cannot be called. */
function contactOf(network: NetworkId, unit: SimulatedUnit, seed: number, key: string): string | null {
  if (network !== 'PETROM' && network !== 'OMV') return null;
  const nonStop = unit.population > 50_000 || randomFraction(seed, 'hours', key) < 0.4;
  return `${nonStop ? 'Non-Stop' : '06:00-22:00'}; Blueline: 0800 0000 00`;
}

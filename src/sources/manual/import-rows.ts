/** Parses the three kinds of `import` file into rows to store. Columns: the operations page. */
import { bucharestDay } from '../../domain/days.ts';
import { FUELS, type Fuel, type MilliPrice, type PriceRange, type PriceRanges } from '../../domain/fuel.ts';
import type { Gazetteer } from '../../domain/places/gazetteer.ts';
import type { StationDescription } from '../../domain/reports/observation.ts';
import { networkOf } from '../../domain/stations/network.ts';
import type { ManualDetails } from '../../domain/stations/station.ts';
import { resolveCity } from '../feed/city.ts';
import { type BadRow, readTable } from './import-table.ts';
import {
  BadCell,
  fuelsOf,
  parseBoolean,
  parseDegrees,
  parseFuelCode,
  parseManualRows,
  parsePrice,
  pastDay,
  pastInstant,
  splitList,
} from './parse-values.ts';

/** A manually added station; `sourceId` is the operator's own key for it. */
export type ManualStation = StationDescription & {
  readonly where: string;
  readonly locality: string;
  readonly manual: ManualDetails;
  readonly fuels: readonly Fuel[];
};

/** A manual price; `station` is our id, or `manual:KEY`. */
export type ManualPrice = {
  readonly where: string;
  readonly station: string;
  readonly fuel: Fuel;
  readonly price: MilliPrice;
  /** Epoch ms. */
  readonly observedAt: number;
};

export type ManualDay = {
  readonly where: string;
  readonly day: string;
  readonly station: string;
  readonly fuel: Fuel;
  readonly price: MilliPrice;
};

const STATION_COLUMNS = [
  'key',
  'brand',
  'name',
  'address',
  'city',
  'county',
  'lat',
  'lng',
  'franchise',
  'price_note',
  'hours',
  'services',
  'phone',
  'fuels',
];
const PRICE_COLUMNS = ['station', 'fuel', 'price', 'observed_at'];
const HISTORY_COLUMNS = ['date', 'station', 'fuel', 'price'];

/** Fuels of a station for which the file names none. */
const USUAL_FUELS: readonly Fuel[] = ['petrol', 'diesel'];

/** Past prices may be outside today's ranges, but not outside these. */
const HISTORICAL: PriceRange = { min: 500, max: 50_000 };
const HISTORICAL_RANGES = Object.fromEntries(FUELS.map((fuel) => [fuel, HISTORICAL])) as PriceRanges;

/** Rows of `import stations`; bad rows carry the reason. Throws `BadFile` if the file as a whole cannot be read. */
export function readStations(fileName: string, content: string, gazetteer: Gazetteer): (ManualStation | BadRow)[] {
  const required = ['key', 'brand', 'city', 'county', 'lat', 'lng'];
  const once = requireUnique('key');
  return parseManualRows(readTable(fileName, content, STATION_COLUMNS, required), (values, where) => {
    const text = (name: string) => values[name] ?? '';
    const network = networkOf(text('brand'));
    if (network === null) throw new BadCell(`brand "${text('brand')}" must hold a letter or a digit`);
    once(where, text('key'));
    const city = resolveCity(text('city'), text('county'), gazetteer);
    if ('problem' in city) throw new BadCell(city.problem);
    const fuels = fuelsOf(text('fuels'));
    return {
      where,
      sourceId: text('key'),
      network: network.slug,
      brand: network.name,
      name: text('name'),
      address: text('address'),
      lat: parseDegrees('lat', text('lat'), 90),
      lng: parseDegrees('lng', text('lng'), 180),
      siruta: null,
      locality: city.found.slug,
      hours: text('hours') || null,
      services: splitList(text('services')),
      phone: text('phone') || null,
      manual: {
        name: text('name'),
        franchise: parseBoolean('franchise', text('franchise')),
        priceNote: text('price_note') || null,
      },
      fuels: fuels.length > 0 ? fuels : USUAL_FUELS,
    };
  });
}

/** Rows of `import prices`, likewise. */
export function readPrices(
  fileName: string,
  content: string,
  ranges: PriceRanges,
  now: number,
): (ManualPrice | BadRow)[] {
  const once = requireUnique('station and fuel');
  return parseManualRows(readTable(fileName, content, PRICE_COLUMNS, PRICE_COLUMNS), (values, where) => {
    const text = (name: string) => values[name] ?? '';
    const fuel = parseFuelCode(text('fuel'));
    once(where, `${text('station')} ${fuel}`);
    return {
      where,
      station: text('station'),
      fuel,
      price: parsePrice(text('price'), fuel, ranges),
      observedAt: pastInstant('observed_at', text('observed_at'), now),
    };
  });
}

/** Rows of `import history`, likewise. */
export function readHistory(fileName: string, content: string, now: number): (ManualDay | BadRow)[] {
  const today = bucharestDay(now);
  const once = requireUnique('date, station and fuel');
  return parseManualRows(readTable(fileName, content, HISTORY_COLUMNS, HISTORY_COLUMNS), (values, where) => {
    const text = (name: string) => values[name] ?? '';
    const fuel = parseFuelCode(text('fuel'));
    const day = pastDay('date', text('date'), today);
    once(where, `${day} ${text('station')} ${fuel}`);
    return { where, day, station: text('station'), fuel, price: parsePrice(text('price'), fuel, HISTORICAL_RANGES) };
  });
}

/** Refuses a second row with the same key. */
function requireUnique(what: string): (where: string, key: string) => void {
  const first = new Map<string, string>();
  return (where, key) => {
    const earlier = first.get(key);
    if (earlier !== undefined) throw new BadCell(`it repeats the ${what} of ${earlier}`);
    first.set(key, where);
  };
}

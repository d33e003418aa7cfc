/** Parses one row of a price list. */
import type { Fuel, MilliPrice, PriceRanges } from '../../domain/fuel.ts';
import type { ObservationTime, StationDescription } from '../../domain/reports/observation.ts';
import { type PriceListMap, plainSpelling } from '../../domain/reports/price-list-map.ts';
import { type Network, networkOf } from '../../domain/stations/network.ts';
import { cleanId, cleanText, validCoordinates } from '../feed/fields.ts';
import { BadCell, parseFuelCode } from '../manual/parse-values.ts';
import type { CityLookup } from './cities.ts';
import { isBlank, listDegrees, listPrice } from './list-price.ts';
import type { Cell, PriceListColumn } from './list-table.ts';
import { readObserved } from './observation-time.ts';

export type ListRowRules = {
  readonly map: PriceListMap | null;
  /** The only network that the list may price; `null` = any. */
  readonly only: Network | null;
  /** Whether rows may omit the brand because the list has no such column. */
  readonly brandImplied: boolean;
  readonly ranges: PriceRanges;
  /** The run's clock, epoch ms. */
  readonly now: number;
  readonly cities: CityLookup;
};

/** A parsed row; `station` is `null` for the prices of a whole network. */
export type ListRow = {
  readonly network: Network;
  readonly station: StationDescription | null;
  readonly prices: readonly { readonly fuel: Fuel; readonly price: MilliPrice | null }[];
  readonly observed: ObservationTime | null;
};

/** Returns the cell of a column, including the map's fixed texts. */
export type CellOf = (column: PriceListColumn) => Cell;

type OnListRejection = (reason: string) => void;

/** Columns that only the row of a station may fill, not that of a whole network. */
const STATION_COLUMNS: readonly PriceListColumn[] = ['name', 'address', 'city', 'county', 'lat', 'lng'];

/** Parses a row. `null` = the whole row is rejected; single rejected fields count as unknown. */
export function readListRow(cell: CellOf, rules: ListRowRules, reject: OnListRejection): ListRow | null {
  const network = rules.brandImplied ? rules.only : networkOf(cleanText(cell('brand')));
  if (network === null) return rejected(reject, 'no_brand');
  if (rules.only !== null && network.slug !== rules.only.slug) return rejected(reject, 'other_brand');
  const sourceId = cleanId(cell('station'));
  if (sourceId === null) {
    if (!isEmpty(cell('station'))) return rejected(reject, 'bad_station');
    // A table of stations whose ids were not mapped must not become a price of all stations.
    if (STATION_COLUMNS.some((column) => !isEmpty(cell(column)))) return rejected(reject, 'no_station');
  }
  const when = readObserved(cell('observed_at'), rules.now, rules.map !== null);
  if ('rejected' in when) reject(when.rejected);
  if ('rejected' in when && when.rejected === 'future_date') return null;
  const prices = pricesOf(cell, rules, reject);
  if (prices.length === 0) return null;
  const station = sourceId === null ? null : stationOf(sourceId, network, cell, rules, reject);
  return { network, station, prices, observed: 'observed' in when ? when.observed : null };
}

function pricesOf(cell: CellOf, rules: ListRowRules, reject: OnListRejection): ListRow['prices'] {
  const wideFuels = [...(rules.map?.prices.keys() ?? [])];
  if (wideFuels.length > 0) {
    // An empty cell of a wide list is a fuel that is not sold there; 0 is one without a price.
    const sold = wideFuels.filter((fuel) => !isBlank(cell(`price:${fuel}`)));
    return sold.map((fuel) => ({ fuel, price: priceOf(cell(`price:${fuel}`), fuel, rules, reject) }));
  }
  const fuel = fuelNamed(cell('fuel'), rules.map);
  if (fuel !== null) return [{ fuel, price: priceOf(cell('price'), fuel, rules, reject) }];
  reject('unknown_fuel');
  return [];
}

function priceOf(cell: Cell, fuel: Fuel, { ranges, map }: ListRowRules, reject: OnListRejection): MilliPrice | null {
  const { price, rejected: reason } = listPrice(cell, fuel, ranges, map !== null);
  if (reason !== null) reject(reason);
  return price;
}

/** Tries the map's names first: the network may use one of our names for another fuel. */
function fuelNamed(cell: Cell, map: PriceListMap | null): Fuel | null {
  const word = plainSpelling(cleanText(cell));
  const mapped = map?.fuels.get(word);
  if (mapped !== undefined) return mapped;
  try {
    return parseFuelCode(word);
  } catch (error) {
    if (error instanceof BadCell) return null;
    throw error;
  }
}

function stationOf(
  sourceId: string,
  network: Network,
  cell: CellOf,
  { map, cities }: ListRowRules,
  reject: OnListRejection,
): StationDescription {
  const [lat, lng] = [cell('lat'), cell('lng')];
  const point = validCoordinates(listDegrees(lat, map !== null), listDegrees(lng, map !== null));
  if (point === null && !(isEmpty(lat) && isEmpty(lng))) reject('bad_coordinates');
  const [city, county] = [cleanText(cell('city')), cleanText(cell('county'))];
  const locality = city === '' || county === '' ? null : cities.slugOf(city, county);
  if (locality === null && city !== '' && county !== '') reject('bad_city');
  return {
    sourceId,
    network: network.slug,
    brand: network.name,
    name: cleanText(cell('name')),
    address: cleanText(cell('address')),
    lat: point?.lat ?? null,
    lng: point?.lng ?? null,
    siruta: null,
    locality,
    hours: null,
    services: [],
    phone: null,
  };
}

function isEmpty(cell: Cell): boolean {
  return cell === null || (typeof cell === 'string' && cell.trim() === '');
}

function rejected(reject: OnListRejection, reason: string): null {
  reject(reason);
  return null;
}

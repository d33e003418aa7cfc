/**
 * Converts the rows of one answer into facts: joined, cleaned, the lowest price chosen, rejections counted. A price out
 * of range is counted here and remains a fact; `domain/prices/price-verdict.ts` stops it.
 */
import type { MilliPrice, PriceRanges, RoadFuel } from '../../../domain/fuel.ts';
import type { ObservationTime, RowName, StationDescription } from '../../../domain/reports/observation.ts';
import { asObject, cleanId, cleanText, type FeedObject } from '../../feed/fields.ts';
import { lowestPrice, readPrice } from '../../feed/price.ts';
import type { RegisterItems } from './parse-json.ts';
import { CATALOGUE_ID } from './register-ids.ts';
import { servicesOf } from './register-services.ts';
import { readNetwork, readStation } from './station-row.ts';
import { parseUpdateTime } from './updated.ts';

/** One station's price of the requested fuel. */
export type RegisterPrice = {
  readonly station: StationDescription;
  readonly price: MilliPrice | null;
  readonly observed: ObservationTime | null;
};
/** The first rejection of a row; `name` = the price that was read of it all the same, such as one `out_of_range`. */
export type RowRejection = { readonly reason: string; readonly sample: unknown; readonly name?: RowName };
export type ParsedRows = {
  readonly stations: readonly StationDescription[];
  readonly prices: readonly RegisterPrice[];
  readonly rejections: readonly RowRejection[];
};
export type RegisterRowRules = { readonly fuel: RoadFuel; readonly ranges: PriceRanges; readonly today: number };

type StationPrices = {
  readonly station: StationDescription;
  readonly observed: ObservationTime | null;
  readonly prices: (MilliPrice | null)[];
};

/** Parses the rows; each row or field that cannot be parsed is a rejection. */
export function parseRows(items: RegisterItems, rules: RegisterRowRules): ParsedRows {
  const rejections: RowRejection[] = [];
  const reject: ReportRowRejection = (reason, sample, name) =>
    void rejections.push({ reason, sample, ...(name && { name }) });
  const services = servicesOf(items.services);
  const stationPrices = new Map<string, StationPrices>();
  for (const row of items.stations) addStation(row, stationPrices, services, rules, reject);
  const byId = Map.groupBy(stationPrices.values(), ({ station }) => station.sourceId);
  for (const row of items.products) addProduct(row, stationPrices, byId, rules, reject);
  return {
    stations: [...stationPrices.values()].map(({ station }) => station),
    prices: [...stationPrices.values()]
      .filter(({ prices }) => prices.length > 0)
      .map(({ station, observed, prices }) => ({
        station,
        observed,
        price: lowestPrice(prices, rules.fuel, rules.ranges),
      })),
    rejections,
  };
}

/** Whether an answer had rows but none could be parsed: then it does not have the register's shape. */
export function isUnreadable({ prices, stations, rejections }: ParsedRows): boolean {
  return prices.length === 0 && (stations.length > 0 || rejections.length > 0);
}

/** Ids have no namespace (Socar's are bare numbers), so the key includes the network. */
export function stationKey({ network, sourceId }: { network: string; sourceId: string }): string {
  return `${network}:${sourceId}`;
}

type ReportRowRejection = (reason: string, sample: unknown, name?: RowName) => void;

function addStation(
  row: unknown,
  stationPrices: Map<string, StationPrices>,
  services: ReadonlyMap<string, readonly string[]>,
  rules: RegisterRowRules,
  rejectRow: ReportRowRejection,
): void {
  let isRejected = false;
  const reject: ReportRowRejection = (reason, sample) => {
    if (!isRejected) rejectRow(reason, sample);
    isRejected = true;
  };
  const read = readStation(row, reject);
  if (!read) return;
  const key = stationKey(read);
  if (stationPrices.has(key)) {
    reject('duplicate_station', row);
    return;
  }
  const updated = parseUpdateTime(asObject(row).updatedate, rules.today);
  if ('rejected' in updated) reject(updated.rejected, { id: read.sourceId, updatedate: asObject(row).updatedate });
  const station = { ...read, services: services.get(read.sourceId) ?? [] };
  stationPrices.set(key, { station, observed: 'observed' in updated ? updated.observed : null, prices: [] });
}

function addProduct(
  value: unknown,
  stationPrices: ReadonlyMap<string, StationPrices>,
  byId: ReadonlyMap<string, readonly StationPrices[]>,
  { fuel, ranges }: RegisterRowRules,
  reject: ReportRowRejection,
): void {
  const row = asObject(value);
  const catalogueId = cleanText(asObject(row.catprod).id);
  const sourceId = cleanId(row.stationid);
  const station = sourceId === null ? undefined : stationPricesOf(sourceId, row, stationPrices, byId);
  if (sourceId === null) reject('no_station_id', value);
  else if (catalogueId !== '' && catalogueId !== String(CATALOGUE_ID[fuel])) reject('other_fuel', value);
  else if (!station) reject('unknown_station', value);
  else {
    const { price, rejected } = readPrice(row.price, fuel, ranges);
    const { network } = station.station;
    if (rejected) reject(rejected, { stationid: sourceId, price: row.price }, { network, sourceId, fuel });
    station.prices.push(price);
  }
}

/** The product's station: the one of its network, or the only one with that id. */
function stationPricesOf(
  sourceId: string,
  product: FeedObject,
  stationPrices: ReadonlyMap<string, StationPrices>,
  byId: ReadonlyMap<string, readonly StationPrices[]>,
): StationPrices | undefined {
  const network = readNetwork(product.network)?.slug;
  const sameId = byId.get(sourceId) ?? [];
  return (
    (network ? stationPrices.get(stationKey({ network, sourceId })) : undefined) ??
    (sameId.length === 1 ? sameId[0] : undefined)
  );
}

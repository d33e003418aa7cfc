/** Converts the rows of one answer into facts: joined, cleaned, the lowest price chosen, refusals counted. */
import type { MilliPrice, PriceRanges, RoadFuel } from '../../../domain/fuel.ts';
import type { ObservationTime, StationDescription } from '../../../domain/reports/observation.ts';
import { asObject, cleanId, cleanText, type FeedObject } from '../../feed/fields.ts';
import { lowestPrice, readPrice } from '../../feed/price.ts';
import { CATALOGUE_ID } from './catalogue.ts';
import type { RegisterItems } from './parse-json.ts';
import { servicesOf } from './services.ts';
import { readNetwork, readStation } from './station-row.ts';
import { parseUpdateTime } from './updated.ts';

/** One station's price of the requested fuel. */
export type RegisterPrice = {
  readonly station: StationDescription;
  readonly price: MilliPrice | null;
  readonly observed: ObservationTime | null;
};
export type RowRejection = { readonly reason: string; readonly sample: unknown };
export type ParsedRows = {
  readonly stations: readonly StationDescription[];
  readonly prices: readonly RegisterPrice[];
  readonly refusals: readonly RowRejection[];
};
export type RegisterRowRules = { readonly fuel: RoadFuel; readonly ranges: PriceRanges; readonly today: number };

type StationPrices = {
  readonly station: StationDescription;
  readonly observed: ObservationTime | null;
  readonly prices: (MilliPrice | null)[];
};

/** Parses the rows; each row or field that cannot be parsed is a refusal. */
export function parseRows(items: RegisterItems, rules: RegisterRowRules): ParsedRows {
  const refusals: RowRejection[] = [];
  const refuse = (reason: string, sample: unknown) => void refusals.push({ reason, sample });
  const services = servicesOf(items.services);
  const stationPrices = new Map<string, StationPrices>();
  for (const row of items.stations) addStation(row, stationPrices, services, rules, refuse);
  const byId = Map.groupBy(stationPrices.values(), ({ station }) => station.sourceId);
  for (const row of items.products) addProduct(row, stationPrices, byId, rules, refuse);
  return {
    stations: [...stationPrices.values()].map(({ station }) => station),
    prices: [...stationPrices.values()]
      .filter(({ prices }) => prices.length > 0)
      .map(({ station, observed, prices }) => ({
        station,
        observed,
        price: lowestPrice(prices, rules.fuel, rules.ranges),
      })),
    refusals,
  };
}

/** Whether an answer had rows but none could be parsed: then it does not have the register's shape. */
export function isUnreadable({ prices, stations, refusals }: ParsedRows): boolean {
  return prices.length === 0 && (stations.length > 0 || refusals.length > 0);
}

/** Ids have no namespace (Socar's are bare numbers), so the key includes the network. */
export function stationKey({ network, sourceId }: { network: string; sourceId: string }): string {
  return `${network}:${sourceId}`;
}

type OnRowRejection = (reason: string, sample: unknown) => void;

function addStation(
  row: unknown,
  stationPrices: Map<string, StationPrices>,
  services: ReadonlyMap<string, readonly string[]>,
  rules: RegisterRowRules,
  refuse: OnRowRejection,
): void {
  const read = readStation(row, refuse);
  if (!read) return;
  const key = stationKey(read);
  if (stationPrices.has(key)) {
    refuse('duplicate_station', row);
    return;
  }
  const updated = parseUpdateTime(asObject(row).updatedate, rules.today);
  if ('refused' in updated) refuse(updated.refused, { id: read.sourceId, updatedate: asObject(row).updatedate });
  const station = { ...read, services: services.get(read.sourceId) ?? [] };
  stationPrices.set(key, { station, observed: 'observed' in updated ? updated.observed : null, prices: [] });
}

function addProduct(
  value: unknown,
  stationPrices: ReadonlyMap<string, StationPrices>,
  byId: ReadonlyMap<string, readonly StationPrices[]>,
  { fuel, ranges }: RegisterRowRules,
  refuse: OnRowRejection,
): void {
  const row = asObject(value);
  const catalogueId = cleanText(asObject(row.catprod).id);
  const sourceId = cleanId(row.stationid);
  const station = sourceId === null ? undefined : stationPricesOf(sourceId, row, stationPrices, byId);
  if (sourceId === null) refuse('no_station_id', value);
  else if (catalogueId !== '' && catalogueId !== String(CATALOGUE_ID[fuel])) refuse('other_fuel', value);
  else if (!station) refuse('unknown_station', value);
  else {
    const { price, refused } = readPrice(row.price, fuel, ranges);
    if (refused) refuse(refused, { stationid: sourceId, price: row.price });
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

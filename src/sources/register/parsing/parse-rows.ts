/** From the rows of one answer to our facts: joined, cleaned, the lowest price chosen, refusals named. */
import type { Milli, PriceRanges, RoadFuel } from '../../../domain/fuel.ts';
import type { Observed, StationFacts } from '../../../domain/reports/observation.ts';
import { asRow, cleanId, cleanText, type Row } from '../../feed/fields.ts';
import { lowest, readPrice } from '../../feed/price.ts';
import { CATALOGUE_ID } from './catalogue.ts';
import type { WireItems } from './parse-json.ts';
import { servicesOf } from './services.ts';
import { readNetwork, readStation } from './station-row.ts';
import { readUpdated } from './updated.ts';

/** One station's price of the fuel asked for. */
export type PriceFact = {
  readonly station: StationFacts;
  readonly price: Milli | null;
  readonly observed: Observed | null;
};
export type Refusal = { readonly reason: string; readonly sample: unknown };
export type Understood = {
  readonly stations: readonly StationFacts[];
  readonly prices: readonly PriceFact[];
  readonly refusals: readonly Refusal[];
};
export type RowRules = { readonly fuel: RoadFuel; readonly ranges: PriceRanges; readonly today: number };

type Pump = { readonly station: StationFacts; readonly observed: Observed | null; readonly prices: (Milli | null)[] };

/** Understands every row it can; each row, or field, that it cannot is a refusal. */
export function understand(items: WireItems, rules: RowRules): Understood {
  const refusals: Refusal[] = [];
  const refuse = (reason: string, sample: unknown) => void refusals.push({ reason, sample });
  const services = servicesOf(items.services);
  const pumps = new Map<string, Pump>();
  for (const row of items.stations) addStation(row, pumps, services, rules, refuse);
  const byId = Map.groupBy(pumps.values(), ({ station }) => station.sourceId);
  for (const row of items.products) addProduct(row, pumps, byId, rules, refuse);
  return {
    stations: [...pumps.values()].map(({ station }) => station),
    prices: [...pumps.values()]
      .filter(({ prices }) => prices.length > 0)
      .map(({ station, observed, prices }) => ({ station, observed, price: lowest(prices, rules.fuel, rules.ranges) })),
    refusals,
  };
}

/** Whether an answer had rows and none of them could be understood: then it is not the register's shape. */
export function isUnreadable({ prices, stations, refusals }: Understood): boolean {
  return prices.length === 0 && (stations.length > 0 || refusals.length > 0);
}

/** Ids have no namespace (Socar's are bare numbers): the network belongs to the key. */
export function stationKey({ network, sourceId }: { network: string; sourceId: string }): string {
  return `${network}:${sourceId}`;
}

type Refuse = (reason: string, sample: unknown) => void;

function addStation(
  row: unknown,
  pumps: Map<string, Pump>,
  services: ReadonlyMap<string, readonly string[]>,
  rules: RowRules,
  refuse: Refuse,
): void {
  const read = readStation(row, refuse);
  if (!read) return;
  const key = stationKey(read);
  if (pumps.has(key)) {
    refuse('duplicate_station', row);
    return;
  }
  const updated = readUpdated(asRow(row).updatedate, rules.today);
  if ('refused' in updated) refuse(updated.refused, { id: read.sourceId, updatedate: asRow(row).updatedate });
  const station = { ...read, services: services.get(read.sourceId) ?? [] };
  pumps.set(key, { station, observed: 'observed' in updated ? updated.observed : null, prices: [] });
}

function addProduct(
  value: unknown,
  pumps: ReadonlyMap<string, Pump>,
  byId: ReadonlyMap<string, readonly Pump[]>,
  { fuel, ranges }: RowRules,
  refuse: Refuse,
): void {
  const row = asRow(value);
  const catalogueId = cleanText(asRow(row.catprod).id);
  const sourceId = cleanId(row.stationid);
  const pump = sourceId === null ? undefined : pumpOf(sourceId, row, pumps, byId);
  if (sourceId === null) refuse('no_station_id', value);
  else if (catalogueId !== '' && catalogueId !== String(CATALOGUE_ID[fuel])) refuse('other_fuel', value);
  else if (!pump) refuse('unknown_station', value);
  else {
    const { price, refused } = readPrice(row.price, fuel, ranges);
    if (refused) refuse(refused, { stationid: sourceId, price: row.price });
    pump.prices.push(price);
  }
}

/** The product's station: of its own network, or the only one with that id. */
function pumpOf(
  sourceId: string,
  product: Row,
  pumps: ReadonlyMap<string, Pump>,
  byId: ReadonlyMap<string, readonly Pump[]>,
): Pump | undefined {
  const network = readNetwork(product.network)?.slug;
  const sameId = byId.get(sourceId) ?? [];
  return (
    (network ? pumps.get(stationKey({ network, sourceId })) : undefined) ??
    (sameId.length === 1 ? sameId[0] : undefined)
  );
}

/** The stations of a snapshot as pages show them: each with its prices, by place and by network. */
import { compareCodeUnits } from '../../algorithms/compare-code-units.ts';
import { runToEnd } from '../../algorithms/run-to-end.ts';
import { runInTimeSlices } from '../../concurrency/in-slices.ts';
import { type Fuel, isRoadFuel, type MilliPrice } from '../../domain/fuel.ts';
import { type PriceVerdict, trustedPrice } from '../../domain/prices/price-verdict.ts';
import { type MotorwayPosition, motorwayPosition } from '../../domain/stations/motorway-address.ts';
import { stationSlug } from '../../domain/stations/station-slug.ts';
import type { ServedStation, Snapshot } from '../../snapshot/snapshot.ts';

export type StationPrices = {
  readonly station: ServedStation;
  /** The station's part of its page's address. */
  readonly slug: string;
  readonly verdicts: ReadonlyMap<Fuel, PriceVerdict>;
};

/** A station whose address is on a motorway. */
export type StationOnMotorway = StationPrices & { readonly position: MotorwayPosition };

/** A station with a trusted price of one fuel. */
export type RankedStation = StationPrices & { readonly price: MilliPrice };

export type StationLookup = {
  readonly stations: readonly StationPrices[];
  readonly byId: ReadonlyMap<string, StationPrices>;
  /** The first of all stations by the price of each fuel, as `rankByPrice` would rank them. */
  readonly cheapest: ReadonlyMap<Fuel, RankedStation>;
  /** The day of the trusted price of a road fuel that was observed longest ago; `null` = none has a day. */
  readonly oldestPrice: string | null;
  readonly onMotorways: readonly StationOnMotorway[];
  /** By slug of the city. */
  readonly byCity: ReadonlyMap<string, readonly StationPrices[]>;
  /** By plate code. */
  readonly byCounty: ReadonlyMap<string, readonly StationPrices[]>;
  /** By slug of the network. */
  readonly byNetwork: ReadonlyMap<string, readonly StationPrices[]>;
};

/** Search engines list the page of a fuel only in cities with this many stations that have a price of it. */
export const MIN_INDEXED_STATIONS = 3;

const lookups = new WeakMap<Snapshot, StationLookup>();

/** The lookup of a snapshot, made at the first page that needs it. */
export function stationLookup(snapshot: Snapshot): StationLookup {
  const known = lookups.get(snapshot);
  if (known !== undefined) return known;
  const made = runToEnd(lookupInSlices(snapshot));
  lookups.set(snapshot, made);
  return made;
}

/** Makes the lookup of a snapshot before a page needs it, without keeping the process from other work. */
export async function prepareStationLookup(snapshot: Snapshot): Promise<void> {
  const made = await runInTimeSlices(lookupInSlices(snapshot));
  if (!lookups.has(snapshot)) lookups.set(snapshot, made);
}

/** The stations with a trusted price of a fuel, cheapest first, then by id; doubtful and expired prices never rank. */
export function rankByPrice<S extends StationPrices>(
  stations: readonly S[],
  fuel: Fuel,
): (S & { readonly price: MilliPrice })[] {
  return [...groupsByPrice(stations, fuel)].flatMap(([price, same]) => same.map((each) => ({ ...each, price })));
}

/** The same as groups of one price, each made when it is read. */
export function* groupsByPrice<S extends StationPrices>(
  stations: readonly S[],
  fuel: Fuel,
): Generator<readonly [price: MilliPrice, stations: readonly S[]], void, void> {
  // Prices are few: over the whole country this takes a quarter of the time of one sort by price and id.
  const byPrice = new Map<MilliPrice, S[]>();
  for (const each of stations) {
    const price = trustedPrice(each.verdicts.get(fuel));
    if (price === null) continue;
    const same = byPrice.get(price);
    if (same === undefined) byPrice.set(price, [each]);
    else same.push(each);
  }
  for (const [price, same] of [...byPrice].sort(([a], [b]) => a - b)) yield [price, same.sort(inOrderOfIds)];
}

function inOrderOfIds(a: StationPrices, b: StationPrices): number {
  return compareCodeUnits(a.station.id, b.station.id);
}

/** The stations that sell a fuel without a trusted price: doubtful, expired, incoherent or unknown. */
export function unrankedStations(stations: readonly StationPrices[], fuel: Fuel): StationPrices[] {
  return stations.filter(({ verdicts }) => verdicts.has(fuel) && verdicts.get(fuel)?.kind !== 'trusted');
}

function* lookupInSlices({ records }: Snapshot): Generator<void, StationLookup, void> {
  const byId = new Map<string, StationPrices & { verdicts: Map<Fuel, PriceVerdict> }>();
  for (const { station, fuel, verdict } of records) {
    const known = byId.get(station.id);
    if (known) known.verdicts.set(fuel, verdict);
    else byId.set(station.id, { station, slug: stationSlug(station), verdicts: new Map([[fuel, verdict]]) });
    yield;
  }
  const stations = [...byId.values()];
  const cheapest = new Map<Fuel, RankedStation>();
  const onMotorways: StationOnMotorway[] = [];
  let oldestPrice: string | null = null;
  for (const each of stations) {
    const position = motorwayPosition(each.station.address);
    if (position !== null) onMotorways.push({ ...each, position });
    for (const [fuel, verdict] of each.verdicts) {
      if (verdict.kind !== 'trusted') continue;
      const { price } = verdict;
      const best = cheapest.get(fuel);
      const day = isRoadFuel(fuel) ? verdict.fact.observed?.day : undefined;
      // As texts, days of ISO 8601 are in the order of time.
      if (day !== undefined && (oldestPrice === null || day < oldestPrice)) oldestPrice = day;
      if (best === undefined || price < best.price || (price === best.price && inOrderOfIds(each, best) < 0))
        cheapest.set(fuel, { ...each, price });
    }
    yield;
  }
  const byCity = Map.groupBy(stations, ({ station }) => station.citySlug);
  yield;
  const byCounty = Map.groupBy(stations, ({ station }) => station.county);
  yield;
  return {
    stations,
    byId,
    cheapest,
    oldestPrice,
    onMotorways,
    byCity,
    byCounty,
    byNetwork: Map.groupBy(stations, ({ station }) => station.network.slug),
  };
}

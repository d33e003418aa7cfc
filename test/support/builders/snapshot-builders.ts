/** Snapshots for tests: each builder returns a simple valid value and takes the parts that the test cares about. */
import { dayNumber } from '../../../src/domain/days.ts';
import { FUELS, type Fuel, type MilliPrice, type RoadFuel } from '../../../src/domain/fuel.ts';
import { slugify } from '../../../src/domain/places/place-names.ts';
import type { DoubtReason, PriceVerdict, SourcePrice } from '../../../src/domain/prices/price-verdict.ts';
import { type Network, networkOf } from '../../../src/domain/stations/network.ts';
import type { StationHistory } from '../../../src/snapshot/price-history.ts';
import {
  type CityPrices,
  type CountyPrices,
  type NationalPrices,
  type NetworkPrices,
  NO_PRICES,
  type RoadPrices,
  type ServedStation,
  type Snapshot,
  type StationRecord,
} from '../../../src/snapshot/snapshot.ts';

/** The current moment in all test worlds: 20 November 2026, 10:00 in Bucharest. */
export const NOON = Date.parse('2026-11-20T08:00:00Z');
export const TODAY = dayNumber('2026-11-20');
const MINUTE = 60_000;

/** The five road fuel prices; those not given are missing. */
export function prices(some: Partial<Record<RoadFuel, MilliPrice>> = {}): RoadPrices {
  return { ...NO_PRICES, ...some };
}

/** Finds a network by its usual name. */
export function aNetwork(name = 'Petrom'): Network {
  const network = networkOf(name);
  if (network === null) throw new Error(`no network is called ${name}`);
  return network;
}

export function aCity(city: Partial<CityPrices> = {}): CityPrices {
  const name = city.name ?? 'Cluj-Napoca';
  const slug = name.toLowerCase().replaceAll(' ', '-');
  return { name, slug, county: 'CJ', lat: 46.77, lng: 23.6, prices: prices({ petrol: 7_450, diesel: 7_890 }), ...city };
}

export function aStation(station: Partial<ServedStation> = {}): ServedStation {
  const city = station.city ?? 'Cluj-Napoca';
  return {
    id: '0a1b2c3d4e5f',
    network: aNetwork(),
    city,
    citySlug: slugify(city),
    county: 'CJ',
    countyName: 'Cluj',
    address: 'Calea Turzii 178',
    lat: 46.75,
    lng: 23.59,
    approximateCoordinates: false,
    suspectCoordinates: false,
    name: null,
    franchise: null,
    priceNote: null,
    hours: null,
    services: [],
    phone: null,
    ...station,
  };
}

export function aFact(fact: Partial<SourcePrice> = {}): SourcePrice {
  return {
    source: 'register',
    fuel: 'petrol',
    price: 7_450,
    observed: { day: '2026-11-19', at: null, text: '19.11.2026' },
    sinceDay: TODAY - 3,
    changed: true,
    readAt: NOON - 30 * MINUTE,
    missingSince: null,
    ...fact,
  };
}

export function trusted(price: MilliPrice, fact: Partial<SourcePrice> = {}): PriceVerdict {
  return { kind: 'trusted', price, fact: aFact({ price, ...fact }) };
}

export function doubtful(price: MilliPrice, reason: DoubtReason, since: string | null): PriceVerdict {
  return { kind: 'doubtful', price, reason, since: since === null ? null : dayNumber(since), fact: aFact({ price }) };
}

/** A price that a source confirmed last at that moment. */
export function expired(lastConfirmedAt: string): PriceVerdict {
  return { kind: 'expired', lastConfirmedAt: Date.parse(lastConfirmedAt) };
}

/** The records of one station, in the contract's order of fuels. */
export function recordsOf(station: ServedStation, verdicts: Partial<Record<Fuel, PriceVerdict>>): StationRecord[] {
  return FUELS.flatMap((fuel) => {
    const verdict = verdicts[fuel];
    return verdict ? [{ station, fuel, verdict }] : [];
  });
}

/** Many stations with petrol and diesel on a grid around a point, ids and cities in order. */
export function manyRecords(stations: number, about: Partial<ServedStation> = {}): StationRecord[] {
  return Array.from({ length: stations }, (_, index) => {
    const id = index.toString(16).padStart(12, '0');
    const place = { lat: 44.4268 + (index % 100) * 0.01, lng: 26.1025 + Math.floor(index / 100) * 0.01 };
    const station = aStation({ id, ...place, address: `Șoseaua Ștefan cel Mare ${index + 1}`, ...about });
    return recordsOf(station, { petrol: trusted(7_000 + (index % 900)), diesel: trusted(7_500 + (index % 900)) });
  }).flat();
}

/** A history from prices by day, such as `{ petrol: { '2026-11-19': 7450 } }`. */
export function aHistory(firstDay: string, known: Partial<Record<Fuel, Record<string, MilliPrice>>>): StationHistory {
  const byDay = new Map(
    FUELS.map((fuel) => [
      fuel,
      new Map(Object.entries(known[fuel] ?? {}).map(([day, price]) => [dayNumber(day), price])),
    ]),
  );
  return {
    firstDay: dayNumber(firstDay),
    fuels: FUELS.filter((fuel) => known[fuel]),
    price: (fuel, day) => byDay.get(fuel)?.get(day) ?? null,
  };
}

type SnapshotParts = Partial<Omit<Snapshot, 'history' | 'counties'>> & {
  readonly counties?: readonly CountyPrices[];
  readonly histories?: Readonly<Record<string, StationHistory>>;
};

/** A whole snapshot: one city, one network, one county and one station by default. */
export function aSnapshot(parts: SnapshotParts = {}): Snapshot {
  const { histories = {}, counties = [aCounty()], ...rest } = parts;
  const byStation = new Map(Object.entries(histories));
  const records = parts.records ?? recordsOf(aStation(), { petrol: trusted(7_450), diesel: trusted(7_890) });
  return {
    version: 1,
    now: NOON,
    today: TODAY,
    updatedAt: NOON - 30 * MINUTE,
    cities: [aCity()],
    networks: [{ network: aNetwork(), prices: prices({ petrol: 7_450, diesel: 7_890 }) }],
    national: aNational(),
    counties: new Map(counties.map((county) => [county.code, county])),
    records,
    sources: [{ name: 'register', deliveredAt: NOON - 30 * MINUTE, downloadedAt: NOON - 30 * MINUTE }],
    locators: [],
    locatorFuels: new Map(),
    counts: countsOf(records),
    history: (id) => byStation.get(id),
    statistics: () => [],
    nextChangeAt: NOON + 60 * MINUTE,
    ...rest,
  };
}

/** The snapshot of a new installation: no publication yet, no source in service. */
export function anEmptySnapshot(): Snapshot {
  return aSnapshot({
    version: 0,
    updatedAt: null,
    cities: [],
    networks: [],
    records: [],
    sources: [],
    national: aNational({}),
  });
}

export function aCounty(county: Partial<CountyPrices> = {}): CountyPrices {
  return { code: 'CJ', cities: 1, prices: prices({ petrol: 7_450, diesel: 7_890 }), ...county };
}

export function aNetworkPrices(name: string, some: Partial<Record<RoadFuel, MilliPrice>> = {}): NetworkPrices {
  return { network: aNetwork(name), prices: prices(some) };
}

/** National prices with the same minimum, mean and maximum per fuel. */
export function aNational(
  same: Partial<Record<RoadFuel, MilliPrice>> = { petrol: 7_450, diesel: 7_890 },
): NationalPrices {
  const bucket = (fuel: RoadFuel) => {
    const price = same[fuel] ?? null;
    return { min: price, mean: price, max: price };
  };
  return {
    petrol: bucket('petrol'),
    petrol_premium: bucket('petrol_premium'),
    diesel: bucket('diesel'),
    diesel_premium: bucket('diesel_premium'),
    lpg: bucket('lpg'),
  };
}

function countsOf(records: readonly StationRecord[]): Snapshot['counts'] {
  const priced = records.filter(({ verdict }) => 'price' in verdict);
  const days = priced.flatMap(({ verdict }) => ('fact' in verdict && verdict.fact.observed?.day) || []);
  return {
    records: records.length,
    recordsWithPrice: priced.length,
    pricesWithoutDay: priced.length - days.length,
    oldestObservation: days.sort()[0] ?? null,
    stations: new Set(records.map(({ station }) => station.id)).size,
    stationsWithPrice: new Set(priced.map(({ station }) => station.id)).size,
  };
}

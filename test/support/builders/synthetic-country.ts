/** A synthetic country of any size over the real localities, the same in every run. */

import { bucharestDay, type DayNumber, dayNumber, dayText } from '../../../src/domain/days.ts';
import { FUELS, type Fuel, type MilliPrice } from '../../../src/domain/fuel.ts';
import type { Locality } from '../../../src/domain/places/locality.ts';
import { KM_PER_DEGREE } from '../../../src/domain/point.ts';
import type { KnownPrice } from '../../../src/domain/prices/apply-collection.ts';
import type { PublishedFacts } from '../../../src/domain/prices/facts.ts';
import { Rejections } from '../../../src/domain/reports/observation.ts';
import type { Sweep } from '../../../src/domain/reports/sweep.ts';
import { networkOf } from '../../../src/domain/stations/network.ts';
import { describeStations, type SourceStation } from '../../../src/domain/stations/source-station.ts';
import { loadGazetteer } from '../../../src/geodata/load-gazetteer.ts';
import { randomFraction, randomInteger, randomItem } from '../../../src/simulation/country/seeded-random.ts';
import { HISTORY_DAYS, PriceHistory } from '../../../src/snapshot/price-history.ts';
import type { DayPrices, StoredDayPrices } from '../../../src/store/prices/daily-prices.ts';

const SEED = 3;
const SOURCE = 'register';
const BRANDS = ['Petrom', 'OMV', 'Rompetrol', 'MOL', 'Lukoil', 'Socar', 'Gazprom'];
const SERVICES = ['Magazin', 'Spălătorie auto', 'Schimb ulei', 'Restaurant', 'WC'];
/** Approximate price of each fuel, and the share of stations that sell it. */
const FUELS_SOLD: readonly [fuel: Fuel, price: MilliPrice, share: number][] = [
  ['petrol', 7_300, 1],
  ['petrol_premium', 7_900, 0.9],
  ['diesel', 7_500, 1],
  ['diesel_premium', 8_100, 0.9],
  ['lpg', 3_700, 0.4],
];

export type SyntheticCountry = {
  readonly now: number;
  readonly sourceStations: readonly SourceStation[];
  readonly known: readonly KnownPrice[];
};

/** Builds a country with exactly `records` records; its stations lie where people live. */
export function syntheticCountry(records: number, now: number): SyntheticCountry {
  const places = localityDraw();
  const today = dayNumber(bucharestDay(now));
  const sourceStations: SourceStation[] = [];
  const known: KnownPrice[] = [];
  for (let number = 0; known.length < records; number += 1) {
    const sourceStation = stationAt(places(randomFraction(SEED, 'place', number)), number, now);
    const sold = FUELS_SOLD.filter(([fuel, , share]) => randomFraction(SEED, fuel, number) < share);
    sourceStations.push(sourceStation);
    for (const [fuel, price] of sold) known.push(knownPrice(sourceStation, fuel, price + priceOffset(number), today));
  }
  known.length = records;
  return { now, sourceStations, known };
}

/** The facts as the store loads them. */
export function factsOf({ now, sourceStations, known }: SyntheticCountry, version = 1): PublishedFacts {
  return {
    version,
    publishedAt: now,
    updatedAt: now,
    sources: [{ name: SOURCE, deliveredAt: now, downloadedAt: now }],
    stations: describeStations(sourceStations),
    prices: known.map((fact) => ({ ...fact, readAt: now })),
  };
}

/** The days before today, one row a station. */
export function* pastDays({ now, known }: SyntheticCountry): Generator<StoredDayPrices[]> {
  const today = dayNumber(bucharestDay(now));
  const byStation = Map.groupBy(known, ({ station }) => station);
  for (let day = today - HISTORY_DAYS + 1; day < today; day += 1) {
    yield [...byStation].map(([station, own]) => ({ day, station, ...dayOf(own, day) }));
  }
}

/** The same days in the form that readers hold in memory. */
export function historyOf(world: SyntheticCountry): PriceHistory {
  const history = new PriceHistory();
  for (const rows of pastDays(world)) for (const row of rows) history.putDay(row, row.day);
  return history;
}

/** A complete sweep in which every price moved by `by`. */
export function sweepOf({ sourceStations, known }: SyntheticCountry, by: MilliPrice, now: number): Sweep {
  const byStation = new Map(sourceStations.map((sourceStation) => [sourceStation.station, sourceStation]));
  const observed = { day: bucharestDay(now), at: null, text: null };
  return {
    stations: sourceStations.map(
      ({ key, source: _, station: __, locality: ___, manual: ____, seenAt: _____, ...facts }) => ({
        ...facts,
        sourceId: key,
      }),
    ),
    readings: known.map(({ station, fuel, price, unit }) => {
      const { key, network } = byStation.get(station) as SourceStation;
      return { sourceId: key, network, fuel, price: (price as MilliPrice) + by, observed, unit };
    }),
    units: new Map(known.map(({ unit }) => [unit, 'read'])),
    rejections: new Rejections(),
    requests: 0,
  };
}

/** Draws localities at random, weighted by population. */
function localityDraw(): (draw: number) => Locality {
  const places = loadGazetteer().localities.filter(({ siruta, population }) => siruta !== null && population > 0);
  const upTo: number[] = [];
  let sum = 0;
  for (const { population } of places) {
    sum += population;
    upTo.push(sum);
  }
  return (draw) => places[upTo.findIndex((end) => end > draw * sum)] as Locality;
}

function stationAt(place: Locality, number: number, now: number): SourceStation {
  const brand = networkOf(randomItem(BRANDS, SEED, 'brand', number));
  const reachKm = Math.sqrt(place.population) / 120;
  const km = reachKm * Math.sqrt(randomFraction(SEED, 'far', number));
  const angle = 2 * Math.PI * randomFraction(SEED, 'angle', number);
  const kmPerDegreeLng = KM_PER_DEGREE * Math.cos((place.lat * Math.PI) / 180);
  return {
    source: SOURCE,
    key: `S${number}`,
    station: number.toString(16).padStart(12, '0'),
    network: brand?.slug ?? '',
    brand: brand?.name ?? '',
    name: `${brand?.name} ${place.name} ${number}`,
    address: `Șoseaua Ștefan cel Mare ${randomInteger(1, 300, SEED, 'street number', number)}, ${place.name}`,
    lat: Number((place.lat + (km * Math.sin(angle)) / KM_PER_DEGREE).toFixed(6)),
    lng: Number((place.lng + (km * Math.cos(angle)) / kmPerDegreeLng).toFixed(6)),
    siruta: place.siruta,
    locality: null,
    hours: 'Luni-Duminică 00:00-24:00',
    services: SERVICES.filter((service) => randomFraction(SEED, service, number) < 0.5),
    phone: null,
    manual: null,
    seenAt: now,
  };
}

function knownPrice({ station, siruta }: SourceStation, fuel: Fuel, price: MilliPrice, today: DayNumber): KnownPrice {
  return {
    station,
    fuel,
    source: SOURCE,
    price,
    observed: { day: dayText(today), at: null, text: null },
    unit: `${siruta}:${fuel}`,
    sinceDay: today - 2,
    changed: true,
    missingSince: null,
  };
}

/** How much a station's prices differ from the country's. */
function priceOffset(number: number): MilliPrice {
  return 10 * randomInteger(-15, 15, SEED, 'local', number);
}

function dayOf(own: readonly KnownPrice[], day: DayNumber): Omit<DayPrices, 'station'> {
  const wave = 10 * Math.round(20 * Math.sin(day / 9));
  const prices = FUELS.map((fuel) => {
    const price = own.find((fact) => fact.fuel === fuel)?.price ?? null;
    return price === null ? null : price + wave;
  });
  return { prices, facts: prices.reduce<number>((bits, price, i) => (price === null ? bits : bits | (1 << i)), 0) };
}

/** Facts for tests, from sources and from the store; each builder returns a simple valid value. */

import { DEFAULT_RANGES, type Fuel, type MilliPrice } from '../../../src/domain/fuel.ts';
import type { KnownPrice, StationReading } from '../../../src/domain/prices/apply-collection.ts';
import type { PublishedFacts, SourceTimes, StoredPrice } from '../../../src/domain/prices/facts.ts';
import type { JudgingContext, PriceVerdict, StuckPriceDetector } from '../../../src/domain/prices/price-verdict.ts';
import type { ObservationTime, StationDescription } from '../../../src/domain/reports/observation.ts';
import type { SourceStation } from '../../../src/domain/stations/source-station.ts';
import type { Station } from '../../../src/domain/stations/station.ts';
import { aFact, aNetwork, NOON, TODAY } from './snapshot-builders.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

export const AT_NOON: JudgingContext = { now: NOON, today: TODAY, ranges: DEFAULT_RANGES };

export const SIRUTA = { bucharest: 179_132, iasi: 95_060, cluj: 54_975, turda: 55_259, mures: 114_319 } as const;

/** A day without a time of day, as the register gives it. */
export function onDay(day: string): ObservationTime {
  return { day, at: null, text: null };
}

/** The first finds no price stuck, the second every price. */
export const NEVER_STUCK: StuckPriceDetector = { isStuck: () => false };
export const ALWAYS_STUCK: StuckPriceDetector = { isStuck: () => true };

/** Describes a verdict as a reader sees it: its kind, price and source, without the fact behind it. */
export function describeVerdict(verdict: PriceVerdict | undefined): string {
  if (verdict === undefined) return 'no record';
  switch (verdict.kind) {
    case 'trusted':
      return `${verdict.price} trusted (${verdict.fact.source})`;
    case 'doubtful':
      return `${verdict.price} ${verdict.reason} ${verdict.since} (${verdict.fact.source})`;
    default:
      return verdict.kind;
  }
}

export function aKnownStation(id: string, brand = 'Petrom', station: Partial<Station> = {}): Station {
  const network = aNetwork(brand);
  return {
    id,
    network: network.slug,
    brand: network.name,
    address: `Strada Pompei ${id}`,
    lat: 46.75,
    lng: 23.59,
    siruta: SIRUTA.cluj,
    locality: null,
    hours: null,
    services: [],
    phone: null,
    manual: null,
    alternatives: [],
    ...station,
  };
}

/** A price that a source gives for one station. */
export function aStationFact(station: string, fuel: Fuel, price: MilliPrice | null, fact: Partial<StoredPrice> = {}) {
  return { ...aFact({ fuel, price }), station, unit: `54975:${fuel}`, ...fact } satisfies StoredPrice;
}

export function aSource(name: string, deliveredAt: number | null = NOON - HOUR / 2): SourceTimes {
  return { name, deliveredAt, downloadedAt: deliveredAt };
}

export function someFacts(parts: Partial<PublishedFacts> = {}): PublishedFacts {
  return {
    version: 7,
    publishedAt: NOON - HOUR / 2,
    updatedAt: NOON - HOUR / 2,
    sources: [aSource('register')],
    stations: [],
    prices: [],
    ...parts,
  };
}

/** What one source knew of a price before a sweep. */
export function aKnownPrice(fact: Partial<KnownPrice> = {}): KnownPrice {
  const { readAt: _, ...known } = aFact();
  return { ...known, station: 'aaaaaaaaaaaa', unit: '54975:petrol', ...fact };
}

/** What one sweep reads of a price. */
export function aReading(reading: Partial<StationReading> = {}): StationReading {
  return {
    station: 'aaaaaaaaaaaa',
    sourceId: 'R1009',
    network: 'petrom',
    fuel: 'petrol',
    price: 7_450,
    observed: { day: '2026-11-19', at: null, text: '19.11.2026' },
    unit: '54975:petrol',
    ...reading,
  };
}

/** A station as one sweep finds it. */
export function aFoundStation(sourceId: string, found: Partial<StationDescription> = {}): StationDescription {
  return {
    sourceId,
    network: 'petrom',
    brand: 'Petrom',
    name: '',
    address: 'Calea Turzii 178',
    lat: 46.75,
    lng: 23.59,
    siruta: SIRUTA.cluj,
    hours: null,
    services: [],
    phone: null,
    ...found,
  };
}

/** The name that a source has used for a station since an earlier sweep. */
export function aSourceStation(
  key: string,
  station: string,
  sourceStation: Partial<SourceStation> = {},
): SourceStation {
  const { sourceId: _, ...described } = aFoundStation(key);
  return {
    ...described,
    source: 'register',
    key,
    station,
    locality: null,
    manual: null,
    seenAt: NOON - DAY,
    ...sourceStation,
  };
}

/** The point `metres` north of another. */
export function northOf<P extends { lat: number; lng: number }>({ lat, lng }: P, metres: number) {
  return { lat: lat + metres / 111_195.08, lng };
}

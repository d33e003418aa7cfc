/** Which records a filter of `/statii` selects: by station, place, fuel, price and distance. */

import { setImmediate } from 'node:timers/promises';
import { firstIndexThat } from '../../algorithms/binary-search.ts';
import { type DayNumber, dayNumber } from '../../domain/days.ts';
import { FUELS, type Fuel, isRoadFuel } from '../../domain/fuel.ts';
import { foldName } from '../../domain/places/place-names.ts';
import { type BoundingBox, distanceKm, KM_PER_DEGREE, type Point } from '../../domain/point.ts';
import type { ServedStation, StationRecord } from '../../snapshot/snapshot.ts';

/** Largest radius of the geo filter. Source: API contract, "Limits". */
export const MAX_RADIUS_KM = 50;

/** What a station must be; a property that is left out admits every station. */
type StationFilter = {
  /** Network slug; `null` = a brand without stations. */
  readonly network?: string | null;
  /** Plate code. */
  readonly county?: string;
  /** Slugs of cities. */
  readonly cities?: readonly string[];
  /** Indexes of stations, ascending. */
  readonly stations?: readonly number[];
  /** A station on the edge is inside. */
  readonly box?: BoundingBox;
};

export type RecordFilter = StationFilter & {
  readonly fuel?: Fuel;
  /** Only records with a price, trusted or not. */
  readonly priced?: boolean;
  /** No doubtful prices. */
  readonly undoubted?: boolean;
  /** Only prices that were observed on this day or later. */
  readonly observedFrom?: DayNumber;
  /** Whether stations have a record of each road fuel, those that no source says they sell included. */
  readonly withUnsold?: boolean;
};

/** Records (by index) and their distances, nearest first, at equal distance in the contract's order. */
export type NearbyRecords = { readonly records: readonly number[]; readonly km: readonly number[] };

type StationDistance = { readonly stationIndex: number; readonly km: number };

const RADIANS_PER_DEGREE = Math.PI / 180;
/** Tolerance in degrees for rounding in the coarse tests; the exact distance decides. */
const ROUNDING_MARGIN = 1e-6;

export class StationSearch {
  readonly #records: readonly StationRecord[];
  readonly #stations: readonly ServedStation[];
  /**
   * Station i has the records from `first[i]` up to, not including, `first[i + 1]`: a station's records are adjacent.
   */
  readonly #firstRecord: Uint32Array;
  /** The stations from south to north, and their coordinates in the same order. */
  readonly #byLatitude: Uint32Array;
  readonly #lats: Float64Array;
  readonly #lngs: Float64Array;
  readonly #slugs = new Map<string, string>();
  /** A station of each city, by the slug of the city. Created on first use. */
  #citiesBySlug: ReadonlyMap<string, ServedStation> | undefined;
  /** Slugs of cities by their folded name, slug, or name and county. Created on first use. */
  #citySlugs: ReadonlyMap<string, readonly string[]> | undefined;
  /** Where each station is, by its id. Created on first use. */
  #stationIndexes: ReadonlyMap<string, number> | undefined;

  private constructor(records: readonly StationRecord[], firstRecords: readonly number[], byLatitude: Uint32Array) {
    this.#records = records;
    this.#firstRecord = Uint32Array.from([...firstRecords, records.length]);
    this.#stations = firstRecords.map((index) => (records[index] as StationRecord).station);
    this.#byLatitude = byLatitude;
    const ordered = (value: (station: ServedStation) => number) =>
      Float64Array.from(byLatitude, (place) => value(this.#stations[place] as ServedStation));
    this.#lats = ordered(({ lat }) => lat);
    this.#lngs = ordered(({ lng }) => lng);
    for (const { slug, name } of new Map(this.#stations.map(({ network }) => [network.slug, network])).values()) {
      this.#slugs.set(foldName(slug), slug).set(foldName(name), slug);
    }
  }

  /** Builds the index, yielding to the event loop between its steps. A station's records must be adjacent. */
  static async build(records: readonly StationRecord[]): Promise<StationSearch> {
    const firstRecords: number[] = [];
    records.forEach(({ station }, index) => {
      if (records[index - 1]?.station !== station) firstRecords.push(index);
    });
    await setImmediate();
    const lats = Float64Array.from(firstRecords, (index) => (records[index] as StationRecord).station.lat);
    const byLatitude = Uint32Array.from(firstRecords.keys()).sort((a, b) => (lats[a] as number) - (lats[b] as number));
    await setImmediate();
    return new StationSearch(records, firstRecords, byLatitude);
  }

  /** The network that a brand means, by name or slug, ignoring case; `null` = not in this snapshot. */
  networkSlug(brand: string): string | null {
    return this.#slugs.get(foldName(brand)) ?? null;
  }

  /**
   * The city with this slug, or all cities called so, by name, or name and county (`Fantanele, Suceava`); none if no
   * station is there.
   */
  citySlugs(city: string): readonly string[] {
    this.#citiesBySlug ??= citiesBySlug(this.#stations);
    this.#citySlugs ??= citySlugsOf(this.#citiesBySlug);
    return this.#citiesBySlug.has(city) ? [city] : (this.#citySlugs.get(foldName(city)) ?? []);
  }

  /** The stations with these ids, each once, in the contract's order; unknown ids are left out. */
  stationIndexes(ids: readonly string[]): readonly number[] {
    const known = ids.map((id) => this.#stationIndex(id)).filter((index) => index !== undefined);
    return [...new Set(known)].sort((a, b) => a - b);
  }

  /** The records of a station that is served, as a range of indexes; `null` = it is not. */
  rangeOf(id: string): { readonly first: number; readonly end: number } | null {
    const stationIndex = this.#stationIndex(id);
    return stationIndex === undefined ? null : this.#rangeAt(stationIndex);
  }

  /** The record at an index that this search returned, one of a fuel without a record included. */
  recordAt(index: number): StationRecord {
    if (!this.lacksRecord(index)) return this.#records[index] as StationRecord;
    const place = index - this.#records.length;
    return {
      station: this.#stations[Math.floor(place / FUELS.length)] as ServedStation,
      fuel: FUELS[place % FUELS.length] as Fuel,
      verdict: { kind: 'unknown', reason: 'unpublished' },
    };
  }

  /** Whether the index stands for a fuel of which the station has no record. */
  lacksRecord(index: number): boolean {
    return index >= this.#records.length;
  }

  /** All records that match, in the contract's order. */
  matching(filter: RecordFilter): number[] {
    const found: number[] = [];
    for (const stationIndex of filter.stations ?? this.#stations.keys()) this.#addRecords(stationIndex, filter, found);
    return found;
  }

  /** The matching records within the radius. The exact distance decides whether a station is inside. */
  near(point: Point, radiusKm: number, filter: RecordFilter): NearbyRecords {
    const records: number[] = [];
    const km: number[] = [];
    const wanted = filter.stations && new Set(filter.stations);
    for (const hit of this.#stationsWithin(point, radiusKm)) {
      if (wanted !== undefined && !wanted.has(hit.stationIndex)) continue;
      this.#addRecords(hit.stationIndex, filter, records);
      while (km.length < records.length) km.push(hit.km);
    }
    return { records, km };
  }

  #stationIndex(id: string): number | undefined {
    this.#stationIndexes ??= new Map(this.#stations.map((station, index) => [station.id, index]));
    return this.#stationIndexes.get(id);
  }

  #rangeAt(stationIndex: number): { first: number; end: number } {
    return { first: this.#firstRecord[stationIndex] as number, end: this.#firstRecord[stationIndex + 1] as number };
  }

  /** Adds the matching records of one station. */
  #addRecords(stationIndex: number, filter: RecordFilter, found: number[]): void {
    if (!isWanted(this.#stations[stationIndex] as ServedStation, filter)) return;
    if (filter.withUnsold) {
      this.#addEveryFuel(stationIndex, filter, found);
      return;
    }
    const { first, end } = this.#rangeAt(stationIndex);
    for (let index = first; index < end; index += 1) {
      if (matches(this.#records[index] as StationRecord, filter)) found.push(index);
    }
  }

  /** Adds a record of each fuel: of one that has none, its place beyond the records. */
  #addEveryFuel(stationIndex: number, filter: RecordFilter, found: number[]): void {
    const { first, end } = this.#rangeAt(stationIndex);
    const sold = new Map(this.#records.slice(first, end).map(({ fuel }, at) => [fuel, first + at]));
    for (const [place, fuel] of FUELS.entries()) {
      if (!sold.has(fuel) && !isRoadFuel(fuel) && fuel !== filter.fuel) continue;
      const index = sold.get(fuel) ?? this.#records.length + stationIndex * FUELS.length + place;
      if (matches(this.recordAt(index), filter)) found.push(index);
    }
  }

  /** Scans the band of latitudes that the circle touches, skipping what is too far east or west. */
  #stationsWithin(point: Point, radiusKm: number): StationDistance[] {
    const north = radiusKm / KM_PER_DEGREE + ROUNDING_MARGIN;
    const east = longitudeReach(point.lat, radiusKm);
    const hits: StationDistance[] = [];
    const south = point.lat - north;
    const first = firstIndexThat((at) => (this.#lats[at] as number) >= south, 0, this.#lats.length);
    for (let at = first; at < this.#lats.length; at += 1) {
      if ((this.#lats[at] as number) > point.lat + north) break;
      const longitudeDistance = Math.abs((this.#lngs[at] as number) - point.lng);
      if (Math.min(longitudeDistance, 360 - longitudeDistance) > east) continue;
      const stationIndex = this.#byLatitude[at] as number;
      const km = distanceKm(point, this.#stations[stationIndex] as ServedStation);
      if (km <= radiusKm) hits.push({ stationIndex, km });
    }
    return hits.sort((a, b) => a.km - b.km || a.stationIndex - b.stationIndex);
  }
}

function isWanted(station: ServedStation, { network, county, cities, box }: StationFilter): boolean {
  return (
    (network === undefined || station.network.slug === network) &&
    (county === undefined || station.county === county) &&
    (cities === undefined || cities.includes(station.citySlug)) &&
    (box === undefined || isInside(station, box))
  );
}

function isInside({ lat, lng }: Point, { west, south, east, north }: BoundingBox): boolean {
  return lat >= south && lat <= north && lng >= west && lng <= east;
}

function matches({ fuel, verdict }: StationRecord, filter: RecordFilter): boolean {
  if (filter.fuel !== undefined && filter.fuel !== fuel) return false;
  if (filter.undoubted && verdict.kind === 'doubtful') return false;
  const { observedFrom } = filter;
  if (!filter.priced && observedFrom === undefined) return true;
  if (!('fact' in verdict)) return false;
  const { observed } = verdict.fact;
  return observedFrom === undefined || (observed !== null && dayNumber(observed.day) >= observedFrom);
}

function citiesBySlug(stations: readonly ServedStation[]): Map<string, ServedStation> {
  const bySlug = new Map(stations.map((station) => [station.citySlug, station]));
  bySlug.delete('');
  return bySlug;
}

function citySlugsOf(bySlug: ReadonlyMap<string, ServedStation>): Map<string, readonly string[]> {
  const slugs = new Map<string, string[]>();
  for (const [slug, { city, countyName }] of bySlug) {
    for (const name of new Set([foldName(city), foldName(slug), foldName(`${city}, ${countyName}`)])) {
      const known = slugs.get(name);
      if (known === undefined) slugs.set(name, [slug]);
      else known.push(slug);
    }
  }
  return slugs;
}

/** How many degrees of longitude a circle reaches to either side; 180 if it contains a pole. */
function longitudeReach(lat: number, radiusKm: number): number {
  const reach = Math.sin((radiusKm / KM_PER_DEGREE) * RADIANS_PER_DEGREE) / Math.cos(lat * RADIANS_PER_DEGREE);
  return reach >= 1 ? 180 : Math.asin(reach) / RADIANS_PER_DEGREE + ROUNDING_MARGIN;
}

/** Which records a filter of `/statii` selects: by network, fuel and distance. */

import { setImmediate } from 'node:timers/promises';
import { firstIndexThat } from '../../algorithms/binary-search.ts';
import type { Fuel } from '../../domain/fuel.ts';
import { foldName } from '../../domain/places/place-names.ts';
import { distanceKm, KM_PER_DEGREE, type Point } from '../../domain/point.ts';
import type { ServedStation, StationRecord } from '../../snapshot/snapshot.ts';

export type RecordFilter = {
  /** Network slug; `null` = a brand without stations. */
  readonly network?: string | null;
  readonly fuel?: Fuel;
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

  /** All records that match, in the contract's order. */
  matching(filter: RecordFilter): number[] {
    const found: number[] = [];
    for (let index = 0; index < this.#records.length; index += 1) if (this.#matches(index, filter)) found.push(index);
    return found;
  }

  /** The matching records within the radius. The exact distance decides whether a station is inside. */
  near(point: Point, radiusKm: number, filter: RecordFilter): NearbyRecords {
    const records: number[] = [];
    const km: number[] = [];
    for (const hit of this.#stationsWithin(point, radiusKm)) {
      const end = this.#firstRecord[hit.stationIndex + 1] as number;
      for (let index = this.#firstRecord[hit.stationIndex] as number; index < end; index += 1) {
        if (!this.#matches(index, filter)) continue;
        records.push(index);
        km.push(hit.km);
      }
    }
    return { records, km };
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

  #matches(index: number, { network, fuel }: RecordFilter): boolean {
    const { station, fuel: recordFuel } = this.#records[index] as StationRecord;
    return (fuel === undefined || recordFuel === fuel) && (network === undefined || station.network.slug === network);
  }
}

/** How many degrees of longitude a circle reaches to either side; 180 if it contains a pole. */
function longitudeReach(lat: number, radiusKm: number): number {
  const reach = Math.sin((radiusKm / KM_PER_DEGREE) * RADIANS_PER_DEGREE) / Math.cos(lat * RADIANS_PER_DEGREE);
  return reach >= 1 ? 180 : Math.asin(reach) / RADIANS_PER_DEGREE + ROUNDING_MARGIN;
}

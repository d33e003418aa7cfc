/** Which records a filter of `/statii` means: by network, fuel and distance. */
import { setImmediate } from 'node:timers/promises';
import type { Fuel } from '../../domain/fuel.ts';
import { fold } from '../../domain/places/place-names.ts';
import { distanceKm, KM_PER_DEGREE, type Point } from '../../domain/point.ts';
import type { ServedStation, StationRecord } from '../../snapshot/snapshot.ts';

export type RecordFilter = {
  /** Network slug; `null` = a brand nobody has. */
  readonly network?: string | null;
  readonly fuel?: Fuel;
};

/** Records (by index) and how far each is, nearest first, at equal distance in the contract's order. */
export type Nearby = { readonly records: readonly number[]; readonly km: readonly number[] };

type Hit = { readonly place: number; readonly km: number };

const RADIANS = Math.PI / 180;
/** Degrees of room for rounding in the quick tests; the exact distance decides. */
const SLACK = 1e-6;

export class StationSearch {
  readonly #records: readonly StationRecord[];
  readonly #stations: readonly ServedStation[];
  /** The records of station i are those from `first[i]` to before `first[i + 1]`: a station's records are neighbours. */
  readonly #first: Uint32Array;
  /** The stations from south to north, and their coordinates in the same order. */
  readonly #northwards: Uint32Array;
  readonly #lats: Float64Array;
  readonly #lngs: Float64Array;
  readonly #slugs = new Map<string, string>();

  private constructor(records: readonly StationRecord[], starts: readonly number[], northwards: Uint32Array) {
    this.#records = records;
    this.#first = Uint32Array.from([...starts, records.length]);
    this.#stations = starts.map((index) => (records[index] as StationRecord).station);
    this.#northwards = northwards;
    const ordered = (value: (station: ServedStation) => number) =>
      Float64Array.from(northwards, (place) => value(this.#stations[place] as ServedStation));
    this.#lats = ordered(({ lat }) => lat);
    this.#lngs = ordered(({ lng }) => lng);
    for (const { slug, name } of new Map(this.#stations.map(({ network }) => [network.slug, network])).values()) {
      this.#slugs.set(fold(slug), slug).set(fold(name), slug);
    }
  }

  /** Makes the index, yielding to the event loop between its steps. A station's records must be neighbours. */
  static async of(records: readonly StationRecord[]): Promise<StationSearch> {
    const starts: number[] = [];
    records.forEach(({ station }, index) => {
      if (records[index - 1]?.station !== station) starts.push(index);
    });
    await setImmediate();
    const lats = Float64Array.from(starts, (index) => (records[index] as StationRecord).station.lat);
    const northwards = Uint32Array.from(starts.keys()).sort((a, b) => (lats[a] as number) - (lats[b] as number));
    await setImmediate();
    return new StationSearch(records, starts, northwards);
  }

  /** The network that a brand means, by name or slug, whatever the case; `null` = none here. */
  networkOf(brand: string): string | null {
    return this.#slugs.get(fold(brand)) ?? null;
  }

  /** All records that pass, in the contract's order. */
  matching(filter: RecordFilter): number[] {
    const found: number[] = [];
    for (let index = 0; index < this.#records.length; index += 1) if (this.#passes(index, filter)) found.push(index);
    return found;
  }

  /** The records that pass within the radius. Whether a station is inside is decided on the exact distance. */
  near(point: Point, radiusKm: number, filter: RecordFilter): Nearby {
    const records: number[] = [];
    const km: number[] = [];
    for (const hit of this.#inside(point, radiusKm)) {
      const end = this.#first[hit.place + 1] as number;
      for (let index = this.#first[hit.place] as number; index < end; index += 1) {
        if (!this.#passes(index, filter)) continue;
        records.push(index);
        km.push(hit.km);
      }
    }
    return { records, km };
  }

  /** Walks the band of latitudes that the circle touches, passing over what is too far east or west. */
  #inside(point: Point, radiusKm: number): Hit[] {
    const north = radiusKm / KM_PER_DEGREE + SLACK;
    const east = degreesEast(point.lat, radiusKm);
    const hits: Hit[] = [];
    for (let at = lowerBound(this.#lats, point.lat - north); at < this.#lats.length; at += 1) {
      if ((this.#lats[at] as number) > point.lat + north) break;
      const apart = Math.abs((this.#lngs[at] as number) - point.lng);
      if (Math.min(apart, 360 - apart) > east) continue;
      const place = this.#northwards[at] as number;
      const km = distanceKm(point, this.#stations[place] as ServedStation);
      if (km <= radiusKm) hits.push({ place, km });
    }
    return hits.sort((a, b) => a.km - b.km || a.place - b.place);
  }

  #passes(index: number, { network, fuel }: RecordFilter): boolean {
    const { station, fuel: own } = this.#records[index] as StationRecord;
    return (fuel === undefined || own === fuel) && (network === undefined || station.network.slug === network);
  }
}

/** How many degrees of longitude a circle reaches to either side; all of them where it holds a pole. */
function degreesEast(lat: number, radiusKm: number): number {
  const reach = Math.sin((radiusKm / KM_PER_DEGREE) * RADIANS) / Math.cos(lat * RADIANS);
  return reach >= 1 ? 180 : Math.asin(reach) / RADIANS + SLACK;
}

function lowerBound(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

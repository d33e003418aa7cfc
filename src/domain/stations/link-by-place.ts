/**
 * Links a source's row to a physical station by place. Within a source its own id is the identity; place only links ids
 * of different sources, or a new id to an old one that vanished. Rule 28.
 */

import { createHash } from 'node:crypto';
import { compareCodeUnits } from '../../algorithms/compare-code-units.ts';
import { distanceKm, KM_PER_DEGREE, type Point } from '../point.ts';

/** The location of a known station, or of one that a source describes. */
type NetworkLocation = { readonly network: string; readonly lat: number | null; readonly lng: number | null };
export type LinkCandidate = NetworkLocation & { readonly station: string };
/** A station that a source describes under a key that is linked to no station yet. */
export type UnlinkedStation = NetworkLocation & { readonly key: string };

export type StationLinks = {
  /** Key of an unlinked station → id of its station. */
  readonly linked: ReadonlyMap<string, string>;
  /** Key of an unlinked station → ids of the stations that it might be. */
  readonly ambiguous: ReadonlyMap<string, readonly string[]>;
};

/** Stations of different sources within these distances are taken for the same, the nearest first. */
export const CROSS_SOURCE_RADII_KM = [0.2, 0.5, 0.8] as const;
/** A new id of a source within this distance of a vanished one is taken for the same station. */
const VANISHED_RADII_KM = [0.2] as const;

/**
 * With more candidates of its network in the search cells around it (some 3 km wide in all), a station is ambiguous. No
 * network is so dense; a broken source can be, and comparing thousands of stations at one point pair by pair takes
 * minutes.
 */
const MAX_NEARBY_CANDIDATES = 50;

/** A source's own id made unique within the source: bare numbers carry the network of the first observation. */
export function sourceKey(sourceId: string, network: string): string {
  return /^\d+$/.test(sourceId) ? `${network.toUpperCase()}:${sourceId}` : sourceId;
}

/** The station id made from its first source and key: 12 hex digits of SHA-256, salted until it is free. */
export function stationId(source: string, key: string, taken: (id: string) => boolean): string {
  for (let salt = 0; ; salt += 1) {
    const hashed = salt === 0 ? `${source}:${key}` : `${source}:${key}#${salt}`;
    const id = createHash('sha256').update(hashed).digest('hex').slice(0, 12);
    if (!taken(id)) return id;
  }
}

/** Links new stations of one source to stations known from other sources, radius by radius. */
export function linkAcrossSources(
  unlinked: readonly UnlinkedStation[],
  candidates: readonly LinkCandidate[],
): StationLinks {
  return linkByPlace(unlinked, candidates, CROSS_SOURCE_RADII_KM);
}

/** Links new stations of one source to stations whose key of that source vanished in the same complete sweep. */
export function linkToVanished(unlinked: readonly UnlinkedStation[], vanished: readonly LinkCandidate[]): StationLinks {
  return linkByPlace(unlinked, vanished, VANISHED_RADII_KM);
}

type Pair = { readonly key: string; readonly station: string; readonly km: number };

/**
 * Links stations of the same network, radius by radius, nearest first, each once. A station with a second free
 * candidate within the radius that is less than twice as far is ambiguous: it gets no link by any radius.
 */
function linkByPlace(
  unlinked: readonly UnlinkedStation[],
  candidates: readonly LinkCandidate[],
  radiiKm: readonly number[],
): StationLinks {
  const linked = new Map<string, string>();
  const used = new Set<string>();
  const { pairs, overfull } = nearPairs(unlinked, candidates, radiiKm.at(-1) as number);
  const ambiguous = new Map<string, readonly string[]>(overfull);
  const byKey = Map.groupBy(pairs, ({ key }) => key);
  for (const radius of radiiKm) {
    for (const pair of pairs) {
      if (pair.km > radius) break;
      if (linked.has(pair.key) || ambiguous.has(pair.key) || used.has(pair.station)) continue;
      const rivals = (byKey.get(pair.key) ?? []).filter(
        ({ station, km }) => station !== pair.station && km <= radius && isRival(km, pair.km) && !used.has(station),
      );
      if (rivals.length > 0) {
        ambiguous.set(pair.key, [pair.station, ...rivals.map(({ station }) => station)]);
      } else {
        linked.set(pair.key, pair.station);
        used.add(pair.station);
      }
    }
  }
  return { linked, ambiguous };
}

/** Less than twice as far, or equally near: two stations at the same point cannot be distinguished. */
function isRival(km: number, nearest: number): boolean {
  return km < 2 * nearest || km === nearest;
}

/**
 * All pairs of the same network within `maxKm`, nearest first; ties in the order of keys, so that runs are
 * reproducible. A station with too many candidates is in no pair but `overfull`, with two of them. Linear but for
 * sorting.
 */
function nearPairs(
  unlinked: readonly UnlinkedStation[],
  candidates: readonly LinkCandidate[],
  maxKm: number,
): { pairs: Pair[]; overfull: Map<string, readonly string[]> } {
  const gridOf = gridsByNetwork(candidates);
  const pairs: Pair[] = [];
  const overfull = new Map<string, readonly string[]>();
  for (const station of unlinked) {
    const grid = gridOf.get(station.network);
    if (grid === undefined || !hasCoordinates(station)) continue;
    const cell = gridCell(station);
    const cells = NEIGHBOURS.map((offset) => grid.get(cell + offset) ?? []);
    const nearby = cells.reduce((sum, inCell) => sum + inCell.length, 0);
    if (nearby > MAX_NEARBY_CANDIDATES) {
      const examples = cells.flatMap((inCell) => inCell.slice(0, 2)).slice(0, 2);
      overfull.set(
        station.key,
        examples.map((candidate) => candidate.station),
      );
    } else pairs.push(...pairsOf(station, cells.flat(), maxKm));
  }
  pairs.sort((a, b) => a.km - b.km || compareCodeUnits(a.key, b.key) || compareCodeUnits(a.station, b.station));
  return { pairs, overfull };
}

/** Network → grid cell → its candidates, in the order of their ids, whatever order they come in. */
function gridsByNetwork(candidates: readonly LinkCandidate[]) {
  const inOrder = candidates.filter(hasCoordinates).sort((a, b) => compareCodeUnits(a.station, b.station));
  const networks = Map.groupBy(inOrder, ({ network }) => network);
  return new Map([...networks].map(([network, inNetwork]) => [network, Map.groupBy(inNetwork, gridCell)]));
}

function pairsOf(
  station: UnlinkedStation & Point,
  candidates: readonly (LinkCandidate & Point)[],
  maxKm: number,
): Pair[] {
  return candidates.flatMap((candidate) => {
    // Most of a cell is too far by latitude alone, which is cheaper to check.
    if (Math.abs(station.lat - candidate.lat) * KM_PER_DEGREE > maxKm) return [];
    const km = distanceKm(station, candidate);
    return km <= maxKm ? [{ key: station.key, station: candidate.station, km }] : [];
  });
}

/**
 * Cells a little wider than the largest radius up to 60° of latitude, so that neighbours have all pairs; row by row.
 */
const CELL_LAT = (1.01 * Math.max(...CROSS_SOURCE_RADII_KM, ...VANISHED_RADII_KM)) / KM_PER_DEGREE;
const CELL_LNG = CELL_LAT / Math.cos(Math.PI / 3);
const CELLS_PER_ROW = 100_000;
const NEIGHBOURS = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => dy * CELLS_PER_ROW + dx));

function gridCell({ lat, lng }: Point): number {
  return Math.floor(lat / CELL_LAT) * CELLS_PER_ROW + Math.floor(lng / CELL_LNG);
}

function hasCoordinates<P extends NetworkLocation>(place: P): place is P & { lat: number; lng: number } {
  return place.lat !== null && place.lng !== null;
}

/**
 * Finds the physical station for a source's row. Within a source its own id is the identity; place only links ids of
 * different sources, or a new id to an old one that is gone. Source: rule 28.
 */

import { createHash } from 'node:crypto';
import { compareCodeUnits } from '../../algorithms/compare-code-units.ts';
import { distanceKm, KM_PER_DEGREE, type Point } from '../point.ts';

/** A place that may be linked: a known station, or one that a source describes. */
type NetworkLocation = { readonly network: string; readonly lat: number | null; readonly lng: number | null };
export type LinkCandidate = NetworkLocation & { readonly station: string };
export type Newcomer = NetworkLocation & { readonly key: string };

export type StationLinks = {
  /** Newcomer's key → station id. */
  readonly linked: ReadonlyMap<string, string>;
  /** Newcomer's key → ids of the stations it might be. */
  readonly ambiguous: ReadonlyMap<string, readonly string[]>;
};

const RINGS_KM = [0.2, 0.5, 0.8] as const;
/** How near a new id must be to a vanished one of the same source to be taken for the same station. */
const SAME_SOURCE_RINGS_KM = [0.2] as const;

/** A source's own id made unique within the source: bare numbers carry the network of the first observation. */
export function aliasKey(sourceId: string, network: string): string {
  return /^\d+$/.test(sourceId) ? `${network.toUpperCase()}:${sourceId}` : sourceId;
}

/** The station id made from its first alias: 12 hex digits of SHA-256, salted until it is free. */
export function stationId(source: string, key: string, taken: (id: string) => boolean): string {
  for (let salt = 0; ; salt += 1) {
    const name = salt === 0 ? `${source}:${key}` : `${source}:${key}#${salt}`;
    const id = createHash('sha256').update(name).digest('hex').slice(0, 12);
    if (!taken(id)) return id;
  }
}

/** Links newcomers of one source to stations known from other sources: 200 m, then 500 m, then 800 m. */
export function linkAcrossSources(newcomers: readonly Newcomer[], candidates: readonly LinkCandidate[]): StationLinks {
  return linkByPlace(newcomers, candidates, RINGS_KM);
}

/** Links new ids of one source to stations whose id of the same source vanished in the same complete sweep: 200 m. */
export function linkToVanished(newcomers: readonly Newcomer[], vanished: readonly LinkCandidate[]): StationLinks {
  return linkByPlace(newcomers, vanished, SAME_SOURCE_RINGS_KM);
}

type Pair = { readonly key: string; readonly station: string; readonly km: number };

/**
 * Same brand, ring by ring, nearest first, each used once. A newcomer with a second free candidate in the ring less
 * than twice as far is ambiguous: it gets no link in any ring.
 */
function linkByPlace(
  newcomers: readonly Newcomer[],
  candidates: readonly LinkCandidate[],
  rings: readonly number[],
): StationLinks {
  const linked = new Map<string, string>();
  const ambiguous = new Map<string, readonly string[]>();
  const used = new Set<string>();
  const pairs = nearPairs(newcomers, candidates, rings.at(-1) as number);
  const byKey = Map.groupBy(pairs, ({ key }) => key);
  for (const ring of rings) {
    for (const pair of pairs) {
      if (pair.km > ring) break;
      if (linked.has(pair.key) || ambiguous.has(pair.key) || used.has(pair.station)) continue;
      const rivals = (byKey.get(pair.key) ?? []).filter(
        ({ station, km }) => station !== pair.station && km <= ring && isRival(km, pair.km) && !used.has(station),
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

/** Less than twice as far, or equally near: two stations at the same point cannot be told apart. */
function isRival(km: number, nearest: number): boolean {
  return km < 2 * nearest || km === nearest;
}

/**
 * All pairs of one brand within `maxKm`, nearest first; ties in the order of their keys, so that runs are reproducible.
 */
function nearPairs(newcomers: readonly Newcomer[], candidates: readonly LinkCandidate[], maxKm: number): Pair[] {
  const networks = Map.groupBy(candidates.filter(hasCoordinates), ({ network }) => network);
  const grids = new Map([...networks].map(([network, own]) => [network, Map.groupBy(own, (place) => gridCell(place))]));
  const pairs: Pair[] = [];
  for (const newcomer of newcomers) {
    const grid = grids.get(newcomer.network);
    if (grid === undefined || !hasCoordinates(newcomer)) continue;
    const here = gridCell(newcomer);
    for (const step of NEIGHBOURS) {
      for (const candidate of grid.get(here + step) ?? []) {
        // Most of a cell is too far by latitude alone, which is cheaper to check.
        if (Math.abs(newcomer.lat - candidate.lat) * KM_PER_DEGREE > maxKm) continue;
        const km = distanceKm(newcomer, candidate);
        if (km <= maxKm) pairs.push({ key: newcomer.key, station: candidate.station, km });
      }
    }
  }
  return pairs.sort((a, b) => a.km - b.km || compareCodeUnits(a.key, b.key) || compareCodeUnits(a.station, b.station));
}

/** Cells at least 0.8 km wide up to 60° of latitude, numbered row by row. */
const CELL_LAT = 0.01;
const CELL_LNG = 0.015;
const CELLS_PER_ROW = 100_000;
const NEIGHBOURS = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => dy * CELLS_PER_ROW + dx));

function gridCell({ lat, lng }: Point): number {
  return Math.floor(lat / CELL_LAT) * CELLS_PER_ROW + Math.floor(lng / CELL_LNG);
}

function hasCoordinates<P extends NetworkLocation>(place: P): place is P & { lat: number; lng: number } {
  return place.lat !== null && place.lng !== null;
}

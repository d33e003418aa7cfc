/** What each source says about a station, and how to combine that into one description. */

import { compareCodeUnits } from '../../algorithms/compare-code-units.ts';
import { foldName } from '../places/place-names.ts';
import type { Point } from '../point.ts';
import type { StationDescription } from '../reports/observation.ts';
import { descriptionRank } from '../reports/source-kind.ts';
import type { ManualDetails, Station } from './station.ts';

/**
 * A station as one source describes it, and Pompa's station that it is linked to. Stored in table `station_aliases`.
 */
export type SourceStation = Omit<StationDescription, 'sourceId'> & {
  /** Name of the source, such as `register`. */
  readonly source: string;
  /** The source's own id of the station, made unique within the source (see `sourceKey`). */
  readonly key: string;
  /** Pompa's id of the station (`Station.id`) that it is linked to. */
  readonly station: string;
  /** Slug of the locality that the source declares by name; takes precedence over `siruta`. */
  readonly locality: string | null;
  readonly manual: ManualDetails | null;
  /** When the source first gave this description, epoch ms. */
  readonly seenAt: number;
};

/**
 * The station as served: each detail from the most trusted source that has it, newest first among equals; the services
 * of all sources, in that order.
 */
export function describeStation(id: string, sourceStations: readonly SourceStation[]): Station {
  const ranked = sourceStations.toSorted(
    (a, b) =>
      descriptionRank(a.source) - descriptionRank(b.source) || b.seenAt - a.seenAt || compareCodeUnits(a.key, b.key),
  );
  const best = ranked[0] as SourceStation;
  const [coordinates, ...alternatives] = distinctPoints(ranked);
  const withLocality = ranked.find(({ siruta, locality }) => siruta !== null || locality !== null);
  return {
    id,
    network: best.network,
    brand: best.brand,
    address: ranked.find(({ address }) => address !== '')?.address ?? '',
    lat: coordinates?.lat ?? null,
    lng: coordinates?.lng ?? null,
    alternatives,
    siruta: withLocality?.siruta ?? null,
    locality: withLocality?.locality ?? null,
    hours: ranked.find(({ hours }) => hours !== null)?.hours ?? null,
    services: unionByName(ranked.map(({ services }) => services)),
    phone: ranked.find(({ phone }) => phone !== null)?.phone ?? null,
    manual: ranked.find(({ manual }) => manual !== null)?.manual ?? null,
  };
}

/** All stations that the sources describe, sorted by id. */
export function describeStations(sourceStations: readonly SourceStation[]): Station[] {
  return [...Map.groupBy(sourceStations, ({ station }) => station)]
    .map(([id, ofStation]) => describeStation(id, ofStation))
    .sort((a, b) => compareCodeUnits(a.id, b.id));
}

/** The coordinates that sources give, most trusted first, each once. */
function distinctPoints(ranked: readonly SourceStation[]): Point[] {
  const places: Point[] = [];
  for (const { lat, lng } of ranked) {
    if (lat === null || lng === null || places.some((place) => place.lat === lat && place.lng === lng)) continue;
    places.push({ lat, lng });
  }
  return places;
}

/** Merges the lists, without names that differ only in spelling from an earlier one. */
function unionByName(lists: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...more] = lists.filter((list) => list.length > 0);
  if (more.length === 0) return first;
  const byName = new Map<string, string>();
  for (const name of [first, ...more].flat()) {
    const folded = foldName(name);
    if (!byName.has(folded)) byName.set(folded, name);
  }
  return [...byName.values()];
}

/** What each source says about a station, and how that becomes one description. */

import { foldName } from '../places/place-names.ts';
import type { Point } from '../point.ts';
import type { StationDescription } from '../reports/observation.ts';
import { descriptionRank } from '../reports/source-kind.ts';
import type { ManualDetails, Station } from './station.ts';

/** One source's name for a station and its last description of it. */
export type Alias = Omit<StationDescription, 'sourceId'> & {
  readonly source: string;
  /** The source's own id, made unique within the source (see `aliasKey`). */
  readonly key: string;
  readonly station: string;
  /** Slug of the locality that an operator named. */
  readonly locality: string | null;
  readonly manual: ManualDetails | null;
  /** When the source first gave this description, epoch ms. */
  readonly seenAt: number;
};

/**
 * The station as served: each detail from the most trusted source that has it, newest first among equals; the services
 * of all sources, in that order.
 */
export function describeStation(id: string, aliases: readonly Alias[]): Station {
  const ranked = aliases.toSorted(
    (a, b) => descriptionRank(a.source) - descriptionRank(b.source) || b.seenAt - a.seenAt || (a.key < b.key ? -1 : 1),
  );
  const best = ranked[0] as Alias;
  const [placed, ...alternatives] = distinctPoints(ranked);
  const located = ranked.find(({ siruta, locality }) => siruta !== null || locality !== null);
  return {
    id,
    network: best.network,
    brand: best.brand,
    address: ranked.find(({ address }) => address !== '')?.address ?? '',
    lat: placed?.lat ?? null,
    lng: placed?.lng ?? null,
    alternatives,
    siruta: located?.siruta ?? null,
    locality: located?.locality ?? null,
    hours: ranked.find(({ hours }) => hours !== null)?.hours ?? null,
    services: unionByName(ranked.map(({ services }) => services)),
    phone: ranked.find(({ phone }) => phone !== null)?.phone ?? null,
    manual: ranked.find(({ manual }) => manual !== null)?.manual ?? null,
  };
}

/** All stations of a set of aliases, sorted by id. */
export function describeStations(aliases: readonly Alias[]): Station[] {
  return [...Map.groupBy(aliases, ({ station }) => station)]
    .map(([id, own]) => describeStation(id, own))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** The coordinates that sources give, most trusted first, each once. */
function distinctPoints(ranked: readonly Alias[]): Point[] {
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

/** What each source says of a station, and the one description made of it. */
import type { StationFacts } from './observation.ts';
import { sourceRank } from './quality.ts';
import type { ManualDetails, Station } from './station.ts';

/** One source's name for a station and its last description of it. */
export type Alias = Omit<StationFacts, 'sourceId'> & {
  readonly source: string;
  /** The source's own id, made unique within the source (see matching.ts). */
  readonly key: string;
  readonly station: string;
  /** Slug of the locality an operator named. */
  readonly locality: string | null;
  readonly manual: ManualDetails | null;
  /** When the source first described the station like this, epoch ms. */
  readonly seenAt: number;
};

/** The station as served: each detail from the most believed source that gives it, newest first among equals. */
export function describe(id: string, aliases: readonly Alias[]): Station {
  const ranked = aliases.toSorted(
    (a, b) => sourceRank(a.source) - sourceRank(b.source) || b.seenAt - a.seenAt || (a.key < b.key ? -1 : 1),
  );
  const best = ranked[0] as Alias;
  const placed = ranked.find(({ lat }) => lat !== null);
  const located = ranked.find(({ siruta, locality }) => siruta !== null || locality !== null);
  return {
    id,
    network: best.network,
    brand: best.brand,
    address: ranked.find(({ address }) => address !== '')?.address ?? '',
    lat: placed?.lat ?? null,
    lng: placed?.lng ?? null,
    siruta: located?.siruta ?? null,
    locality: located?.locality ?? null,
    hours: ranked.find(({ hours }) => hours !== null)?.hours ?? null,
    services: ranked.find(({ services }) => services.length > 0)?.services ?? [],
    phone: ranked.find(({ phone }) => phone !== null)?.phone ?? null,
    manual: ranked.find(({ manual }) => manual !== null)?.manual ?? null,
  };
}

/** All stations of a set of aliases, in the order of their ids. */
export function describeAll(aliases: readonly Alias[]): Station[] {
  return [...Map.groupBy(aliases, ({ station }) => station)]
    .map(([id, own]) => describe(id, own))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Finds the physical station for every station of a sweep: by its source's id first, then by place. Rule 28. */

import type { Gazetteer } from '../places/gazetteer.ts';
import type { StationDescription } from '../reports/observation.ts';
import type { Alias } from './alias.ts';
import { linkDoubtful } from './link-doubtful.ts';
import {
  aliasKey,
  type LinkCandidate,
  linkAcrossSources,
  linkToVanished,
  type Newcomer,
  stationId,
} from './matching.ts';
import type { Station } from './station.ts';

export type IdentifiedStations = {
  /** Every identified station of the sweep, under its key. */
  readonly aliases: readonly Alias[];
  /** Source id and network → station id; without ambiguous stations. */
  readonly stationOf: ReadonlyMap<string, string>;
  readonly createdStations: readonly string[];
  readonly ambiguous: readonly { key: string; stations: readonly string[] }[];
  readonly matched: number;
};

export type IdentifyInput = {
  readonly source: string;
  /** Whether the source's ids are unique across networks. */
  readonly hasUniqueKeys: boolean;
  readonly sweptStations: readonly StationDescription[];
  /** Aliases of this source known before. */
  readonly knownAliases: readonly Alias[];
  /** All stations known before, from any source. */
  readonly stations: readonly Station[];
  /** Set for a source that settles doubtful coordinates: the gazetteer that recognises them. */
  readonly doubtfulGazetteer?: Gazetteer;
  /**
   * Whether the sweep read the whole area in which an alias was last seen: only then does its absence mean anything.
   */
  readonly wasRead: (alias: Alias) => boolean;
  readonly now: number;
};

/** Identifies the stations of one sweep. */
export function identifyStations(input: IdentifyInput): IdentifiedStations {
  const { source, sweptStations, knownAliases, now } = input;
  const names = new Map(knownAliases.map((alias) => [alias.key, alias.station]));
  const keyOf = input.hasUniqueKeys
    ? ({ sourceId }: StationDescription) => sourceId
    : createKeyOf(knownAliases, sweptStations);
  const present = new Map(sweptStations.map((station) => [keyOf(station), station]));
  const newcomers = [...present].filter(([key]) => !names.has(key)).map(([key, station]) => ({ ...station, key }));
  const here = new Set([...present.keys()].map((key) => names.get(key)));
  // A station that has a newer alias in this same sweep is not gone, though its older alias is.
  const vanished = knownAliases.filter(
    (alias) => !present.has(alias.key) && !here.has(alias.station) && input.wasRead(alias),
  );
  const moved = linkToVanished(newcomers, vanished.map(asCandidate));
  const others = linkAcrossSources(
    newcomers.filter(({ key }) => !moved.linked.has(key) && !moved.ambiguous.has(key)),
    unlinkedStations(input.stations, knownAliases),
  );
  const byPlace = new Map([...moved.linked, ...others.linked]);
  const ambiguous = new Map([...moved.ambiguous, ...others.ambiguous]);
  const linked = new Map([...byPlace, ...linkDoubtfulNewcomers(input, newcomers, byPlace, ambiguous)]);
  const { created, ids } = createIds(source, newcomers, linked, ambiguous, input.stations);
  const stationOf = (key: string) => names.get(key) ?? linked.get(key) ?? ids.get(key);
  const aliases = [...present].flatMap(([key, station]) => {
    const id = stationOf(key);
    return id === undefined ? [] : [asAlias(source, key, id, station, now)];
  });
  return {
    aliases,
    stationOf: new Map(
      [...present].flatMap(([key, station]) => {
        const id = stationOf(key);
        return id === undefined ? [] : [[`${station.sourceId} ${station.network}`, id] as const];
      }),
    ),
    createdStations: created,
    ambiguous: [...ambiguous].map(([key, stations]) => ({ key, stations })),
    matched: aliases.length - created.length,
  };
}

/**
 * The key of a station in its source. A bare number keeps the network of its first observation even after a
 * rebranding: if exactly one known alias has that number and no other station of this sweep claims it, it is that
 * alias.
 */
function createKeyOf(
  known: readonly Alias[],
  found: readonly StationDescription[],
): (station: StationDescription) => string {
  const exact = new Set(known.map(({ key }) => key));
  const byNumber = Map.groupBy(known, ({ key }) => key.slice(key.indexOf(':') + 1));
  const claims = Map.groupBy(found, ({ sourceId }) => sourceId);
  return ({ sourceId, network }) => {
    const key = aliasKey(sourceId, network);
    if (key === sourceId || exact.has(key)) return key;
    const [same, ...more] = byNumber.get(sourceId) ?? [];
    return same && more.length === 0 && claims.get(sourceId)?.length === 1 ? same.key : key;
  };
}

/** Links newcomers that place did not link, by network and unit, if the source knows its stations' places better. */
function linkDoubtfulNewcomers(
  { doubtfulGazetteer, stations, knownAliases }: IdentifyInput,
  newcomers: readonly (StationDescription & Newcomer)[],
  byPlace: ReadonlyMap<string, string>,
  ambiguous: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, string> {
  if (doubtfulGazetteer === undefined) return new Map();
  const named = new Set([...knownAliases.map(({ station }) => station), ...byPlace.values()]);
  return linkDoubtful(
    newcomers.filter(({ key }) => !byPlace.has(key) && !ambiguous.has(key)),
    stations.filter(({ id }) => !named.has(id)),
    doubtfulGazetteer,
  );
}

function unlinkedStations(stations: readonly Station[], known: readonly Alias[]): LinkCandidate[] {
  const named = new Set(known.map(({ station }) => station));
  return stations.filter(({ id }) => !named.has(id)).map((station) => ({ ...station, station: station.id }));
}

function asCandidate({ station, network, lat, lng }: Alias): LinkCandidate {
  return { station, network, lat, lng };
}

function createIds(
  source: string,
  newcomers: readonly Newcomer[],
  linked: ReadonlyMap<string, string>,
  ambiguous: ReadonlyMap<string, unknown>,
  stations: readonly Station[],
): { created: string[]; ids: Map<string, string> } {
  const taken = new Set(stations.map(({ id }) => id));
  const ids = new Map<string, string>();
  for (const { key } of newcomers) {
    if (linked.has(key) || ambiguous.has(key)) continue;
    const id = stationId(source, key, (candidate) => taken.has(candidate));
    taken.add(id);
    ids.set(key, id);
  }
  return { created: [...ids.values()], ids };
}

function asAlias(source: string, key: string, station: string, facts: StationDescription, seenAt: number): Alias {
  const { sourceId: _, ...described } = facts;
  return { ...described, source, key, station, locality: facts.locality ?? null, manual: null, seenAt };
}

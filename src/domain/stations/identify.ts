/** Finds for every station of a sweep the physical station it is: by name first, then by place. Rule 28. */

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
  /** Every station of the sweep that could be told, under its key. */
  readonly aliases: readonly Alias[];
  /** Source id and network → station id; what is ambiguous is absent. */
  readonly stationOf: ReadonlyMap<string, string>;
  readonly createdStations: readonly string[];
  readonly ambiguous: readonly { key: string; stations: readonly string[] }[];
  readonly matched: number;
};

export type IdentifyInput = {
  readonly source: string;
  /** Whether the source's ids are names of its own making, unique whatever the network. */
  readonly hasUniqueKeys: boolean;
  readonly sweptStations: readonly StationDescription[];
  /** Names of this source known before. */
  readonly knownAliases: readonly Alias[];
  /** All stations known before, of whatever source. */
  readonly stations: readonly Station[];
  /** For a source that settles doubtful coordinates: what tells them. */
  readonly doubtfulGazetteer?: Gazetteer;
  /** Whether the sweep read the whole area an alias was last seen in, so that its absence means something. */
  readonly wasRead: (alias: Alias) => boolean;
  readonly now: number;
};

/** Names the stations of one sweep. */
export function identifyStations(input: IdentifyInput): IdentifiedStations {
  const { source, sweptStations, knownAliases, now } = input;
  const names = new Map(knownAliases.map((alias) => [alias.key, alias.station]));
  const keyOf = input.hasUniqueKeys
    ? ({ sourceId }: StationDescription) => sourceId
    : createKeyOf(knownAliases, sweptStations);
  const present = new Map(sweptStations.map((station) => [keyOf(station), station]));
  const newcomers = [...present].filter(([key]) => !names.has(key)).map(([key, station]) => ({ ...station, key }));
  const here = new Set([...present.keys()].map((key) => names.get(key)));
  // A station that goes by a newer name in this very sweep is not gone, though its older name is.
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
 * The key of a station in its source. A bare number keeps the network of first sight even when the station was
 * rebranded: where just one known name has that number, and nobody else in this sweep claims it, it is that one.
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

/** Those that no place links, by network and unit, where the source knows better where its stations are. */
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

/** Links every station of a sweep to a physical station: by the source's id first, then by place. Rule 28. */

import type { Gazetteer } from '../places/gazetteer.ts';
import type { StationDescription } from '../reports/observation.ts';
import { linkByAdministrativeUnit } from './link-by-administrative-unit.ts';
import {
  type LinkCandidate,
  linkAcrossSources,
  linkToVanished,
  type StationLinks,
  sourceKey,
  stationId,
  type UnlinkedStation,
} from './link-by-place.ts';
import type { SourceStation } from './source-station.ts';
import type { Station } from './station.ts';

export type LinkedStations = {
  /** Every linked station of the sweep, as the source describes it. */
  readonly sourceStations: readonly SourceStation[];
  /** Source id and network → station id; without ambiguous stations. */
  readonly stationOf: ReadonlyMap<string, string>;
  readonly createdStations: readonly string[];
  readonly ambiguous: readonly { key: string; stations: readonly string[] }[];
  /** Stations of the sweep that were known before, from any source. */
  readonly knownCount: number;
};

export type LinkInput = {
  readonly source: string;
  /** Whether the source's ids are unique across networks. */
  readonly hasUniqueKeys: boolean;
  readonly sweptStations: readonly StationDescription[];
  /** What this source said about its stations before. */
  readonly knownSourceStations: readonly SourceStation[];
  /** All stations known before, from any source. */
  readonly stations: readonly Station[];
  /** Only for a source with exact coordinates: makes it link stations with suspect ones by administrative unit. */
  readonly unitGazetteer?: Gazetteer;
  /** Whether the sweep read the whole area in which the station was last seen: only then its absence means anything. */
  readonly wasRead: (known: SourceStation) => boolean;
  readonly now: number;
};

/** Links the stations of one sweep to ours, and creates those that are new. */
export function linkStations(input: LinkInput): LinkedStations {
  const { source, sweptStations, knownSourceStations, now } = input;
  const stationByKey = new Map(knownSourceStations.map(({ key, station }) => [key, station]));
  const keyOf = input.hasUniqueKeys
    ? ({ sourceId }: StationDescription) => sourceId
    : createKeyOf(knownSourceStations, sweptStations);
  const present = new Map(sweptStations.map((station) => [keyOf(station), station]));
  const unlinked = [...present]
    .filter(([key]) => !stationByKey.has(key))
    .map(([key, station]) => ({ ...station, key }));
  const { linked, ambiguous } = linkUnlinked(input, unlinked, vanishedStations(input, present, stationByKey));
  const { created, ids } = createIds(source, unlinked, linked, ambiguous, input.stations);
  const stationOf = (key: string) => stationByKey.get(key) ?? linked.get(key) ?? ids.get(key);
  const withIds = [...present].flatMap(([key, station]) => {
    const id = stationOf(key);
    return id === undefined ? [] : [{ key, station, id }];
  });
  return {
    sourceStations: withIds.map(({ key, station, id }) => asSourceStation(source, key, id, station, now)),
    stationOf: new Map(withIds.map(({ station, id }) => [`${station.sourceId} ${station.network}`, id])),
    createdStations: created,
    ambiguous: [...ambiguous].map(([key, stations]) => ({ key, stations })),
    knownCount: withIds.length - created.length,
  };
}

/** The known stations of the source that the sweep lacks, though it read their whole area. */
function vanishedStations(
  { knownSourceStations, wasRead }: LinkInput,
  present: ReadonlyMap<string, unknown>,
  stationByKey: ReadonlyMap<string, string>,
): SourceStation[] {
  // A station may have several keys of this source: it has not vanished if the sweep has any of them.
  const presentStations = new Set([...present.keys()].map((key) => stationByKey.get(key)));
  return knownSourceStations.filter(
    (known) => !present.has(known.key) && !presentStations.has(known.station) && wasRead(known),
  );
}

/** Links stations with a new key by place: to vanished stations of the source, then to those of other sources. */
function linkUnlinked(
  input: LinkInput,
  unlinked: readonly (StationDescription & UnlinkedStation)[],
  vanished: readonly SourceStation[],
): StationLinks {
  const toVanished = linkToVanished(unlinked, vanished.map(asCandidate));
  const acrossSources = linkAcrossSources(
    unlinked.filter(({ key }) => !toVanished.linked.has(key) && !toVanished.ambiguous.has(key)),
    withoutSourceStation(input).map((station) => ({ ...station, station: station.id })),
  );
  const linked = new Map([...toVanished.linked, ...acrossSources.linked]);
  const ambiguous = new Map([...toVanished.ambiguous, ...acrossSources.ambiguous]);
  return { linked: new Map([...linked, ...linkByUnit(input, unlinked, linked, ambiguous)]), ambiguous };
}

/**
 * The key of a station in its source. A bare number keeps the network of its first observation even after a
 * rebranding: if exactly one known station has that number, and one station of this sweep, they are the same.
 */
function createKeyOf(
  known: readonly SourceStation[],
  swept: readonly StationDescription[],
): (station: StationDescription) => string {
  const knownKeys = new Set(known.map(({ key }) => key));
  const byNumber = Map.groupBy(known, ({ key }) => key.slice(key.indexOf(':') + 1));
  const sweptWithId = Map.groupBy(swept, ({ sourceId }) => sourceId);
  return ({ sourceId, network }) => {
    const key = sourceKey(sourceId, network);
    if (key === sourceId || knownKeys.has(key)) return key;
    const [same, ...more] = byNumber.get(sourceId) ?? [];
    return same && more.length === 0 && sweptWithId.get(sourceId)?.length === 1 ? same.key : key;
  };
}

/** Links the stations that place did not link by administrative unit, for a source that has exact coordinates. */
function linkByUnit(
  input: LinkInput,
  unlinked: readonly (StationDescription & UnlinkedStation)[],
  linkedByPlace: ReadonlyMap<string, string>,
  ambiguous: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, string> {
  if (input.unitGazetteer === undefined) return new Map();
  const linkedStations = new Set(linkedByPlace.values());
  return linkByAdministrativeUnit(
    unlinked.filter(({ key }) => !linkedByPlace.has(key) && !ambiguous.has(key)),
    withoutSourceStation(input).filter(({ id }) => !linkedStations.has(id)),
    input.unitGazetteer,
  );
}

/** The known stations that this source has no key for. */
function withoutSourceStation({ stations, knownSourceStations }: LinkInput): Station[] {
  const ofSource = new Set(knownSourceStations.map(({ station }) => station));
  return stations.filter(({ id }) => !ofSource.has(id));
}

function asCandidate({ station, network, lat, lng }: SourceStation): LinkCandidate {
  return { station, network, lat, lng };
}

function createIds(
  source: string,
  unlinked: readonly UnlinkedStation[],
  linked: ReadonlyMap<string, string>,
  ambiguous: ReadonlyMap<string, unknown>,
  stations: readonly Station[],
): { created: string[]; ids: Map<string, string> } {
  const taken = new Set(stations.map(({ id }) => id));
  const ids = new Map<string, string>();
  for (const { key } of unlinked) {
    if (linked.has(key) || ambiguous.has(key)) continue;
    const id = stationId(source, key, (candidate) => taken.has(candidate));
    taken.add(id);
    ids.set(key, id);
  }
  return { created: [...ids.values()], ids };
}

function asSourceStation(
  source: string,
  key: string,
  station: string,
  facts: StationDescription,
  seenAt: number,
): SourceStation {
  const { sourceId: _, ...described } = facts;
  return { ...described, source, key, station, locality: facts.locality ?? null, manual: null, seenAt };
}

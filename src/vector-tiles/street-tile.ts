/** What a map draws of one vector tile, sorted by how it looks. Coordinates are 1/4096 of the tile. */
import { decodeTile } from './decode-tile.ts';
import {
  AREA_KINDS,
  type AreaKind,
  isDrawn,
  kindOf,
  LINE_KINDS,
  type LineKind,
  namedKind,
  type RoadKind,
  type RoadNames,
  roadNames,
} from './street-features.ts';

/** x and y in turn. */
export type TileLine = Int16Array;

export type NamedRoad = RoadNames & { readonly kind: RoadKind; readonly line: TileLine };

export type StreetTile = {
  /** Rings, not closed. */
  readonly areas: Readonly<Record<AreaKind, readonly TileLine[]>>;
  readonly lines: Readonly<Record<LineKind, readonly TileLine[]>>;
  readonly named: readonly NamedRoad[];
};

/** Points of one line or ring; a tile of a real town has none with a tenth of that. */
const MAX_POINTS = 20_000;
/** Of roads with a name or number; a dense tile of a capital has about 1,000. */
const MAX_NAMED = 4_000;

/** Decodes a tile; each `yield` ends a slice of work. Throws `DamagedTile`. */
export function* streetTile(bytes: Uint8Array): Generator<void, StreetTile, void> {
  const areas = emptyLists(AREA_KINDS);
  const lines = emptyLists(LINE_KINDS);
  const named: NamedRoad[] = [];
  yield* decodeTile(bytes, isDrawn, (layer, feature) => {
    const kind = kindOf(layer, feature);
    const names = roadNames(layer, feature);
    const nameKind = names === null || named.length >= MAX_NAMED ? null : namedKind(layer, feature);
    if (kind === null && nameKind === null) return;
    const least = feature.type === 'polygon' ? 6 : 4;
    const parts = feature.parts().filter(({ length }) => length >= least && length <= 2 * MAX_POINTS);
    if (kind !== null) (feature.type === 'polygon' ? areas[kind as AreaKind] : lines[kind as LineKind]).push(...parts);
    if (names !== null && nameKind !== null)
      named.push(...parts.slice(0, MAX_NAMED - named.length).map((line) => ({ ...names, kind: nameKind, line })));
  });
  return { areas, lines, named };
}

function emptyLists<K extends string>(kinds: readonly K[]): Record<K, TileLine[]> {
  return Object.fromEntries(kinds.map((kind): [K, TileLine[]] => [kind, []])) as Record<K, TileLine[]>;
}

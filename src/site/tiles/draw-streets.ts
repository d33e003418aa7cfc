/** Draws what a tile of a file has below the names: land, water, buildings, streets. */
import { thinLine } from '../../algorithms/thin-line.ts';
import { EXTENT } from '../../vector-tiles/decode-tile.ts';
import { AREA_KINDS, ROAD_KINDS, type RoadKind } from '../../vector-tiles/street-features.ts';
import type { StreetTile, TileLine } from '../../vector-tiles/street-tile.ts';
import type { FileTileAddress } from '../../vector-tiles/street-tiles.ts';
import { type Html, html } from '../html/html-template.ts';
import { areaPath, boundingBox, boxesMeet, linePath, type MapLine } from '../map/lines.ts';
import { UNITS_PER_PIXEL } from '../map/projection.ts';
import { TILE_UNITS, type TileAddress } from '../map/tile.ts';
import { AREA_LOOKS, ROAD_LOOKS, roadWidth, THIN_LOOKS } from './street-style.ts';

/** The square of a file's tile that a tile of the map shows, in 1/4096 of the file's tile. */
export type TilePart = { readonly left: number; readonly top: number; readonly width: number };

const ORIGIN = { left: 0, top: 0, right: TILE_UNITS, bottom: TILE_UNITS };
const MARGIN = 24;
const WINDOW = { left: -MARGIN, top: -MARGIN, right: TILE_UNITS + MARGIN, bottom: TILE_UNITS + MARGIN };
const EDGES = 1.5 * UNITS_PER_PIXEL;
/** A left-out point lies at most this far from the line, units. */
const TOLERANCE = 0.4 * UNITS_PER_PIXEL;
/** Longer lines are thinned in pieces, which bounds the time that a crooked one takes. */
const PIECE_POINTS = 64;
/** The points that are drawn in one slice. */
export const POINTS_OF_A_SLICE = 5_000;
/** Path data of a tile, of which a dense town has about half; what has no room any more is left out. */
const MAX_PATH_LENGTH = 500_000;
/** Areas that are smaller in both directions are not seen, units. */
const SMALLEST_AREA = 4;

/** The tile of the file that has what a tile of the map shows, and which part of it that is. */
export function fileTileOf({ z, x, y }: TileAddress, maxZoom: number): { address: FileTileAddress; part: TilePart } {
  const above = Math.max(0, z - maxZoom);
  const count = 2 ** above;
  const address = { z: z - above, x: Math.floor(x / count), y: Math.floor(y / count) };
  const width = EXTENT / count;
  return { address, part: { left: (x % count) * width, top: (y % count) * width, width } };
}

/** The line in units from the corner of the map's tile, without points that make no visible difference. */
export function onMap(line: TileLine, { left, top, width }: TilePart): MapLine {
  const scale = TILE_UNITS / width;
  const points = new Float64Array(line.length);
  for (let at = 0; at < line.length; at += 2) {
    points[at] = ((line[at] as number) - left) * scale;
    points[at + 1] = ((line[at + 1] as number) - top) * scale;
  }
  const thinned: number[] = [];
  for (let from = 0; from === 0 || from + 2 < points.length; from += 2 * (PIECE_POINTS - 1)) {
    const piece = thinLine(points.subarray(from, from + 2 * PIECE_POINTS), TOLERANCE).map(Math.round);
    thinned.push(...(from === 0 ? piece : piece.slice(2)));
  }
  return { points: thinned, box: boundingBox(thinned) };
}

/** The drawing of one tile; each `yield` ends a slice of work. */
export function* drawStreets(tile: StreetTile, part: TilePart, zoom: number): Generator<void, Html, void> {
  const drawn: (Html | null)[] = [];
  let room = MAX_PATH_LENGTH;
  const path = (name: string, data: string, width?: number): Html | null => {
    if (data === '' || data.length > room) return null;
    room -= data.length;
    return html`<path class="${name}"${width === undefined ? null : html` stroke-width="${width}"`} d="${data}"/>`;
  };
  for (const kind of AREA_KINDS) {
    const { name, fromZoom } = AREA_LOOKS[kind];
    if (zoom < fromZoom) continue;
    const rings = (yield* linesInWindow(tile.areas[kind], part)).filter(({ box }) => isVisible(box));
    drawn.push(path(name, yield* pathInSlices(rings, (some) => areaPath(some, WINDOW, ORIGIN))));
    yield;
  }
  for (const kind of ['river', 'rail', 'border'] as const) {
    const { name, fromZoom, width } = THIN_LOOKS[kind];
    if (zoom < fromZoom) continue;
    drawn.push(path(name, yield* pathOfLines(tile.lines[kind], part), width));
  }
  const roads = new Map<RoadKind, string>();
  for (const kind of ROAD_KINDS) {
    if (zoom < ROAD_LOOKS[kind].fromZoom) continue;
    roads.set(kind, yield* pathOfLines(tile.lines[kind], part));
    yield;
  }
  // All edges below all roads, so that roads meet without a seam.
  for (const [kind, data] of roads) {
    const { edge } = ROAD_LOOKS[kind];
    if (edge !== '') drawn.push(path(edge, data, roadWidth(kind, zoom) + EDGES));
  }
  for (const [kind, data] of roads) drawn.push(path(ROAD_LOOKS[kind].name, data, roadWidth(kind, zoom)));
  return html`${drawn}`;
}

function* pathOfLines(lines: readonly TileLine[], part: TilePart): Generator<void, string, void> {
  return yield* pathInSlices(yield* linesInWindow(lines, part), (some) => linePath(some, WINDOW, ORIGIN));
}

/** The path of all lines: each begins anew, so that it is made of the paths of some at a time. */
function* pathInSlices(
  lines: readonly MapLine[],
  pathOf: (some: readonly MapLine[]) => string,
): Generator<void, string, void> {
  let path = '';
  let from = 0;
  let points = 0;
  for (const [at, line] of lines.entries()) {
    points += line.points.length / 2;
    if (points < POINTS_OF_A_SLICE) continue;
    path += pathOf(lines.slice(from, at + 1));
    from = at + 1;
    points = 0;
    yield;
  }
  return path + pathOf(lines.slice(from));
}

function* linesInWindow(lines: readonly TileLine[], part: TilePart): Generator<void, MapLine[], void> {
  const near: MapLine[] = [];
  let points = 0;
  for (const line of lines) {
    if (!isNear(line, part)) continue;
    near.push(onMap(line, part));
    points += line.length / 2;
    if (points < POINTS_OF_A_SLICE) continue;
    points = 0;
    yield;
  }
  return near;
}

/** Whether the part of the tile, with some room around it, may show some of the line. */
export function isNear(line: TileLine, { left, top, width }: TilePart): boolean {
  const margin = (MARGIN * width) / TILE_UNITS;
  const around = { left: left - margin, top: top - margin, right: left + width + margin, bottom: top + width + margin };
  return boxesMeet(boundingBox(line), around);
}

function isVisible({ left, top, right, bottom }: MapLine['box']): boolean {
  return right - left >= SMALLEST_AREA || bottom - top >= SMALLEST_AREA;
}

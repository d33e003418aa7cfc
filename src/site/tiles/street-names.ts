/** Names of streets along their lines, and the numbers of roads, where there is room for them within one tile. */
import { firstIndexThat } from '../../algorithms/binary-search.ts';
import type { Box } from '../../algorithms/clip-ring.ts';
import type { RoadKind } from '../../vector-tiles/street-features.ts';
import type { NamedRoad } from '../../vector-tiles/street-tile.ts';
import { type Html, html } from '../html/html-template.ts';
import { LabelBoxes } from '../map/label-boxes.ts';
import { type LabelCandidate, labelWidth, type PlacedLabel, placeLabels } from '../map/map-labels.ts';
import { TILE_UNITS } from '../map/tile.ts';
import { isNear, onMap, POINTS_OF_A_SLICE, type TilePart } from './draw-streets.ts';
import { ROAD_LOOKS } from './street-style.ts';

/** A name that follows its street: its middle, and its direction in degrees. */
type StreetName = { readonly text: string; readonly x: number; readonly y: number; readonly degrees: number };

const TILE: Box = { left: 0, top: 0, right: TILE_UNITS, bottom: TILE_UNITS };
/** Height of the letters, and of the room that a name takes, units. */
const [LETTERS, ROOM] = [20, 26];
/** A street bends at most this far from the straight line below its name, units. */
const MAX_BEND = 5;
/** Between two names of one street, and between two numbers of one road, units. */
const [NAMES_APART, NUMBERS_APART] = [640, 440];
/** Between the places along a street that may have its name, units. */
const STEP = 60;
/** What one tile tries and shows at most. */
const [MAX_TRIED, MAX_NAMES, MAX_NUMBERS] = [600, 80, 60];
/** The roads whose names are placed in one slice. */
const ROADS_OF_A_SLICE = 20;
/** Places tried along one street. */
const MAX_PLACES = 40;
/** The more important first. */
const ORDER: readonly RoadKind[] = ['motorway', 'main', 'secondary', 'street', 'service', 'path'];
const NUMBERED: ReadonlySet<RoadKind> = new Set(['motorway', 'main', 'secondary']);

type Road = {
  readonly road: NamedRoad;
  readonly points: readonly number[];
  /** How far along the line each of its points is, units. */
  readonly along: readonly number[];
  readonly length: number;
};

/**
 * The names and numbers of a tile; they keep clear of `obstacles`, and of the edge of the tile. Each `yield` ends a
 * slice of work.
 */
export function* streetLabels(
  named: readonly NamedRoad[],
  { part, zoom, obstacles }: { readonly part: TilePart; readonly zoom: number; readonly obstacles: readonly Box[] },
): Generator<void, { names: StreetName[]; numbers: PlacedLabel[] }, void> {
  const shown: Road[] = [];
  let pointsInSlice = 0;
  for (const road of named) {
    if (zoom < ROAD_LOOKS[road.kind].fromZoom || !isNear(road.line, part)) continue;
    const { points } = onMap(road.line, part);
    const along = distancesAlong(points);
    shown.push({ road, points, along, length: along.at(-1) ?? 0 });
    pointsInSlice += road.line.length / 2;
    if (pointsInSlice < POINTS_OF_A_SLICE) continue;
    pointsInSlice = 0;
    yield;
  }
  const roads = shown
    .toSorted((a, b) => ORDER.indexOf(a.road.kind) - ORDER.indexOf(b.road.kind) || b.length - a.length)
    .slice(0, MAX_TRIED);
  yield;
  const numbers = placeLabels(roads.flatMap(numberOf), { obstacles, within: TILE }).slice(0, MAX_NUMBERS);
  const taken = new LabelBoxes();
  for (const box of [...obstacles, ...numbers.map(({ box }) => box)]) taken.take(box);
  const names: StreetName[] = [];
  for (const [at, road] of roads.entries()) {
    if (at % ROADS_OF_A_SLICE === 0) yield;
    if (names.length >= MAX_NAMES) break;
    if (road.road.name === '' || zoom < ROAD_LOOKS[road.road.kind].namedFrom) continue;
    const name = placeAlong(road, names, taken);
    if (name !== null) names.push(name);
  }
  return { names, numbers };
}

/** The names as SVG. */
export function drawStreetNames(names: readonly StreetName[]): Html | null {
  if (names.length === 0) return null;
  const texts = names.map(({ text, x, y, degrees }) => {
    const turned = degrees === 0 ? null : html` transform="rotate(${degrees} ${x} ${y})"`;
    return html`<text x="${x}" y="${Math.round(y + 0.35 * LETTERS)}"${turned}>${text}</text>`;
  });
  return html`<g class="m-names m-streets">${texts}</g>`;
}

/** The number of a road in the middle of the line; the tile chooses among its lines by `apart`. */
function numberOf(line: Road): LabelCandidate[] {
  const { kind, ref } = line.road;
  const { length } = line;
  if (ref === '' || !NUMBERED.has(kind) || length < NUMBERS_APART / 4) return [];
  const style = kind === 'motorway' ? 'motorway' : 'road';
  const steps = Math.max(1, Math.round(length / NUMBERS_APART));
  return Array.from({ length: Math.min(steps, 8) }, (_, at) => {
    const { x, y } = pointAt(line, ((at + 0.5) * length) / steps);
    return { text: ref, style, x: Math.round(x), y: Math.round(y), apart: NUMBERS_APART } as const;
  });
}

/** At the first place from the middle of the street outwards that is straight enough and free. */
function placeAlong(line: Road, names: readonly StreetName[], taken: LabelBoxes): StreetName | null {
  const { name } = line.road;
  const { length } = line;
  const width = labelWidth(name, 'street');
  const tries = Math.min(MAX_PLACES, Math.floor((length - width) / STEP));
  for (let at = 0; at <= tries; at += 1) {
    const middle = length / 2 + (at % 2 === 0 ? 1 : -1) * Math.ceil(at / 2) * STEP;
    if (middle < width / 2 || middle > length - width / 2) continue;
    const place = straightPlace(line, middle - width / 2, middle + width / 2);
    if (place === null) continue;
    const isRepeated = names.some(
      ({ text, x, y }) => text === name && Math.hypot(x - place.x, y - place.y) < NAMES_APART,
    );
    if (isRepeated) continue;
    const boxes = boxesAlong(place, width);
    if (!boxes.every((box) => isInTile(box) && taken.isFree(box))) continue;
    // They overlap each other: each is noted, whether or not its neighbour is.
    for (const box of boxes) taken.add(box);
    return { text: name, x: Math.round(place.x), y: Math.round(place.y), degrees: readable(place.angle) };
  }
  return null;
}

/** The middle and direction of a stretch of the line; `null` = it bends too much there. */
function straightPlace(line: Road, from: number, to: number) {
  const [start, end] = [pointAt(line, from), pointAt(line, to)];
  const [dx, dy] = [end.x - start.x, end.y - start.y];
  const chord = Math.hypot(dx, dy);
  if (chord < 0.97 * (to - from)) return null;
  for (let share = 1; share < 8; share += 1) {
    const { x, y } = pointAt(line, from + (share * (to - from)) / 8);
    if (Math.abs((x - start.x) * dy - (y - start.y) * dx) > MAX_BEND * chord) return null;
  }
  return { x: start.x + dx / 2, y: start.y + dy / 2, angle: Math.atan2(dy, dx) };
}

/** Upright squares that cover a name which need not be level. */
function boxesAlong({ x, y, angle }: { x: number; y: number; angle: number }, width: number): Box[] {
  const count = Math.ceil(width / ROOM);
  return Array.from({ length: count }, (_, at) => {
    const along = ((at + 0.5) / count - 0.5) * width;
    const [middleX, middleY] = [x + along * Math.cos(angle), y + along * Math.sin(angle)];
    const half = ROOM / 2;
    return { left: middleX - half, right: middleX + half, top: middleY - half, bottom: middleY + half };
  });
}

function isInTile({ left, top, right, bottom }: Box): boolean {
  return left >= 0 && top >= 0 && right <= TILE_UNITS && bottom <= TILE_UNITS;
}

/** Whole degrees from -90 to 90, so that no name is upside down. */
function readable(angle: number): number {
  const degrees = Math.round((angle * 180) / Math.PI);
  if (degrees > 90) return degrees - 180;
  return degrees <= -90 ? degrees + 180 : degrees;
}

function distancesAlong(points: readonly number[]): number[] {
  const along = [0];
  for (let at = 2; at < points.length; at += 2) {
    const [dx, dy] = [
      (points[at] as number) - (points[at - 2] as number),
      (points[at + 1] as number) - (points[at - 1] as number),
    ];
    along.push((along.at(-1) as number) + Math.hypot(dx, dy));
  }
  return along;
}

/** The point that far along the line, units. */
function pointAt({ points, along }: Pick<Road, 'points' | 'along'>, distance: number): { x: number; y: number } {
  const next = Math.min(
    Math.max(
      1,
      firstIndexThat((at) => (along[at] as number) >= distance, 0, along.length),
    ),
    along.length - 1,
  );
  const [before, after] = [along[next - 1] as number, along[next] as number];
  const share = after === before ? 0 : Math.min(1, (distance - before) / (after - before));
  const [x, y] = [points[2 * next - 2] as number, points[2 * next - 1] as number];
  return {
    x: x + share * ((points[2 * next] as number) - x),
    y: y + share * ((points[2 * next + 1] as number) - y),
  };
}

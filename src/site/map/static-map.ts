/** Maps inside pages: the base map and the prices on it, without code in the browser. */
import type { Box } from '../../algorithms/clip-ring.ts';
import type { Language } from '../../domain/localized-text.ts';
import type { Point } from '../../domain/point.ts';
import type { Polyline } from '../../domain/roads/line.ts';
import { cheapestFirst, type PlacedMark, type PricedMark, type PriceTone } from '../browser/place-pills.ts';
import { type Html, html } from '../html/html-template.ts';
import { layersAround } from './area-layers.ts';
import { drawMap } from './draw-map.ts';
import { drawNames } from './draw-names.ts';
import { dotsPath, lineAtZoom, linePath, worldLine } from './lines.ts';
import { type PlacedLabel, placeLabels } from './map-labels.ts';
import { MAX_ZOOM, toUnits, UNITS_PER_PIXEL, type Viewport } from './projection.ts';
import { FIRST_STREET_ZOOM } from './street-zooms.ts';
import { TILE_UNITS, tilesIn } from './tile.ts';

/** A station on a map. */
export type MapMark = PricedMark &
  Point & {
    /** The price as written on the map, e.g. `9,59`. */
    readonly text: string;
    /** The same for those who do not see the map, with the station: `Rompetrol, Calea Turzii 12: 9,59 lei`. */
    readonly label: string;
    /** The page of the station, if the mark leads there. */
    readonly href?: string;
  };

/** A place to be found on a map. */
export type NamedPoint = Point & { readonly label: string };

/** A rectangle on the earth, degrees. */
export type Bounds = { readonly west: number; readonly south: number; readonly east: number; readonly north: number };

export type StaticMapOptions = {
  /** px. */
  readonly width: number;
  readonly height: number;
  readonly language: Language;
  /** What the map shows, for those who do not see it. */
  readonly label: string;
  readonly marks: readonly MapMark[];
  /** Where the visitor is. */
  readonly position?: NamedPoint;
  /** A road to follow, drawn below the prices. */
  readonly way?: Polyline;
  /** The largest zoom of our tiles, which then have streets; without it, or with `null`, they have none. */
  readonly streetZoom?: number | null;
  /** Also the class of the element, e.g. for a map that only narrow screens show. */
  readonly className?: string;
} & ({ readonly bounds: Bounds } | { readonly centre: Point; readonly zoom: number });

/** Between the zooms of maps in pages: a map that must show all of a county fits its frame better than a tile. */
const ZOOM_STEP = 0.5;
/** At which the whole country fits in a narrow frame. */
const SMALLEST_ZOOM = 5.5;
/** A single station is shown among the streets around it. */
const LARGEST_WITH_STREETS = 15;
/** Left free around `bounds`, px: half of a price fits in. */
const PADDING = { x: 30, y: 20 };
/** Room of a price that no name may take, and its shape, units. */
const PILL = { width: 92, height: 40, radius: 20, baseline: 9 };

/** The map as one SVG element. Its names keep clear of the prices. */
export function staticMap(options: StaticMapOptions): Html {
  const { width, height, language, label, marks, way = [], className = '' } = options;
  const view = viewOf(options);
  const inView = (point: Point) => {
    const { x, y } = toUnits(point, view.zoom);
    return { x: (x - view.left) / UNITS_PER_PIXEL, y: (y - view.top) / UNITS_PER_PIXEL };
  };
  const { pills, dots } = cheapestFirst(marks, inView, { width, height });
  const obstacles = pills.map((pill) => pillBox(pill, view));
  const [below, names] = showsStreets(options)
    ? [streetTiles(view), []]
    : [drawMap(view, way.length > 0 ? 'sketch' : 'all'), placedNames(view, language, obstacles)];
  const [unitsWide, unitsHigh] = [width * UNITS_PER_PIXEL, height * UNITS_PER_PIXEL];
  return html`<svg class="${`map ${className}`.trim()}" width="${width}" height="${height}" viewBox="0 0 ${unitsWide} ${unitsHigh}" role="group" aria-label="${label}"><g aria-hidden="true"><rect class="m-land" width="${unitsWide}" height="${unitsHigh}"/>${below}${drawWay(way, view)}${drawDots(dots)}${drawNames(names, view)}</g>${options.position && drawPosition(options.position, inView(options.position))}${pills.map(drawPill)}</svg>`;
}

/** A ring, which no mark of a station is. */
function drawPosition({ label }: NamedPoint, { x, y }: { readonly x: number; readonly y: number }): Html {
  const circle = html`cx="${units(x)}" cy="${units(y)}" r="14"`;
  return html`<g role="img" aria-label="${label}"><circle class="m-way-edge" ${circle} fill="#fff"/><circle class="m-way" ${circle} fill="none"/></g>`;
}

/** Whether the map consists of tiles with streets: from the first zoom on that has them, where there are any. */
export function showsStreets(options: StaticMapOptions): boolean {
  return (options.streetZoom ?? null) !== null && viewOf(options).zoom >= FIRST_STREET_ZOOM;
}

/** Pictures of the tiles, with all names: drawn once, and kept by browsers for all maps. */
function streetTiles(view: Viewport): Html[] {
  const tiles = tilesIn(view);
  return tiles.map(
    ({ z, x, y }) =>
      html`<image href="/harta/${z}/${x}/${y}.svg" x="${x * TILE_UNITS - view.left}" y="${y * TILE_UNITS - view.top}" width="${TILE_UNITS}" height="${TILE_UNITS}"/>`,
  );
}

function placedNames(view: Viewport, language: Language, obstacles: readonly Box[]): PlacedLabel[] {
  return placeLabels(layersAround(view, 0).names.within(view).candidates(language), { obstacles, within: view });
}

/** The smallest rectangle around points; `undefined` = there are none. */
export function boundsOf(points: readonly Point[]): Bounds | undefined {
  if (points.length === 0) return undefined;
  const [lats, lngs] = [points.map(({ lat }) => lat), points.map(({ lng }) => lng)];
  return { west: Math.min(...lngs), south: Math.min(...lats), east: Math.max(...lngs), north: Math.max(...lats) };
}

function viewOf(options: StaticMapOptions): Viewport {
  const { width, height } = options;
  const { zoom, x, y } = 'bounds' in options ? fitted(options.bounds, options) : centred(options);
  const left = Math.round(x - (width * UNITS_PER_PIXEL) / 2);
  const top = Math.round(y - (height * UNITS_PER_PIXEL) / 2);
  return { zoom, left, top, right: left + width * UNITS_PER_PIXEL, bottom: top + height * UNITS_PER_PIXEL };
}

function centred({ centre, zoom, streetZoom = null }: StaticMapOptions & { centre: Point; zoom: number }) {
  const wanted = Math.min(largestZoom(streetZoom), Math.max(SMALLEST_ZOOM, zoom));
  const possible = possibleZoom(Math.round(wanted / ZOOM_STEP) * ZOOM_STEP, streetZoom);
  return { zoom: possible, ...toUnits(centre, possible) };
}

/** The largest zoom at which the bounds and their padding fit in. */
function fitted(bounds: Bounds, { width, height, streetZoom = null }: StaticMapOptions) {
  for (let zoom = largestZoom(streetZoom); ; zoom -= ZOOM_STEP) {
    const northWest = toUnits({ lat: bounds.north, lng: bounds.west }, zoom);
    const southEast = toUnits({ lat: bounds.south, lng: bounds.east }, zoom);
    const isWithin =
      southEast.x - northWest.x <= (width - 2 * PADDING.x) * UNITS_PER_PIXEL &&
      southEast.y - northWest.y <= (height - 2 * PADDING.y) * UNITS_PER_PIXEL;
    if ((!isWithin || zoom !== possibleZoom(zoom, streetZoom)) && zoom > SMALLEST_ZOOM) continue;
    return { zoom, x: (northWest.x + southEast.x) / 2, y: (northWest.y + southEast.y) / 2 };
  }
}

function largestZoom(streetZoom: number | null): number {
  return streetZoom === null ? MAX_ZOOM : Math.min(streetZoom, LARGEST_WITH_STREETS);
}

/** Tiles with streets are made for whole zooms. */
function possibleZoom(zoom: number, streetZoom: number | null): number {
  return streetZoom !== null && zoom >= FIRST_STREET_ZOOM ? Math.floor(zoom) : zoom;
}

/** On a lighter line, which sets it off from the roads of the map. */
function drawWay(way: Polyline, view: Viewport): Html | null {
  if (way.length < 2) return null;
  const line = lineAtZoom(worldLine(way.map(([lat, lng]) => ({ lat, lng }))), view.zoom);
  const path = linePath([line], view, view);
  return html`<path class="m-way-edge" d="${path}"/><path class="m-way" d="${path}"/>`;
}

/** On the world, as the names are. */
function pillBox({ x, y }: PlacedMark<MapMark>, view: Box): Box {
  const [middleX, middleY] = [view.left + x * UNITS_PER_PIXEL, view.top + y * UNITS_PER_PIXEL];
  return {
    left: middleX - PILL.width / 2,
    right: middleX + PILL.width / 2,
    top: middleY - PILL.height / 2,
    bottom: middleY + PILL.height / 2,
  };
}

const DOT_CLASSES: Readonly<Record<PriceTone, string>> = {
  cheap: 'm-spots m-spots-cheap',
  usual: 'm-spots',
  dear: 'm-spots m-spots-dear',
};

/** More dots than this are smaller and without edges. */
const MANY_DOTS = 100;

/** Each on a lighter one, which sets it off from the map. */
function drawDots(dots: readonly PlacedMark<MapMark>[]): Html[] {
  return (['dear', 'usual', 'cheap'] as const).flatMap((tone) => {
    const same = dots.filter((dot) => dot.tone === tone);
    if (same.length === 0) return [];
    const path = dotsPath(
      same.map(({ x, y }) => ({ x: units(x), y: units(y) })),
      { left: 0, top: 0 },
    );
    const isFew = dots.length <= MANY_DOTS;
    const edge = isFew ? html`<path class="m-spots-edge" d="${path}"/>` : null;
    return [html`${edge}<path class="${DOT_CLASSES[tone]}${isFew ? '' : ' m-spots-small'}" d="${path}"/>`];
  });
}

const PILL_CLASSES: Readonly<Record<PriceTone, string>> = {
  cheap: 'm-pill m-pill-cheap',
  usual: 'm-pill',
  dear: 'm-pill m-pill-dear',
};

function drawPill({ mark, x, y, tone }: PlacedMark<MapMark>): Html {
  const [middleX, middleY] = [units(x), units(y)];
  const pill = html`<rect x="${middleX - PILL.width / 2}" y="${middleY - PILL.height / 2}" width="${PILL.width}" height="${PILL.height}" rx="${PILL.radius}"/><text x="${middleX}" y="${middleY + PILL.baseline}">${mark.text}</text>`;
  return mark.href === undefined
    ? html`<g class="${PILL_CLASSES[tone]}" role="img" aria-label="${mark.label}">${pill}</g>`
    : html`<a class="${PILL_CLASSES[tone]}" href="${mark.href}" aria-label="${mark.label}">${pill}</a>`;
}

function units(px: number): number {
  return Math.round(px * UNITS_PER_PIXEL);
}

/** Tiles of the base map: SVG of 512 px, without prices. */
import { type Html, html } from '../html/html-template.ts';
import { layersAt } from './base-map.ts';
import { drawMap } from './draw-map.ts';
import { drawNames } from './draw-names.ts';
import { labelsIn } from './map-labels.ts';
import { TILE_STYLE } from './map-style.ts';
import { MAX_ZOOM, MIN_ZOOM, toUnits, UNITS_PER_PIXEL, type Viewport } from './projection.ts';

/** Column and row of a tile; at `z` the world is 2^z tiles wide. */
export type TileAddress = { readonly z: number; readonly x: number; readonly y: number };

export const TILE_PX = 512;
export const TILE_UNITS = TILE_PX * UNITS_PER_PIXEL;
/** A tile of 512 px shows as much as four of 256 px, by which zooms are counted: those of the next zoom. */
const ZOOM_ABOVE_Z = 1;
/** What the tiles cover, degrees. */
const COVERED = { west: 13, south: 41, east: 37, north: 51 };

/** The tile without streets as a whole SVG document; `undefined` = there is none at that address. */
export function drawTile(address: TileAddress, maxZoom: number = MAX_ZOOM): Html | undefined {
  const view = tileView(address, maxZoom);
  if (view === undefined) return undefined;
  const names = labelsIn(layersAt(view.zoom).labels, view);
  return tileDocument('m-land', html`${drawMap(view)}${drawNames(names, view)}`);
}

/** The document of a tile, with a colour below everything. */
export function tileDocument(ground: string, content: Html): Html {
  return html`<svg xmlns="http://www.w3.org/2000/svg" class="map" width="${TILE_PX}" height="${TILE_PX}" viewBox="0 0 ${TILE_UNITS} ${TILE_UNITS}">${TILE_STYLE}<rect class="${ground}" width="${TILE_UNITS}" height="${TILE_UNITS}"/>${content}</svg>
`;
}

/** The tiles that a view at a whole zoom shows, wholly or in part. */
export function tilesIn({ zoom, left, top, right, bottom }: Viewport): TileAddress[] {
  const tiles: TileAddress[] = [];
  for (let y = Math.floor(top / TILE_UNITS); y * TILE_UNITS < bottom; y += 1) {
    for (let x = Math.floor(left / TILE_UNITS); x * TILE_UNITS < right; x += 1)
      tiles.push({ z: zoom - ZOOM_ABOVE_Z, x, y });
  }
  return tiles;
}

/** What the tile at an address shows; `undefined` = there is none. */
export function tileView({ z, x, y }: TileAddress, maxZoom: number): Viewport | undefined {
  const zoom = z + ZOOM_ABOVE_Z;
  if (!Number.isInteger(zoom) || zoom < MIN_ZOOM || zoom > maxZoom) return undefined;
  const { x: west, y: north } = toUnits({ lat: COVERED.north, lng: COVERED.west }, zoom);
  const { x: east, y: south } = toUnits({ lat: COVERED.south, lng: COVERED.east }, zoom);
  const isBetween = (number: number, first: number, last: number) =>
    Number.isInteger(number) && number >= Math.floor(first / TILE_UNITS) && number <= Math.floor(last / TILE_UNITS);
  if (!isBetween(x, west, east) || !isBetween(y, north, south)) return undefined;
  const [left, top] = [x * TILE_UNITS, y * TILE_UNITS];
  return { zoom, left, top, right: left + TILE_UNITS, bottom: top + TILE_UNITS };
}

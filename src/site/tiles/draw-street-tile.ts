/** A tile of the map with streets: the places as everywhere, and everything else from the operator's file. */
import type { StreetTile } from '../../vector-tiles/street-tile.ts';
import { type Html, html } from '../html/html-template.ts';
import { layersAt } from '../map/base-map.ts';
import { drawNames } from '../map/draw-names.ts';
import { labelsIn } from '../map/map-labels.ts';
import type { Viewport } from '../map/projection.ts';
import { TILE_UNITS, tileDocument } from '../map/tile.ts';
import { drawStreets, type TilePart } from './draw-streets.ts';
import { drawStreetNames, streetLabels } from './street-names.ts';

/** Names of the built-in roads and waters: the file knows better where these are. */
const LEFT_OUT: ReadonlySet<string> = new Set(['motorway', 'road', 'water', 'country', 'county']);

/** The document of the tile; each `yield` ends a slice of work. */
export function* drawStreetTile(tile: StreetTile, part: TilePart, view: Viewport): Generator<void, Html, void> {
  const streets = yield* drawStreets(tile, part, view.zoom);
  yield;
  const places = labelsIn(layersAt(view.zoom).labels, view).filter(({ style }) => !LEFT_OUT.has(style));
  const obstacles = places.map(({ box }) => ({
    left: box.left - view.left,
    right: box.right - view.left,
    top: box.top - view.top,
    bottom: box.bottom - view.top,
  }));
  yield;
  const { names, numbers } = yield* streetLabels(tile.named, { part, zoom: view.zoom, obstacles });
  const corner = { left: 0, top: 0, right: TILE_UNITS, bottom: TILE_UNITS };
  return tileDocument(
    'm-land',
    html`${streets}${drawStreetNames(names)}${drawNames(numbers, corner)}${drawNames(places, view)}`,
  );
}

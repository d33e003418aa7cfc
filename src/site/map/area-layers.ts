/**
 * What the layers of a zoom have around a view. It is cached, so that a map looks through some hundred places and lines
 * instead of all of the country's: maps of stations in one town share it.
 */
import type { Box } from '../../algorithms/clip-ring.ts';
import { BoundedMap } from '../../concurrency/bounded-map.ts';
import { layersAt, type MapLayers } from './base-map.ts';
import { grownBox, isCovered, linesIn, type MapLine, ringsIn } from './lines.ts';
import type { Viewport } from './projection.ts';

/** Without the names as the tiles have them, which only tiles need. */
export type AreaLayers = Omit<MapLayers, 'labels'>;

/**
 * Units; an area is twice as wide and high, so that every box up to this size lies in one. The smaller ones hold views,
 * the larger ones those: at a large zoom the country has thousands of the smaller.
 */
const [SIDE, LARGE_SIDE] = [2_048, 16_384];
/** Up to 25 kB each. */
const MAX_CACHED_AREAS = 150;

const cached = new BoundedMap<AreaLayers>(MAX_CACHED_AREAS);

/** The layers that `view` may need up to `margin` units outside it. */
export function layersAround(view: Viewport, margin: number): AreaLayers {
  const box = grownBox(view, margin);
  const isLarge = Math.max(box.right - box.left, box.bottom - box.top) > SIDE;
  return isLarge ? layersAt(view.zoom) : areaWith(box, view.zoom, SIDE);
}

/** The layers of the area that the box lies in. */
function areaWith(box: Box, zoom: number, side: number): AreaLayers {
  const [column, row] = [Math.floor(box.left / side), Math.floor(box.top / side)];
  const key = `${zoom} ${side} ${column} ${row}`;
  const known = cached.get(key);
  if (known !== undefined) return known;
  const area = { left: column * side, top: row * side, right: (column + 2) * side, bottom: (row + 2) * side };
  const made = layersIn(side === SIDE ? areaWith(area, zoom, LARGE_SIDE) : layersAt(zoom), area);
  cached.set(key, made);
  return made;
}

function layersIn(layers: AreaLayers, area: Box): AreaLayers {
  const { roads } = layers;
  return {
    land: isCovered(area, layers.land) ? [ringOf(area)] : ringsIn(layers.land, area),
    window: layers.window,
    home: ringsIn(layers.home, area),
    outline: linesIn(layers.outline, area),
    foreignBorders: linesIn(layers.foreignBorders, area),
    countyBorders: linesIn(layers.countyBorders, area),
    danube: linesIn(layers.danube, area),
    roads: {
      motorway: linesIn(roads.motorway, area),
      main: linesIn(roads.main, area),
      county: linesIn(roads.county, area),
    },
    builtUp: layers.builtUp.within(area),
    directions: layers.directions,
    names: layers.names.within(area),
  };
}

function ringOf(box: Box): MapLine {
  const { left, top, right, bottom } = box;
  return { points: [left, top, right, top, right, bottom, left, bottom], box };
}

/** Where the names of our tiles stand, for the movable map, which writes its prices beside them. */
import type { NameBoxes } from '../browser/map-start.ts';
import { layersAt } from './base-map.ts';
import type { LabelStyle } from './map-labels.ts';
import { UNITS_PER_PIXEL } from './projection.ts';

/** Beyond these zooms there is room between the names of towns. */
const ZOOMS = [6, 7, 8, 9, 10];
/** Small towns are named where they are few: those of larger zooms would be too many for a page. */
const LAST_ZOOM_OF_SMALL_TOWNS = 7;
const LARGE: ReadonlySet<LabelStyle> = new Set(['city', 'town']);

let made: NameBoxes | undefined;

/** The boxes of the names of towns with their dots, by zoom, px of the world at that zoom. */
export function nameBoxes(): NameBoxes {
  made ??= Object.fromEntries(ZOOMS.map((zoom) => [zoom, boxesAt(zoom)]));
  return made;
}

function boxesAt(zoom: number): number[] {
  return layersAt(zoom)
    .labels.filter(({ style }) => LARGE.has(style) || (style === 'small' && zoom <= LAST_ZOOM_OF_SMALL_TOWNS))
    .flatMap(({ box }) => [box.left, box.top, box.right - box.left, box.bottom - box.top])
    .map((units) => Math.round(units / UNITS_PER_PIXEL));
}

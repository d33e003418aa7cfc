/** The one drawing of the base map, for tiles and for maps inside pages. */
import { type Html, html } from '../html/html-template.ts';
import { type AreaLayers, layersAround } from './area-layers.ts';
import { drawBuiltUp } from './built-up.ts';
import { areaPath, grownBox, isCovered, linePath, type MapLine } from './lines.ts';
import { UNITS_PER_PIXEL, type Viewport } from './projection.ts';

/** Width of a main road without its edges, px, by zoom; between two zooms that of the lower one. */
const ROAD_PX: Readonly<Record<number, number>> = {
  5: 0.6,
  6: 0.7,
  7: 1,
  8: 1.3,
  9: 1.8,
  10: 2.4,
  11: 3.2,
  12: 4.4,
  13: 6,
  14: 8,
  15: 11,
  16: 15,
  17: 20,
};
const EDGES_PX = 1.5;
const [COUNTY_ROAD, MOTORWAY] = [0.7, 1.3];
/** Lines are cut this far outside the view, units: no end or edge of one is seen. */
const MARGIN = 24;
/** Smaller zooms have roads without edges. */
const FIRST_ZOOM_WITH_EDGES = 8;

/** `sketch` leaves out what costs the most bytes and helps the least to follow a road: county borders, lesser roads. */
export type MapDetail = 'all' | 'sketch';

/** Everything without a name, in units from the corner of the view. */
export function drawMap(view: Viewport, detail: MapDetail = 'all'): Html {
  const layers = layersAround(view, MARGIN);
  const wide = grownBox(view, MARGIN);
  const line = (name: string, lines: readonly MapLine[], width?: number) => {
    const data = linePath(lines, wide, view);
    if (data === '') return null;
    const attribute = width === undefined ? null : html` stroke-width="${width}"`;
    return html`<path class="${name}"${attribute} d="${data}"/>`;
  };
  return html`${drawAreas(layers, view)}${line('m-foreign', layers.foreignBorders)}${detail === 'sketch' ? null : line('m-county', layers.countyBorders)}${line('m-border', layers.outline)}${line('m-river', layers.danube)}${drawRoads(layers, view.zoom, detail, line)}`;
}

function drawAreas({ land, window, home, builtUp, directions }: AreaLayers, view: Viewport): Html[] {
  const wide = grownBox(view, MARGIN);
  const area = (name: string, path: string) => (path === '' ? [] : [html`<path class="${name}" d="${path}"/>`]);
  const sea = isCovered(wide, land) ? '' : areaPath([window, ...land], wide, view);
  const { discs, shapes } = drawBuiltUp(builtUp.placesIn(view), directions, view);
  return [
    ...area('m-sea', sea),
    ...area('m-home', areaPath(home, wide, view)),
    ...[...discs].map(([diameter, path]) => html`<path class="m-discs" stroke-width="${diameter}" d="${path}"/>`),
    ...area('m-town', shapes),
  ];
}

type DrawLine = (name: string, lines: readonly MapLine[], width?: number) => Html | null;

/** All edges below all roads, so that roads meet without a seam. */
function drawRoads({ roads }: AreaLayers, zoom: number, detail: MapDetail, line: DrawLine): (Html | null)[] {
  const main = (ROAD_PX[Math.floor(zoom)] ?? 1) * UNITS_PER_PIXEL;
  const edges = EDGES_PX * UNITS_PER_PIXEL;
  const [county, motorway] = [Math.round(main * COUNTY_ROAD), Math.round(main * MOTORWAY)];
  if (zoom < FIRST_ZOOM_WITH_EDGES) {
    return [
      detail === 'sketch' ? null : line('m-edge', roads.main, main),
      line('m-fast', roads.motorway, motorway + 1),
    ];
  }
  return [
    line('m-edge', roads.county, county + edges),
    line('m-edge', roads.main, main + edges),
    line('m-road', roads.county, county),
    line('m-road', roads.main, main),
    line('m-fast-edge', roads.motorway, motorway + edges),
    line('m-fast', roads.motorway, motorway),
  ];
}

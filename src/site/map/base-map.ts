/** The base map: its data, read once, and everything on it prepared once for each zoom. */
import { runInSlices } from '../../concurrency/in-slices.ts';
import { loadGazetteer } from '../../geodata/load-gazetteer.ts';
import { readNeighbours } from '../../geodata/load-neighbours.ts';
import { loadRoads, loadRoadsInSlices } from '../../geodata/load-roads.ts';
import { type BuiltUpLand, BuiltUpLayer, builtUpLand, type RoadDirections, roadDirections } from './built-up.ts';
import { countyBorders } from './county-borders.ts';
import { lineAtZoom, type MapLine, type WorldLine, worldLine } from './lines.ts';
import { type PlacedLabel, placeLabels } from './map-labels.ts';
import { type NamedPlaces, NameLayer, namedPlaces } from './names.ts';
import { MAX_ZOOM, MIN_ZOOM } from './projection.ts';
import { type RoadLine, type RoadStyle, roadLines } from './road-lines.ts';

/** What a map shows at one zoom. */
export type MapLayers = {
  /** Land of all countries; what it leaves of `window` is sea. */
  readonly land: readonly MapLine[];
  readonly window: MapLine;
  /** Romania. */
  readonly home: readonly MapLine[];
  /** Its border; closed. */
  readonly outline: readonly MapLine[];
  readonly foreignBorders: readonly MapLine[];
  readonly countyBorders: readonly MapLine[];
  readonly danube: readonly MapLine[];
  readonly roads: Readonly<Record<RoadStyle, readonly MapLine[]>>;
  readonly builtUp: BuiltUpLayer;
  readonly directions: RoadDirections;
  /** Names as the tiles have them. */
  readonly labels: readonly PlacedLabel[];
  /** All names that a map at this zoom would like to show. */
  readonly names: NameLayer;
};

type BaseData = {
  readonly names: NamedPlaces;
  readonly builtUp: BuiltUpLand;
  readonly land: readonly WorldLine[];
  readonly window: WorldLine;
  readonly foreignBorders: readonly WorldLine[];
  readonly counties: Readonly<Record<'outline' | 'internal' | 'danube', readonly WorldLine[]>>;
  readonly roads: readonly RoadLine[];
  readonly directions: RoadDirections;
};

let data: BaseData | undefined;
let preparing: Promise<void> | undefined;
const layers = new Map<number, MapLayers>();

/** The layers at a zoom; unless `prepareBaseMap` has prepared them, the first call does: 5 to 25 ms. */
export function layersAt(zoom: number): MapLayers {
  const known = layers.get(zoom);
  if (known) return known;
  data ??= readBaseData();
  const made = prepareLayers(data, zoom);
  layers.set(zoom, made);
  return made;
}

/**
 * Prepares every zoom ahead of the first map, in turns of the event loop of 5 to 30 ms; without it, the first
 * map does so in one. Later calls wait for the first one.
 */
export function prepareBaseMap(): Promise<void> {
  preparing ??= runInSlices(preparation());
  return preparing;
}

function* preparation(): Generator<void, void, void> {
  const gazetteer = loadGazetteer();
  yield;
  yield* loadRoadsInSlices(gazetteer);
  yield;
  data ??= readBaseData();
  for (let zoom = MIN_ZOOM; zoom <= MAX_ZOOM; zoom += 1) {
    yield;
    layersAt(zoom);
  }
}

function readBaseData(): BaseData {
  const gazetteer = loadGazetteer();
  const graph = loadRoads(gazetteer);
  const { land, borders, window } = readNeighbours();
  const [west, south, east, north] = window;
  const { outline, internal, danube } = countyBorders(gazetteer.counties);
  return {
    names: namedPlaces(gazetteer),
    builtUp: builtUpLand(gazetteer.localities),
    land: land.map(pairs),
    window: pairs([west, north, east, north, east, south, west, south]),
    foreignBorders: borders.map(pairs),
    counties: {
      outline: outline.map(worldLine),
      internal: internal.map(worldLine),
      danube: danube.map(worldLine),
    },
    roads: roadLines(graph),
    directions: roadDirections(graph),
  };
}

/** Longitude and latitude in turn, as the file has them. */
function pairs(line: readonly number[]): WorldLine {
  return worldLine(
    Array.from({ length: line.length / 2 }, (_, at) => ({
      lng: line[2 * at] as number,
      lat: line[2 * at + 1] as number,
    })),
  );
}

function prepareLayers(base: BaseData, zoom: number): MapLayers {
  const atZoom = (line: WorldLine) => lineAtZoom(line, zoom);
  const roads = (style: RoadStyle) => base.roads.filter((road) => road.style === style).map(({ line }) => atZoom(line));
  const names = NameLayer.at(base.names, base.roads, zoom);
  const outline = base.counties.outline.map(atZoom);
  let labels: readonly PlacedLabel[] | undefined;
  return {
    land: base.land.map(atZoom),
    window: atZoom(base.window),
    foreignBorders: base.foreignBorders.map(atZoom),
    countyBorders: base.counties.internal.map(atZoom),
    home: outline,
    outline,
    danube: base.counties.danube.map(atZoom),
    roads: { motorway: roads('motorway'), main: roads('main'), county: zoom < 8 ? [] : roads('county') },
    builtUp: BuiltUpLayer.at(base.builtUp, zoom),
    directions: base.directions,
    // No tile has a zoom between two whole ones, as maps in pages have.
    get labels() {
      labels ??= placeLabels(names.candidates('ro'));
      return labels;
    },
    names,
  };
}

/** Streets of a town that does not exist, where Cluj-Napoca is, in the schema of Protomaps or of OpenMapTiles. */

import type { WrittenTile } from './write-pmtiles.ts';
import { type WrittenFeature, type WrittenLayers, writeVectorTile } from './write-vector-tile.ts';

export type TileSchema = 'protomaps' | 'openmaptiles';

/** Metres to the east and to the south of the middle of the town. */
type Shape = readonly number[];
type Road = {
  readonly shape: Shape;
  readonly rank: 'motorway' | 'primary' | 'secondary' | 'residential' | 'service';
  readonly name: string;
  readonly ref?: string;
};

/** The middle of the town, degrees. */
export const TOWN = { lat: 46.77, lng: 23.59 };
const METRES_AROUND = 40_075_017;
const BLOCK = 130;
const NAMES = [
  ...['Teiului', 'Morii', 'Șoimului', 'Țesătorilor', 'Zorilor', 'Fântânilor', 'Lalelelor', 'Vântului', 'Cărămidarilor'],
  ...[
    'Plopilor',
    'Izvorului',
    'Măgurii',
    'Brândușelor',
    'Olarilor',
    'Câmpului',
    'Rândunelelor',
    'Stejarului',
    'Podului',
  ],
  ...['Viilor', 'Gării', 'Ursului', 'Cetinii', 'Lămâiței', 'Dumbrăvii'],
];

/** A street of the grid, bent a little, turned by 20 degrees. */
function street(index: number, isAcross: boolean): Shape {
  const points: number[] = [];
  for (let step = -8; step <= 8; step += 1) {
    const [along, aside] = [step * BLOCK, (index - 6) * BLOCK + 25 * Math.sin(step / 5 + index)];
    const [east, south] = isAcross ? [along, aside] : [aside, along];
    points.push(0.94 * east - 0.34 * south, 0.34 * east + 0.94 * south);
  }
  return points;
}

const ROADS: readonly Road[] = [
  ...Array.from({ length: 24 }, (_, index): Road => {
    const isMain = index % 12 === 6;
    const rank = isMain ? 'primary' : index % 6 === 3 ? 'secondary' : 'residential';
    const name = `${isMain ? 'Bulevardul' : 'Strada'} ${NAMES[index]}`;
    return {
      shape: street(index % 12, index < 12),
      rank,
      name,
      ...(isMain && { ref: index === 6 ? 'DN71;E999' : 'DN72' }),
    };
  }),
  { shape: [-4_000, 1_900, -1_500, 1_400, 0, 1_300, 4_000, 1_700], rank: 'motorway', name: '', ref: 'A33' },
  { shape: [60, 60, 110, 90, 115, 160], rank: 'service', name: 'Aleea Ascunsă' },
];
const RIVER: Shape = [-4_000, -350, -1_200, -260, -300, -320, 500, -180, 1_400, -240, 4_000, -100];
const PARK: Shape = [200, -150, 520, -60, 480, 180, 230, 120];
const LAKE: Shape = [300, -40, 400, -10, 390, 70, 310, 60];
const WORKS: Shape = [-1_100, 700, -600, 760, -640, 1_100, -1_120, 1_040];
const HOUSES = Array.from({ length: 60 }, (_, index): Shape => {
  const [east, south] = [((index % 10) - 5) * 118 + 30, (Math.floor(index / 10) - 3) * 118 + 40];
  return [east, south, east + 24, south + 9, east + 18, south + 25, east - 6, south + 16];
});

const CLASSES = {
  protomaps: (rank: Road['rank']) => ({
    kind: {
      motorway: 'highway',
      primary: 'major_road',
      secondary: 'major_road',
      residential: 'minor_road',
      service: 'minor_road',
    }[rank],
    kind_detail: rank,
  }),
  openmaptiles: (rank: Road['rank']) => ({ class: rank === 'residential' ? 'minor' : rank }),
};

/** The tile at an address, with what lies in it or near it. */
export function townTile(z: number, x: number, y: number, schema: TileSchema = 'protomaps'): WrittenTile {
  const place = (shape: Shape) => inTile(shape, z, x, y);
  const meets = ({ parts }: WrittenFeature) => parts.some((part) => touchesTile(part));
  const area = (shape: Shape, properties: WrittenFeature['properties']): WrittenFeature => ({
    type: 'polygon',
    properties,
    parts: [place(shape)],
  });
  const line = (shape: Shape, properties: WrittenFeature['properties']): WrittenFeature => ({
    type: 'line',
    properties,
    parts: [place(shape)],
  });
  const roads = ROADS.filter(({ rank }) => z >= 13 || (rank !== 'residential' && rank !== 'service'));
  const named = ({ name, ref }: Road) => ({ ...(name !== '' && { name }), ...(ref && { ref }) });
  const layers: WrittenLayers =
    schema === 'protomaps'
      ? {
          earth: [{ type: 'polygon', properties: { kind: 'earth' }, parts: [[0, 0, 4096, 0, 4096, 4096, 0, 4096]] }],
          landuse: [area(PARK, { kind: 'park' }), area(WORKS, { kind: 'industrial' })],
          water: [area(LAKE, { kind: 'lake' }), line(RIVER, { kind: 'river', name: 'Râul Inventat' })],
          buildings: z < 14 ? [] : HOUSES.map((house) => area(house, { kind: 'building', height: 9.5 })),
          roads: roads.map((road) => line(road.shape, { ...CLASSES.protomaps(road.rank), ...named(road) })),
          pois: [{ type: 'point', properties: { kind: 'fuel', name: 'Benzinărie' }, parts: [[2_000, 2_000]] }],
        }
      : {
          park: [],
          landcover: [area(PARK, { class: 'grass' })],
          landuse: [area(WORKS, { class: 'industrial' })],
          water: [area(LAKE, { class: 'lake' })],
          waterway: [line(RIVER, { class: 'river' })],
          building: z < 14 ? [] : HOUSES.map((house) => area(house, { render_height: 9 })),
          transportation: roads.map((road) => line(road.shape, CLASSES.openmaptiles(road.rank))),
          transportation_name: roads.map((road) =>
            line(road.shape, { ...CLASSES.openmaptiles(road.rank), ...named(road) }),
          ),
        };
  const inReach = Object.fromEntries(
    Object.entries(layers).flatMap(([name, features]) => {
      const near = features.filter(meets);
      return near.length === 0 ? [] : [[name, near]];
    }),
  );
  return { z, x, y, bytes: writeVectorTile(inReach) };
}

/** All tiles around the town at some zooms. */
export function townTiles(zooms: readonly number[], schema?: TileSchema, radius = 1): WrittenTile[] {
  return zooms.flatMap((z) => {
    const [middleX, middleY] = tileOf(z);
    const steps = Array.from({ length: 2 * radius + 1 }, (_, at) => at - radius);
    return steps.flatMap((dx) => steps.map((dy) => townTile(z, middleX + dx, middleY + dy, schema)));
  });
}

/** Column and row of the tile with the middle of the town. */
export function tileOf(z: number): [number, number] {
  const { x, y } = share();
  return [Math.floor(x * 2 ** z), Math.floor(y * 2 ** z)];
}

function share(): { x: number; y: number } {
  const sin = Math.sin((TOWN.lat * Math.PI) / 180);
  return { x: TOWN.lng / 360 + 0.5, y: 0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI) };
}

function inTile(shape: Shape, z: number, x: number, y: number): number[] {
  const middle = share();
  const perMetre = 1 / (METRES_AROUND * Math.cos((TOWN.lat * Math.PI) / 180));
  return shape.map((metres, at) => {
    const world = (at % 2 === 0 ? middle.x : middle.y) + metres * perMetre;
    return Math.round((world * 2 ** z - (at % 2 === 0 ? x : y)) * 4096);
  });
}

function touchesTile(part: readonly number[]): boolean {
  const [xs, ys] = [part.filter((_, at) => at % 2 === 0), part.filter((_, at) => at % 2 === 1)];
  const [from, to] = [-128, 4096 + 128];
  return Math.max(...xs) >= from && Math.min(...xs) <= to && Math.max(...ys) >= from && Math.min(...ys) <= to;
}

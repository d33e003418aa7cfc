import { upperMedian } from '../../../algorithms/average.ts';

/** Plain geometry for searching an area tile by tile: boxes in degrees, small enough to think of them as flat. */

export type TilePoint = { readonly lat: number; readonly lng: number };
export type BoundingBox = {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
};

const METRES_PER_DEGREE = 111_320;
/** Our flat metres against the register's ellipsoid differ by less than this. */
const DISTANCE_TOLERANCE = 1.02;

/** The smallest box around the points; `null` if there are none. */
export function boxAround(points: readonly TilePoint[]): BoundingBox | null {
  if (points.length === 0) return null;
  const lats = points.map(({ lat }) => lat);
  const lngs = points.map(({ lng }) => lng);
  return { south: Math.min(...lats), west: Math.min(...lngs), north: Math.max(...lats), east: Math.max(...lngs) };
}

/** The box, extended by `metres` on each side. */
export function expanded(box: BoundingBox, metres: number): BoundingBox {
  const lat = metres / METRES_PER_DEGREE;
  const lng = metres / metresPerLng(box);
  return { south: box.south - lat, west: box.west - lng, north: box.north + lat, east: box.east + lng };
}

export function union(a: BoundingBox, b: BoundingBox): BoundingBox {
  return {
    south: Math.min(a.south, b.south),
    west: Math.min(a.west, b.west),
    north: Math.max(a.north, b.north),
    east: Math.max(a.east, b.east),
  };
}

export function contains(outer: BoundingBox, inner: BoundingBox): boolean {
  return (
    outer.south <= inner.south && outer.west <= inner.west && outer.north >= inner.north && outer.east >= inner.east
  );
}

/** The part of `outer` outside `inner`, which lies inside it: up to four boxes that do not overlap. */
export function subtract(outer: BoundingBox, inner: BoundingBox): BoundingBox[] {
  const strips = [
    { ...outer, north: inner.south },
    { ...outer, south: inner.north },
    { ...inner, west: outer.west, east: inner.west },
    { ...inner, west: inner.east, east: outer.east },
  ];
  return strips.filter(({ south, west, north, east }) => north > south && east > west);
}

/** Equal tiles that cover the box, each within a circle of `maxRadiusM`. */
export function tilesOf(box: BoundingBox, maxRadiusM: number): BoundingBox[] {
  const side = ((maxRadiusM - 10) / DISTANCE_TOLERANCE) * Math.SQRT2;
  const rows = Math.ceil(((box.north - box.south) * METRES_PER_DEGREE) / side);
  const columns = Math.ceil(((box.east - box.west) * metresPerLng(box)) / side);
  return splitIntoGrid(box, Math.max(1, rows), Math.max(1, columns));
}

export function quarters(tile: BoundingBox): BoundingBox[] {
  return splitIntoGrid(tile, 2, 2);
}

/** The circle around the tile, including its corners. */
export function enclosingCircle(tile: BoundingBox): TilePoint & { readonly radiusM: number } {
  const height = (tile.north - tile.south) * METRES_PER_DEGREE;
  const width = (tile.east - tile.west) * metresPerLng(tile);
  return {
    lat: (tile.south + tile.north) / 2,
    lng: (tile.west + tile.east) / 2,
    radiusM: Math.ceil((Math.hypot(height, width) / 2) * DISTANCE_TOLERANCE) + 1,
  };
}

/** The points within `metres` of the median point: drops a unit's misplaced stations. */
export function withoutOutliers(points: readonly TilePoint[], metres: number): TilePoint[] {
  const middle = {
    lat: upperMedian(points.map(({ lat }) => lat)) ?? 0,
    lng: upperMedian(points.map(({ lng }) => lng)) ?? 0,
  };
  const area = expanded({ south: middle.lat, north: middle.lat, west: middle.lng, east: middle.lng }, metres);
  return points.filter(({ lat, lng }) => contains(area, { south: lat, north: lat, west: lng, east: lng }));
}

function splitIntoGrid({ south, west, north, east }: BoundingBox, rows: number, columns: number): BoundingBox[] {
  const lat = (row: number) => (row === rows ? north : south + ((north - south) * row) / rows);
  const lng = (column: number) => (column === columns ? east : west + ((east - west) * column) / columns);
  return Array.from({ length: rows * columns }, (_, i) => {
    const row = Math.floor(i / columns);
    const column = i % columns;
    return { south: lat(row), north: lat(row + 1), west: lng(column), east: lng(column + 1) };
  });
}

/** Measured where the box is widest, so that no part of it is underestimated. */
function metresPerLng({ south, north }: BoundingBox): number {
  const nearest = south <= 0 && north >= 0 ? 0 : Math.min(Math.abs(south), Math.abs(north));
  return METRES_PER_DEGREE * Math.max(0.01, Math.cos((Math.min(nearest, 90) * Math.PI) / 180));
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MAX_RADIUS_M } from '../parsing/register-ids.ts';
import {
  type BoundingBox,
  boxAround,
  contains,
  enclosingCircle,
  expanded,
  quarters,
  subtract,
  type TilePoint,
  tilesOf,
  withoutOutliers,
} from './tiles.ts';

const points = fc.record({
  lat: fc.double({ min: 43.6, max: 48.3, noNaN: true }),
  lng: fc.double({ min: 20.2, max: 29.8, noNaN: true }),
});
const boxes = fc
  .tuple(points, fc.double({ min: 0, max: 0.5, noNaN: true }), fc.double({ min: 0, max: 0.7, noNaN: true }))
  .map(
    ([{ lat, lng }, height, width]): BoundingBox => ({ south: lat, north: lat + height, west: lng, east: lng + width }),
  );
const shares = fc.double({ min: 0, max: 1, noNaN: true });

test('every point of a box lies in the circle of one of its tiles, and no circle is too wide', () => {
  fc.assert(
    fc.property(boxes, shares, shares, (box, up, right) => {
      const point = within(box, up, right);
      const circles = tilesOf(box, MAX_RADIUS_M).map(enclosingCircle);
      assert.ok(circles.some((circle) => metres(circle, point) <= circle.radiusM));
      assert.ok(circles.every(({ radiusM }) => radiusM <= MAX_RADIUS_M));
    }),
  );
});

test('the quarters of a tile cover it', () => {
  fc.assert(
    fc.property(boxes, shares, shares, (box, up, right) => {
      const point = within(box, up, right);
      assert.ok(
        quarters(box).some((quarter) =>
          contains(quarter, { south: point.lat, north: point.lat, west: point.lng, east: point.lng }),
        ),
      );
    }),
  );
});

test('a box and the rest of a larger box add up to the larger box, without overlap', () => {
  fc.assert(
    fc.property(boxes, fc.integer({ min: 1, max: 9000 }), shares, shares, (inner, by, up, right) => {
      const outer = expanded(inner, by);
      const point = within(outer, up, right);
      const holders = [inner, ...subtract(outer, inner)].filter(
        ({ south, west, north, east }) =>
          point.lat > south && point.lat < north && point.lng > west && point.lng < east,
      );
      const onEdge = [inner, ...subtract(outer, inner)].some(
        (box) => [box.south, box.north].includes(point.lat) || [box.west, box.east].includes(point.lng),
      );
      assert.ok(onEdge || holders.length === 1, `${holders.length}`);
    }),
  );
});

test('points far from the others are dropped', () => {
  const unit: TilePoint[] = Array.from({ length: 9 }, (_, i) => ({ lat: 44.4 + i / 100, lng: 26.1 }));
  assert.deepEqual(withoutOutliers([...unit, { lat: 26.1, lng: 44.4 }], 40_000), unit);
});

test('around no points there is no box', () => assert.equal(boxAround([]), null));

function within({ south, west, north, east }: BoundingBox, up: number, right: number): TilePoint {
  return { lat: Math.min(north, south + (north - south) * up), lng: Math.min(east, west + (east - west) * right) };
}

/** On the sphere, unlike the code under test. */
function metres(a: TilePoint, b: TilePoint): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const lat = Math.sin(radians(b.lat - a.lat) / 2) ** 2;
  const lng = Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * Math.sin(radians(b.lng - a.lng) / 2) ** 2;
  return 2 * 6_371_000 * Math.asin(Math.sqrt(lat + lng));
}

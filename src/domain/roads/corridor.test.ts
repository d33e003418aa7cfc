import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { distanceKm, type Point } from '../point.ts';
import { placesAlong } from './corridor.ts';
import { type Polyline, waypoints } from './line.ts';

const METRE = 0.001;

const point = fc.record({
  lat: fc.double({ min: 43.6, max: 48.3, noNaN: true }),
  lng: fc.double({ min: 20.2, max: 29.8, noNaN: true }),
});
/** Steps from a few metres to some 30 km, sometimes zero, as in the lines of engines and our own roads. */
const step = fc.tuple(
  fc.constantFrom(0, 1e-7, 1e-4, 0.01, 0.2),
  fc.double({ min: -1, max: 1, noNaN: true }),
  fc.double({ min: -1, max: 1, noNaN: true }),
);
const line = fc.tuple(point, fc.array(step, { maxLength: 100, size: 'max' })).map(([from, steps]): Polyline => {
  const points: [number, number][] = [[from.lat, from.lng]];
  for (const [size, north, east] of steps) {
    const [lat, lng] = points.at(-1) ?? [0, 0];
    points.push([lat + size * north, lng + size * east]);
  }
  return points;
});

/** The oracle: narrows down the nearest point of every segment, using only the great-circle distance. */
function bruteForceKm(along: Polyline, place: Point): number {
  const ends = along.map(([lat, lng]) => ({ lat, lng }));
  const pieces = ends.slice(1).map((to, index) => nearestOnPieceKm(ends[index] as Point, to, place));
  return Math.min(distanceKm(ends[0] as Point, place), ...pieces);
}

function nearestOnPieceKm(from: Point, to: Point, place: Point): number {
  let [low, high] = [0, 1];
  for (let round = 0; round < 45; round += 1) {
    const third = (high - low) / 3;
    const [left, right] = [low + third, high - third];
    if (distanceKm(onArc(from, to, left), place) <= distanceKm(onArc(from, to, right), place)) high = right;
    else low = left;
  }
  return distanceKm(onArc(from, to, low), place);
}

/** A point of the arc between two points: the point of the chord, lifted to the surface. */
function onArc(from: Point, to: Point, share: number): Point {
  const [a, b] = [vector(from), vector(to)];
  const [x, y, z] = a.map((value, axis) => value + share * ((b[axis] as number) - value)) as [number, number, number];
  return { lat: (Math.atan2(z, Math.hypot(x, y)) * 180) / Math.PI, lng: (Math.atan2(y, x) * 180) / Math.PI };
}

function vector({ lat, lng }: Point): number[] {
  const [phi, lambda] = [(lat * Math.PI) / 180, (lng * Math.PI) / 180];
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
}

describe('the places along a line', () => {
  it('are those of a search through every segment, with the same distance to the metre', () => {
    const near = fc.tuple(
      fc.nat(),
      fc.double({ min: -0.3, max: 0.3, noNaN: true }),
      fc.double({ min: -0.3, max: 0.3, noNaN: true }),
    );
    fc.assert(
      fc.property(
        line,
        fc.array(near, { maxLength: 4 }),
        point,
        fc.double({ min: 0.1, max: 15, noNaN: true }),
        (way, offsets, far, radius) => {
          const places = [
            ...offsets.map(([at, north, east]) => {
              const [lat, lng] = way[at % way.length] as Polyline[number];
              return { lat: lat + north, lng: lng + east };
            }),
            far,
          ];
          const found = new Map(placesAlong(way, places, radius).map(({ place, km }) => [place, km]));
          for (const place of places) {
            const expected = bruteForceKm(way, place);
            const km = found.get(place);
            if (km === undefined) assert.ok(expected > radius - METRE, `${expected} km was not found within ${radius}`);
            else assert.ok(Math.abs(km - expected) < METRE && km <= radius, `${km} for ${expected} km`);
          }
        },
      ),
    );
  });

  it('are exact next to a segment of hundreds of km and beyond its ends', () => {
    const way: Polyline = [
      [44, 21],
      [48, 29],
    ];
    for (const place of [
      { lat: 46.1, lng: 25 },
      { lat: 43.95, lng: 20.9 },
      { lat: 48.02, lng: 29.1 },
    ]) {
      const [found] = placesAlong(way, [place], 50);
      assert.ok(found && Math.abs(found.km - bruteForceKm(way, place)) < METRE);
    }
  });

  it('come once each, in the given order, however often the line passes', () => {
    const way: Polyline = [
      [45, 25],
      [45, 25.5],
      [45, 25],
      [45, 25.5],
    ];
    const places = [
      { name: 'second', lat: 45.02, lng: 25.4 },
      { name: 'first', lat: 45, lng: 25.1 },
      { name: 'far', lat: 45.2, lng: 25.1 },
    ];
    assert.deepEqual(
      placesAlong(way, places, 5).map(({ place }) => place.name),
      ['second', 'first'],
    );
  });

  it('are those around the point if the line is a single point', () => {
    const places = [{ lat: 45.01, lng: 25 }];
    const [found] = placesAlong([[45, 25]], places, 5);
    assert.ok(found && Math.abs(found.km - distanceKm({ lat: 45, lng: 25 }, { lat: 45.01, lng: 25 })) < METRE);
    assert.deepEqual(placesAlong([], places, 5), []);
  });
});

describe('waypoints', () => {
  it('are the line itself up to 200 points', () => {
    fc.assert(fc.property(line, (way) => assert.deepEqual(waypoints(way), way)));
  });

  it('of a longer line are 200 of its points in order, evenly thinned, both ends kept', () => {
    fc.assert(
      fc.property(fc.integer({ min: 201, max: 20_000 }), (length) => {
        const way: Polyline = Array.from({ length }, (_, index) => [45, index]);
        const kept = waypoints(way).map(([, index]) => index);
        const gaps = kept.slice(1).map((index, at) => index - (kept[at] as number));
        assert.equal(kept.length, 200);
        assert.deepEqual([kept[0], kept.at(-1)], [0, length - 1]);
        assert.ok(Math.min(...gaps) >= 1 && Math.max(...gaps) - Math.min(...gaps) <= 1);
      }),
    );
  });
});

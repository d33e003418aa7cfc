import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { distanceKm, type Point } from '../point.ts';
import { nearestLookup } from './nearest.ts';

const somewhere = fc.record({
  lat: fc.double({ min: -90, max: 90, noNaN: true }),
  lng: fc.double({ min: -180, max: 180, noNaN: true }),
});
const inRomania = fc.record({
  lat: fc.double({ min: 43.6, max: 48.3, noNaN: true }),
  lng: fc.double({ min: 20.2, max: 29.8, noNaN: true }),
});

function bruteForce(places: readonly Point[], point: Point, k: number): number[] {
  return places
    .map((place) => distanceKm(point, place))
    .sort((a, b) => a - b)
    .slice(0, k);
}

describe('the nearest places', () => {
  it('are exactly those of a search through all places', () => {
    const places = fc.array(inRomania, { minLength: 1, maxLength: 80 });
    fc.assert(
      fc.property(places, fc.oneof(inRomania, somewhere), fc.integer({ min: 1, max: 6 }), (all, point, k) => {
        const found = nearestLookup(all)(point, k).map((place) => distanceKm(point, place));
        assert.deepEqual(found, bruteForce(all, point, k));
      }),
    );
  });

  it('come in the given order when they are equally near', () => {
    const first = { lat: 45, lng: 25 };
    const second = { lat: 45, lng: 25 };
    assert.equal(nearestLookup([first, second])({ lat: 45.1, lng: 25 }, 1)[0], first);
    assert.equal(nearestLookup([second, first])({ lat: 44.9, lng: 25 }, 1)[0], second);
  });

  it('are all places if there are fewer than asked for', () => {
    assert.equal(nearestLookup([{ lat: 45, lng: 25 }])({ lat: 0, lng: 0 }, 5).length, 1);
    assert.deepEqual(nearestLookup([])({ lat: 0, lng: 0 }, 5), []);
  });
});

describe('a distance', () => {
  it('is the great circle in kilometres', () => {
    const bucharest = { lat: 44.43225, lng: 26.10626 };
    const cluj = { lat: 46.76667, lng: 23.6 };
    assert.ok(Math.abs(distanceKm(bucharest, cluj) - 324.6) < 0.1);
  });

  it('is never negative or NaN, is zero from a point to itself, and is symmetric', () => {
    fc.assert(
      fc.property(somewhere, somewhere, (a, b) => {
        assert.ok(distanceKm(a, b) >= 0 && distanceKm(a, b) <= 20_016);
        assert.equal(distanceKm(a, a), 0);
        assert.ok(Math.abs(distanceKm(a, b) - distanceKm(b, a)) < 1e-6);
      }),
    );
  });
});

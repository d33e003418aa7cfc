import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { clipRing } from './clip-ring.ts';

const BOX = { left: 0, top: 0, right: 10, bottom: 10 };
const ring = fc
  .array(fc.integer({ min: -20, max: 30 }), { minLength: 6, maxLength: 40 })
  .map((numbers) => numbers.slice(numbers.length % 2));

describe('a clipped ring', () => {
  it('is the ring itself inside the box, nothing outside, and the box where the ring surrounds it', () => {
    assert.deepEqual(clipRing([1, 1, 9, 1, 5, 9], BOX), [1, 1, 9, 1, 5, 9]);
    assert.deepEqual(clipRing([11, 11, 19, 11, 15, 19], BOX), []);
    assert.equal(area(clipRing([-5, -5, 15, -5, 15, 15, -5, 15], BOX)), 100);
  });

  it('is cut on the edge exactly', () => {
    assert.deepEqual(clipRing([5, 2, 15, 2, 15, 4, 5, 4], BOX), [5, 2, 10, 2, 10, 4, 5, 4]);
  });

  it('never leaves the box', () => {
    fc.assert(
      fc.property(ring, (points) => {
        for (const number of clipRing(points, BOX)) assert.ok(number >= 0 && number <= 10);
      }),
    );
  });

  it('has, with the parts on the other sides of a line, the area of the whole', () => {
    fc.assert(
      fc.property(ring, (points) => {
        const all = { left: -20, top: -20, right: 30, bottom: 30 };
        const halves = [
          { ...all, right: 4 },
          { ...all, left: 4 },
        ].map((half) => area(clipRing(points, half)));
        assert.ok(Math.abs((halves[0] ?? 0) + (halves[1] ?? 0) - area(points)) < 1e-6);
      }),
    );
  });
});

/** Signed. */
function area(points: readonly number[]): number {
  let twice = 0;
  for (let at = 0; at < points.length; at += 2) {
    const next = (at + 2) % points.length;
    twice += (points[at] as number) * (points[next + 1] as number);
    twice -= (points[next] as number) * (points[at + 1] as number);
  }
  return twice / 2;
}

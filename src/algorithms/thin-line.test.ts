import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { thinLine } from './thin-line.ts';

const line = fc.array(fc.tuple(fc.integer({ min: -500, max: 500 }), fc.integer({ min: -500, max: 500 })), {
  minLength: 2,
  maxLength: 60,
});

describe('a thinned line', () => {
  it('drops points on a straight line and keeps corners', () => {
    assert.deepEqual(thinLine([0, 0, 5, 0, 10, 0, 10, 10], 0.5), [0, 0, 10, 0, 10, 10]);
    assert.deepEqual(thinLine([3, 4], 1), [3, 4]);
    assert.deepEqual(thinLine([], 1), []);
  });

  it('keeps both ends, and lies within the tolerance of every point', () => {
    fc.assert(
      fc.property(line, fc.double({ min: 0, max: 50, noNaN: true }), (points, tolerance) => {
        const thin = thinLine(points.flat(), tolerance);
        assert.deepEqual(thin.slice(0, 2), points[0]);
        assert.deepEqual(thin.slice(-2), points.at(-1));
        for (const point of points) assert.ok(distance(point, thin) <= tolerance + 1e-9);
      }),
    );
  });

  it('keeps a ring, whose ends are one point', () => {
    assert.deepEqual(thinLine([0, 0, 9, 0, 9, 9, 0, 9, 0, 0], 1), [0, 0, 9, 0, 9, 9, 0, 9, 0, 0]);
  });
});

function distance([x, y]: readonly [number, number], thin: readonly number[]): number {
  const segments = Array.from({ length: thin.length / 2 - 1 }, (_, at) => thin.slice(2 * at, 2 * at + 4));
  return Math.min(
    ...segments.map((ends) => {
      const [x0, y0, x1, y1] = ends as [number, number, number, number];
      const length2 = (x1 - x0) ** 2 + (y1 - y0) ** 2;
      const along = length2 === 0 ? 0 : ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / length2;
      const share = Math.max(0, Math.min(1, along));
      return Math.hypot(x - x0 - share * (x1 - x0), y - y0 - share * (y1 - y0));
    }),
  );
}

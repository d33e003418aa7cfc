import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { areaPath, isCovered, lineAtZoom, linePath, type MapLine, pathData, worldLine } from './lines.ts';

const BOX = { left: 0, top: 0, right: 100, bottom: 100 };
const ORIGIN = { ...BOX, left: 0, top: 0 };

function aLine(...points: number[]): MapLine {
  const [xs, ys] = [0, 1].map((axis) => points.filter((_, at) => at % 2 === axis)) as [number[], number[]];
  return {
    points,
    box: { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) },
  };
}

describe('a line on a map', () => {
  it('is written in steps from the corner of the view, without needless blanks', () => {
    assert.equal(pathData([110, 95, 113, 99, 111, 99, 111, 90], { left: 100, top: 100 }), 'M10-5l3 4-2 0 0-9');
  });

  it('leaves out steps of no length', () => {
    assert.equal(pathData([1, 1, 1, 1, 2, 1], { left: 0, top: 0 }), 'M1 1l1 0');
  });

  it('is drawn only where it may be seen, whole pieces at a time', () => {
    const line = aLine(-300, 50, -200, 50, 50, 50, 50, 300, 60, 310, 300, 310, 300, -50, 50, -50, 50, 20);
    assert.equal(linePath([line], BOX, ORIGIN), 'M-200 50l250 0 0 250M50-50l0 70');
    assert.equal(linePath([aLine(-20, -20, -10, -10)], BOX, ORIGIN), '');
  });

  it('has at a larger zoom at least the points of a smaller one', () => {
    const coast = worldLine(
      Array.from({ length: 200 }, (_, n) => ({ lat: 44 + n / 200, lng: 28 + Math.sin(n / 5) / 50 })),
    );
    const counts = [6, 8, 10, 12].map((zoom) => lineAtZoom(coast, zoom).points.length);
    assert.deepEqual(
      counts,
      counts.toSorted((a, b) => a - b),
    );
    assert.ok((counts[0] ?? 0) < (counts[3] ?? 0) / 4);
  });
});

describe('an area on a map', () => {
  it('is cut at the view', () => {
    assert.equal(areaPath([aLine(50, 50, 150, 50, 150, 80, 50, 80)], BOX, ORIGIN), 'M50 50l50 0 0 30-50 0z');
  });

  it('covers the view only if nothing of it is left', () => {
    const around = aLine(-10, -10, 110, -10, 110, 110, -10, 110);
    const almost = aLine(-10, -10, 110, -10, 110, 99, -10, 110);
    assert.deepEqual([isCovered(BOX, [around]), isCovered(BOX, [almost]), isCovered(BOX, [])], [true, false, false]);
  });
});

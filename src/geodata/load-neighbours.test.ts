import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readNeighbours } from './load-neighbours.ts';

describe('the neighbours', () => {
  it('are closed coasts and borders inside the area that the file covers', () => {
    const { window, land, borders } = readNeighbours();
    const [west, south, east, north] = window;
    assert.ok(west < 17 && south < 41.8 && east > 33 && north > 50);
    for (const ring of land) {
      assert.deepEqual(ring.slice(0, 2), ring.slice(-2));
      for (const [at, degrees] of ring.entries()) {
        assert.ok(at % 2 === 0 ? degrees >= west && degrees <= east : degrees >= south && degrees <= north);
      }
    }
    assert.ok(borders.length > 20 && borders.every((line) => line.length >= 4 && line.length % 2 === 0));
  });
});

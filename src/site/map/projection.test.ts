import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { fromUnits, MAX_ZOOM, MIN_ZOOM, toUnits, unitsPerKm, worldUnits } from './projection.ts';

describe('the projection', () => {
  it('leads back to the point', () => {
    fc.assert(
      fc.property(
        fc.record({
          lat: fc.double({ min: -80, max: 80, noNaN: true }),
          lng: fc.double({ min: -180, max: 180, noNaN: true }),
        }),
        fc.integer({ min: MIN_ZOOM, max: MAX_ZOOM }),
        (point, zoom) => {
          const back = fromUnits(toUnits(point, zoom), zoom);
          assert.ok(Math.abs(back.lat - point.lat) < 1e-9 && Math.abs(back.lng - point.lng) < 1e-9);
        },
      ),
    );
  });

  it('is that of OpenStreetMap: at zoom 7 București lies in the tile 73, 46 of 256 px', () => {
    const { x, y } = toUnits({ lat: 44.43225, lng: 26.10626 }, 7);
    assert.deepEqual([Math.floor(x / 512), Math.floor(y / 512)], [73, 46]);
    assert.equal(worldUnits(7), 2 * 256 * 128);
  });

  it('has a km as long as the distance of two points says', () => {
    const [south, north] = [45.9, 46.1].map((lat) => toUnits({ lat, lng: 25 }, 10).y);
    const perKm = ((south ?? 0) - (north ?? 0)) / (0.2 * 111.32);
    assert.ok(Math.abs(perKm / unitsPerKm(46, 10) - 1) < 0.002);
  });
});

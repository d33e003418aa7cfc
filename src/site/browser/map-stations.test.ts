import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatRon } from '../html/formats.ts';
import { parseMapStations, priceText } from './map-stations.ts';

test('prices read as on all other pages', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 99_999 }), fc.constantFrom('ro', 'en'), (price, language) => {
      assert.equal(priceText(price, language), formatRon(price, language));
    }),
  );
});

test('a station without a known place has neither its name nor its part of the address', () => {
  const [station] = parseMapStations({
    networks: [['mol', 'MOL']],
    places: [['', '']],
    stations: [['0a1b2c3d4e5f', 46.7, 23.6, 0, 0, [9_590, 'expired', null, null, null], [1, null, null, null, null]]],
  });
  assert.deepEqual([station?.slug, station?.name, station?.place], ['mol-0a1b2c3d4e5f', 'MOL', '']);
});

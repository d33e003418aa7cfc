import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { aStation, recordsOf, trusted } from '../../../test/support/builders/snapshot-builders.ts';
import { distanceKm } from '../../domain/point.ts';
import { StationSearch } from './station-search.ts';

const lat = fc.double({ min: -90, max: 90, noNaN: true });
const lng = fc.double({ min: -180, max: 180, noNaN: true });
const point = fc.record({ lat, lng });
/** Places close to one point, so that the circle contains some of them, including the antimeridian. */
const cluster = fc.record({
  centre: point,
  steps: fc.array(
    fc.record({
      north: fc.double({ min: -0.6, max: 0.6, noNaN: true }),
      east: fc.double({ min: -3, max: 3, noNaN: true }),
    }),
  ),
  radius: fc.double({ min: 0.1, max: 50, noNaN: true }),
});

test('finds exactly the stations within the radius, nearest first, in the given order when equally far', async () => {
  await fc.assert(
    fc.asyncProperty(cluster, async ({ centre, steps, radius }) => {
      const stations = steps.map(({ north, east }, index) =>
        aStation({
          id: String(index),
          lat: Math.max(-90, Math.min(90, centre.lat + north)),
          lng: ((((centre.lng + east + 180) % 360) + 360) % 360) - 180,
        }),
      );
      const records = stations.flatMap((station) =>
        recordsOf(station, { petrol: trusted(7_000), lpg: trusted(3_000) }),
      );
      const expected = stations
        .map((station, place) => ({ place, km: distanceKm(centre, station) }))
        .filter(({ km }) => km <= radius)
        .sort((a, b) => a.km - b.km || a.place - b.place);
      const found = (await StationSearch.build(records)).near(centre, radius, {});
      assert.deepEqual(
        found.records,
        expected.flatMap(({ place }) => [2 * place, 2 * place + 1]),
      );
      assert.deepEqual(
        found.km,
        expected.flatMap(({ km }) => [km, km]),
      );
    }),
  );
});

test('finds stations of every longitude in a circle around a pole', async () => {
  const records = [0, 90, 180, -90].flatMap((east) =>
    recordsOf(aStation({ id: String(east), lat: 89.9, lng: east }), { petrol: trusted(7_000) }),
  );
  assert.equal((await StationSearch.build(records)).near({ lat: 89.95, lng: 45 }, 50, {}).records.length, 4);
});

test('applies the filter within the radius', async () => {
  const records = recordsOf(aStation({ lat: 45, lng: 25 }), { petrol: trusted(7_000), lpg: trusted(3_000) });
  const search = await StationSearch.build(records);
  assert.deepEqual(search.near({ lat: 45, lng: 25 }, 1, { fuel: 'lpg' }).records, [1]);
  assert.deepEqual(search.near({ lat: 45, lng: 25 }, 1, { network: null }).records, []);
});

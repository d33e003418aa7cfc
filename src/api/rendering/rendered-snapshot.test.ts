import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCity, manyRecords } from '../../../test/support/builders/snapshot-builders.ts';
import { world } from '../../../test/support/worlds/contract-world.ts';
import { stationsEndpoint } from '../endpoints/stations.ts';
import { PrerenderedResponses } from '../http/fast-path/prerendered-responses.ts';
import type { PlaceNames } from '../request/named-cities.ts';
import { RenderedSnapshot } from './rendered-snapshot.ts';

const json = (body: { plain: Buffer }) => JSON.parse(body.plain.toString());
const everything = { brand: '', fuel: undefined, geoFilter: null, fullSet: true } as const;

const NO_PLACES: PlaceNames = {
  countyByName: () => undefined,
  findPlace: () => undefined,
  localityBySlug: () => undefined,
  cityOfUnit: () => undefined,
  suggestPlaces: () => [],
};

test('with a key all cities are served, without a note', async () => {
  const rendered = await RenderedSnapshot.render(world({ cities: Array.from({ length: 30 }, () => aCity()) }));
  const whole = json(rendered.cities({ county: null, missing: 'null', full: true }));
  assert.deepEqual([whole.total, whole.rezultate.length, Object.hasOwn(whole, 'nota')], [30, 30, false]);
  assert.equal(json(rendered.cities({ county: null, missing: 'null', full: false })).total, 20);
});

test('with a key all records are served in order, without a note or the total of available records', async () => {
  const records = manyRecords(600);
  const rendered = await RenderedSnapshot.render(world({ records }));
  const whole = json(rendered.stations(everything));
  assert.deepEqual(Object.keys(whole), ['status', 'data', 'actualizat_la', 'total', 'statii']);
  assert.deepEqual(
    whole.statii.map(({ id }: { id: string }) => id),
    records.map(({ station }) => station.id),
  );
  assert.equal(json(rendered.stations({ ...everything, fuel: 'diesel' })).total, 600);
  const geoFilter = { point: { lat: 44.4268, lng: 26.1025 }, radiusKm: 50 };
  assert.ok(json(rendered.stations({ ...everything, geoFilter })).total > 150);
});

test('answers with and without a key are cached separately', async () => {
  const rendered = await RenderedSnapshot.render(world({ records: manyRecords(600) }));
  const totals = [true, false, true].map((fullSet) => json(rendered.stations({ ...everything, fullSet })).total);
  assert.deepEqual(totals, [1200, 150, 1200]);
});

test('a filtered answer is rendered once per snapshot', async () => {
  const rendered = await RenderedSnapshot.render(world());
  const query = { ...everything, brand: 'omv', fuel: 'lpg', fullSet: false } as const;
  assert.equal(rendered.stations(query), rendered.stations({ ...query, brand: ' OMV ' }));
  assert.notEqual(rendered.stations(query), rendered.stations({ ...query, brand: 'null' }));
});

test('better brotli encodings replace the present ones only when they are smaller', async () => {
  const rendered = await RenderedSnapshot.render(world({ records: manyRecords(100) }));
  const prerendered = await PrerenderedResponses.render([stationsEndpoint(NO_PLACES, () => null)], rendered);
  const body = rendered.stations({ ...everything, fullSet: false });
  const first = await body.encoded('br');
  await prerendered.recompress(async (plain) => plain);
  assert.equal(await body.encoded('br'), first);
  await prerendered.recompress(async () => Buffer.from('x'));
  assert.deepEqual(await body.encoded('br'), Buffer.from('x'));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCity, manyRecords } from '../../../test/support/snapshot-builders.ts';
import { world } from '../../../test/support/worlds/contract-world.ts';
import { stationEndpoints } from '../endpoints/stations.ts';
import { HotAnswers } from '../publishing/prerendered-responses.ts';
import { Edition } from './rendered-snapshot.ts';

const json = (body: { plain: Buffer }) => JSON.parse(body.plain.toString());
const everything = { brand: '', fuel: undefined, near: null, full: true } as const;

test('with a key all cities, and no note', async () => {
  const edition = await Edition.of(world({ cities: Array.from({ length: 30 }, () => aCity()) }));
  const whole = json(edition.cities({ county: null, missing: 'null', full: true }));
  assert.deepEqual([whole.total, whole.rezultate.length, Object.hasOwn(whole, 'nota')], [30, 30, false]);
  assert.equal(json(edition.cities({ county: null, missing: 'null', full: false })).total, 20);
});

test('with a key all records in order, without a number of available ones and a note', async () => {
  const records = manyRecords(600);
  const edition = await Edition.of(world({ records }));
  const whole = json(edition.stations(everything));
  assert.deepEqual(Object.keys(whole), ['status', 'data', 'actualizat_la', 'total', 'statii']);
  assert.deepEqual(
    whole.statii.map(({ id }: { id: string }) => id),
    records.map(({ station }) => station.id),
  );
  assert.equal(json(edition.stations({ ...everything, fuel: 'diesel' })).total, 600);
  const near = { point: { lat: 44.4268, lng: 26.1025 }, radiusKm: 50 };
  assert.ok(json(edition.stations({ ...everything, near })).total > 150);
});

test('with a key and without are kept apart', async () => {
  const edition = await Edition.of(world({ records: manyRecords(600) }));
  const totals = [true, false, true].map((full) => json(edition.stations({ ...everything, full })).total);
  assert.deepEqual(totals, [1200, 150, 1200]);
});

test('a filtered answer is made once a publication', async () => {
  const edition = await Edition.of(world());
  const query = { ...everything, brand: 'omv', fuel: 'lpg', full: false } as const;
  assert.equal(edition.stations(query), edition.stations({ ...query, brand: ' OMV ' }));
  assert.notEqual(edition.stations(query), edition.stations({ ...query, brand: 'null' }));
});

test('better brotli forms take their place only when they are smaller', async () => {
  const edition = await Edition.of(world({ records: manyRecords(100) }));
  const hot = await HotAnswers.of(stationEndpoints, edition);
  const body = edition.stations({ ...everything, full: false });
  const first = await body.in('br');
  await hot.improve(async (plain) => plain);
  assert.equal(await body.in('br'), first);
  await hot.improve(async () => Buffer.from('x'));
  assert.deepEqual(await body.in('br'), Buffer.from('x'));
});

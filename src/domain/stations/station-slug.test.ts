import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { aNetwork, aStation } from '../../../test/support/builders/snapshot-builders.ts';
import { stationIdOf, stationSlug } from './station-slug.ts';

test('a slug is brand, city and id, or brand and id if the city is unknown', () => {
  const id = '0a1b2c3d4e5f';
  assert.equal(stationSlug(aStation({ id, city: 'Targu Mures', network: aNetwork('OMV') })), `omv-targu-mures-${id}`);
  assert.equal(stationSlug(aStation({ id, city: '', network: aNetwork('Rom Oil') })), `rom-oil-${id}`);
  assert.equal(stationSlug(aStation({ id, city: "23 August (Sat) - l'Est" })), `petrom-23-august-sat-l-est-${id}`);
});

test('the last 12 hex digits of a slug decide, in any case and after any spelling', () => {
  for (const slug of ['x-y-0a1b2c3d4e5f', '0a1b2c3d4e5f', 'Țest-0A1B2C3D4E5F', 'f0a1b2c3d4e5f'])
    assert.equal(stationIdOf(slug), '0a1b2c3d4e5f', slug);
  for (const slug of [
    '',
    'petrom-cluj',
    'petrom-a1b2c3d4e5f',
    'petrom-0a1b2c3d4e5g',
    'petrom-0a1b2c3d4e5f-',
    '0a1b2c3d4e5f\n',
  ])
    assert.equal(stationIdOf(slug), null, JSON.stringify(slug));
});

test('a slug leads back to its station', () => {
  const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 12, maxLength: 12 });
  fc.assert(
    fc.property(hex, fc.string(), (id, city) => {
      const slug = stationSlug(aStation({ id, city }));
      assert.equal(stationIdOf(slug), id);
      assert.match(slug, /^[a-z0-9]+(-[a-z0-9]+)*$/);
    }),
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noteOf } from './map-popup.ts';
import type { MapSettings } from './map-start.ts';

const SETTINGS: MapSettings = {
  file: '/harta/statii.json',
  stationPath: '/statie/',
  bounds: null,
  tiles: { url: '/harta/{z}/{x}/{y}.svg', attribution: '', maxZoom: 14, isOurs: true },
  fuels: [],
  ages: ['azi', 'ieri'],
  texts: { undated: 'fără dată', expired: 'preț expirat' },
};

test('a price says how old it is, and one that does not count says why', () => {
  assert.equal(noteOf(9_590, 1, SETTINGS), 'ieri');
  assert.equal(noteOf(9_590, null, SETTINGS), 'fără dată');
  assert.equal(noteOf('expired', null, SETTINGS), 'preț expirat');
  assert.equal(noteOf(null, null, SETTINGS), '');
});

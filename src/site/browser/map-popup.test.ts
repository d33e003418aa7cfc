import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatBucharestTime } from '../html/formats.ts';
import { noteOf } from './map-popup.ts';
import type { MapSettings } from './map-start.ts';

const SETTINGS: MapSettings = {
  file: '/harta/statii.json',
  stationPath: '/statie/',
  bounds: null,
  names: {},
  tiles: { url: '/harta/{z}/{x}/{y}.svg', attribution: '', maxZoom: 14, isOurs: true },
  fuels: [],
  ages: ['azi', 'ieri'],
  texts: { undated: 'fără dată', expired: 'confirmat pe {when}', doubtful: 'nesigur' },
};

test('a price says how old it is, and one that does not count says why', () => {
  assert.equal(noteOf(9_590, 1, SETTINGS), 'ieri');
  assert.equal(noteOf(9_590, null, SETTINGS), 'fără dată');
  assert.equal(noteOf('doubtful', null, SETTINGS), 'nesigur');
  assert.equal(noteOf(null, null, SETTINGS), '');
});

test('an expired price says when a source last confirmed it, in the words of all pages', (context) => {
  const moment = Date.UTC(2026, 10, 22, 7, 30);
  const root = { lang: 'ro' };
  Object.assign(globalThis, { document: { documentElement: root } });
  context.after(() => Reflect.deleteProperty(globalThis, 'document'));
  for (const lang of ['ro', 'en'] as const) {
    root.lang = lang;
    assert.equal(noteOf('expired', moment / 1000, SETTINGS), `confirmat pe ${formatBucharestTime(moment, lang)}`);
  }
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { priceWords } from './favourite-prices.ts';
import type { MapFile } from './map-stations.ts';

const FILE: MapFile = {
  networks: [['mol', 'MOL']],
  places: [
    ['cluj-napoca', 'Cluj-Napoca'],
    ['turda', 'Turda'],
    ['', ''],
  ],
  stations: [
    ['00000000000a', 46.7, 23.6, 0, 0, [9_650, 10_300, 10_400, null, 'expired'], []],
    // Cheaper, at coordinates that cannot be right.
    ['00000000000b', null, null, 0, 0, [9_590, null, 'doubtful', null, null], []],
    ['00000000000c', 46.5, 23.8, 0, 1, [9_000, null, null, null, null], []],
    ['00000000000d', 46.5, 23.8, 0, 2, ['unknown', null, null, null, null], []],
  ],
};
const SETTINGS = {
  fuels: ['benzină', '', 'motorină', '', 'GPL'],
  texts: { remove: '', removeOne: '', lowest: 'de la: ', none: 'niciunul' },
};
const words = (path: string) => priceWords(path, FILE, SETTINGS, 'ro');

describe('the prices of a favourite', () => {
  it('are those of the station, without what does not count', () => {
    assert.equal(words('/statie/mol-cluj-napoca-00000000000a'), 'benzină 9,65 · motorină 10,40');
    assert.equal(words('/statie/mol-00000000000d'), 'niciunul');
  });

  it('are the lowest of the city, wherever its stations are marked', () => {
    assert.equal(words('/preturi-carburanti/cluj-napoca'), 'de la: benzină 9,59 · motorină 10,40');
  });

  it('are none of a page without prices of its own', () => {
    assert.equal(words('/judet/cluj'), '');
    assert.equal(words('/preturi-carburanti/nicaieri'), 'niciunul');
  });
});

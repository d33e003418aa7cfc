import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aNetwork, aStation } from '../../../test/support/builders/snapshot-builders.ts';
import { runToEnd } from '../../algorithms/run-to-end.ts';
import { stationText, stationWords } from './station-words.ts';

const stationOf = (id: string, network: string, address: string, city: string) => ({
  station: aStation({ id, network: aNetwork(network), address, city, countyName: '' }),
  slug: id,
  verdicts: new Map(),
});
const STATIONS = [
  stationOf('a', 'Petrom', 'Calea Turzii 178', 'Cluj-Napoca'),
  stationOf('b', 'Lukoil', 'Strada Ștefan cel Mare 5', 'Cluj-Napoca'),
  stationOf('c', 'Petrom', 'Strada Clujului 17', 'Turda'),
];
const matching = runToEnd(stationWords(STATIONS.map(stationText)));
const find = (...words: string[]) => {
  const matches = matching(words);
  return STATIONS.filter((_, index) => matches(index)).map(({ slug }) => slug);
};

test('a station is found by the beginnings of its words, in any order', () => {
  assert.deepEqual(find('petrom'), ['a', 'c']);
  assert.deepEqual(find('clu', 'petr'), ['a', 'c']);
  assert.deepEqual(find('tur', 'cal'), ['a']);
  assert.deepEqual(find('17', 'petrom'), ['a', 'c']);
  assert.deepEqual(find('stefan', '5'), ['b']);
});

test('a station that lacks one of the words is not found', () => {
  assert.deepEqual(find('petrom', 'stefan'), []);
  assert.deepEqual(find('urzii'), []);
  assert.deepEqual(find('zzz'), []);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counted, countedShort, STATIONS, signedBani } from './counted.ts';

test('Romanian counts have "de" from 20 of each hundred on', () => {
  const expected: [number, string][] = [
    [0, '0 benzinării'],
    [1, '1 benzinărie'],
    [2, '2 benzinării'],
    [19, '19 benzinării'],
    [20, '20 de benzinării'],
    [100, '100 de benzinării'],
    [101, '101 benzinării'],
    [119, '119 benzinării'],
    [120, '120 de benzinării'],
    [1404, '1.404 benzinării'],
    [2000, '2.000 de benzinării'],
  ];
  for (const [count, text] of expected) assert.equal(counted(count, STATIONS, 'ro'), text);
});

test('differences in bani have their sign and the grammar of their number', () => {
  const bani = [10, -10, -240, 50, 0, 15].map((each) => signedBani(each, 'ro'));
  assert.deepEqual(bani, ['+1 ban', '−1 ban', '−24 de bani', '+5 bani', '0 bani', '+1,5 bani']);
});

test('English counts have a singular and a plural; titles leave "de" out', () => {
  assert.equal(counted(1, STATIONS, 'en'), '1 station');
  assert.equal(counted(1404, STATIONS, 'en'), '1,404 stations');
  assert.equal(countedShort(24, STATIONS, 'ro'), '24 benzinării');
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Rejections, type RowName } from './observation.ts';

const ROW: RowName = { network: 'omv', sourceId: '7' };
const PETROL: RowName = { ...ROW, fuel: 'petrol' };
const DIESEL: RowName = { ...ROW, fuel: 'diesel' };

describe('a row counts once, by its first reason', () => {
  test('when it was refused in part, and its station later', () => {
    const rejections = new Rejections();
    rejections.addRow([ROW, PETROL, DIESEL], { reason: 'bad_phone', sample: '7: x' });
    rejections.addToRow(PETROL, 'ambiguous_station', 'omv 7');
    rejections.addToRow(ROW, 'outside_romania', 'omv 7');
    assert.deepEqual(rejections.counts(), { bad_phone: 1 });
    assert.deepEqual(rejections.samples(), { bad_phone: ['7: x'] });
  });

  test('when each of its prices is refused later', () => {
    const rejections = new Rejections();
    rejections.addRow([ROW, PETROL, DIESEL], null);
    for (const name of [PETROL, DIESEL, PETROL]) rejections.addToRow(name, 'ambiguous_station', 'omv 7');
    assert.deepEqual(rejections.counts(), { ambiguous_station: 1 });
  });

  test('and rows with a name of their own count by themselves', () => {
    const rejections = new Rejections();
    rejections.addRow([PETROL], { reason: 'out_of_range', sample: '' });
    rejections.addRow([DIESEL], null);
    rejections.addToRow(DIESEL, 'older_than_known', '');
    rejections.addToRow(PETROL, 'older_than_known', '');
    assert.deepEqual(rejections.counts(), { older_than_known: 1, out_of_range: 1 });
  });
});

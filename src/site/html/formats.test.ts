import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatBucharestTime, formatCount, formatRon } from './formats.ts';

describe('the formats for people', () => {
  it('write prices with two decimals, after a comma in Romanian, and three only if the third is not 0', () => {
    assert.deepEqual(
      [9_450, 10_000, 7_999, 4_505].map((price) => formatRon(price, 'ro')),
      ['9,45', '10,00', '7,999', '4,505'],
    );
    assert.equal(formatRon(12_000, 'en'), '12.00');
  });

  it('write times in Bucharest time, in winter and in summer', () => {
    assert.equal(formatBucharestTime(Date.parse('2026-11-20T22:30:00Z')), '21 noiembrie 2026 la 00:30');
    assert.equal(formatBucharestTime(Date.parse('2026-07-01T09:05:00Z')), '1 iulie 2026 la 12:05');
  });

  it('separate thousands as the language does', () => {
    assert.deepEqual([formatCount(1_000_000, 'ro'), formatCount(1_000_000, 'en')], ['1.000.000', '1,000,000']);
  });
});

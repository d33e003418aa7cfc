import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dayNumber } from '../../domain/days.ts';
import {
  formatBani,
  formatBucharestTime,
  formatCount,
  formatDay,
  formatKm,
  formatLei,
  formatRon,
  formatShortDay,
  formatWeekdayTime,
  formatZonedTime,
} from './formats.ts';

describe('the formats for people', () => {
  it('write prices with two decimals, after a comma in Romanian, and three only if the third is not 0', () => {
    assert.deepEqual(
      [9_450, 10_000, 7_999, 4_505].map((price) => formatRon(price, 'ro')),
      ['9,45', '10,00', '7,999', '4,505'],
    );
    assert.equal(formatRon(12_000, 'en'), '12.00');
  });

  it('write times in Bucharest time, in winter and in summer', () => {
    assert.equal(formatBucharestTime(Date.parse('2026-11-20T22:30:00Z'), 'ro'), '21 noiembrie 2026 la 00:30');
    assert.equal(formatBucharestTime(Date.parse('2026-07-01T09:05:00Z'), 'ro'), '1 iulie 2026 la 12:05');
    const wednesday = Date.parse('2026-11-25T15:00:00Z');
    assert.equal(formatWeekdayTime(wednesday, 'ro'), 'miercuri, 25 noiembrie 2026 la 17:00 (ora României)');
    assert.equal(formatZonedTime(wednesday, 'ro'), '25 noiembrie 2026 la 17:00 (ora României)');
    assert.equal(formatWeekdayTime(wednesday, 'en'), 'Wednesday, 25 November 2026 at 17:00 (Romanian time)');
  });

  it('separate thousands as the language does', () => {
    assert.deepEqual([formatCount(1_000_000, 'ro'), formatCount(1_000_000, 'en')], ['1.000.000', '1,000,000']);
  });

  it('write differences in bani with their sign', () => {
    assert.deepEqual(
      [30, -15, 0, 170].map((each) => formatBani(each, 'ro')),
      ['+3', '−1,5', '0', '+17'],
    );
  });

  it('write days, distances and whole lei', () => {
    const day = dayNumber('2026-11-22');
    assert.deepEqual([formatDay(day, 'ro'), formatDay(day, 'en')], ['22 noiembrie 2026', '22 November 2026']);
    assert.deepEqual([formatShortDay(day, 'ro'), formatShortDay(day, 'en')], ['22 nov.', '22 Nov']);
    assert.deepEqual([formatKm(3.42, 'ro'), formatKm(3, 'en')], ['3,4 km', '3.0 km']);
    assert.equal(formatLei(484.3, 'ro'), '484');
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseXml } from '@rgrove/parse-xml';
import { dayNumber } from '../../domain/days.ts';
import { chartTable } from './chart-table.ts';

type Prices = (number | null)[];

const table = (prices: Prices, others: Prices[] = [], language: 'ro' | 'en' = 'ro') =>
  chartTable({
    language,
    firstDay: dayNumber('2026-11-22') - prices.length + 1,
    columns: [{ name: 'Preț', prices }, ...others.map((each, n) => ({ name: `<${n}>`, prices: each }))],
  }).text;

/** The texts of each row's cells. */
const rows = (markup: string) =>
  [...markup.matchAll(/<tr><th scope="row">.*?<\/tr>/g)].map(([row]) =>
    [...row.matchAll(/>([^<]+)<\/t[hd]>/g)].map(([, text]) => text),
  );

describe('the table of a chart', () => {
  it('has the newest day first, and what changed', () => {
    assert.deepEqual(rows(table([9_400, 9_430, 9_415])), [
      ['22 nov. 2026', '9,415', '−1,5'],
      ['21 nov. 2026', '9,43', '+3'],
      ['20 nov. 2026', '9,40', '–'],
    ]);
  });

  it('has one row for consecutive days without a change', () => {
    assert.deepEqual(rows(table([9_400, 9_400, 9_430], [], 'en')), [
      ['22 Nov 2026', '9.43', '+3'],
      // The blanks around the dash are those of the Unicode locale data.
      ['20\u2009–\u200921 Nov 2026', '9.40', '–'],
    ]);
  });

  it('compares a price after a gap with the last known one', () => {
    assert.deepEqual(
      rows(table([9_400, null, 9_500])).map(([, price, change]) => [price, change]),
      [
        ['9,50', '+10'],
        ['–', '–'],
        ['9,40', '–'],
      ],
    );
  });

  it('has further columns, whose changes also make a row', () => {
    assert.deepEqual(rows(table([9_400, 9_400], [[9_500, 9_510]])), [
      ['22 nov. 2026', '9,40', '0', '9,51'],
      ['21 nov. 2026', '9,40', '–', '9,50'],
    ]);
  });

  it('has the last price of each month if the period is longer than 400 days', () => {
    const prices = Array.from({ length: 420 }, (_, day) => (day > 417 ? null : 9_000 + 10 * day));
    const found = rows(table(prices));
    assert.equal(found.length, 15);
    assert.deepEqual(found[0], ['noiembrie 2026', '13,17', '+20']);
  });

  it('is nothing without a price', () => {
    assert.equal(table([null, null]), '');
    assert.equal(table([]), '');
  });

  it('is well-formed, with every text escaped', () => {
    parseXml(table([9_400], [[9_500]]));
  });
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { DEFAULT_RANGES } from '../../domain/fuel.ts';
import { listPrice } from './list-price.ts';
import type { Cell } from './list-table.ts';

const plain = (cell: Cell) => listPrice(cell, 'petrol', DEFAULT_RANGES, false);
const worded = (cell: Cell) => listPrice(cell, 'petrol', DEFAULT_RANGES, true);
const good = { price: 8_790, rejected: null };

describe('a price', () => {
  test('is a number, or a text with a dot, in every list', () => {
    for (const cell of [8.79, '8.79', ' 8.790 ', '08.79']) {
      assert.deepEqual(plain(cell), good, `${cell}`);
      assert.deepEqual(worded(cell), good, `${cell}`);
    }
  });

  test('may have a decimal comma and a currency name in a list with a map', () => {
    for (const text of [
      '8,79',
      '8,79 lei/L',
      'RON 8.79',
      '8,79 lei',
      '8.79 RON/l',
      '8,79\u00a0Lei / litru',
      'lei/L 8,79',
      '8.79/l',
      '8,790lei',
      'LEI8,79',
    ]) {
      assert.deepEqual(worded(text), good, text);
      assert.deepEqual(plain(text), { price: null, rejected: 'price_not_a_number' }, text);
    }
  });

  test('with more than one separator is rejected', () => {
    for (const text of ['8.790,00', '8,790.00', '1.234.567', '8 790', '8 790,00', "8'790.00 lei", '8.79 8.99'])
      assert.deepEqual(worded(text), { price: null, rejected: 'price_ambiguous' }, text);
  });

  test('is nothing else', () => {
    for (const text of [
      '1,79 EUR',
      '€8,79',
      '8,79 lei/kg',
      'de la 8,79',
      '8,79*',
      '8e0',
      '0x8',
      'NaN',
      'Infinity',
      '8,',
      ',79',
      '.79',
      '+8,79',
      '٨,٧٩',
      'lei',
    ])
      assert.deepEqual(worded(text), { price: null, rejected: 'price_not_a_number' }, text);
    for (const cell of [true, Number.NaN, Number.POSITIVE_INFINITY] as Cell[])
      assert.deepEqual(worded(cell), { price: null, rejected: 'price_not_a_number' }, `${cell}`);
  });

  test('of nothing or 0 is missing; a negative or absurd one is rejected with a reason', () => {
    for (const cell of [null, '', 0, '0', '0.00', '0,00 lei', '-', '–', ' — '] as Cell[])
      assert.deepEqual(worded(cell), { price: null, rejected: 'no_price' }, `${cell}`);
    assert.deepEqual(worded('-8,79 lei'), { price: null, rejected: 'price_negative' });
    assert.deepEqual(worded('879'), { price: 879_000, rejected: 'out_of_range' });
    assert.deepEqual(worded('999999'), { price: null, rejected: 'out_of_range' });
    assert.deepEqual(worded('5,499'), { price: 5_499, rejected: 'out_of_range' });
  });

  test('of thousandths is the same in every spelling', () => {
    fc.assert(
      fc.property(fc.integer({ min: 5_500, max: 12_000 }), (milli) => {
        const dot = (milli / 1000).toFixed(3);
        for (const text of [dot, dot.replace('.', ','), `${dot} lei`, `RON ${dot.replace('.', ',')}`])
          assert.deepEqual(worded(text), { price: milli, rejected: null });
      }),
    );
  });
});

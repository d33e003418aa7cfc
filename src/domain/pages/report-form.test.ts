import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseLei, parseShownFuel, shownFuelText } from './report-form.ts';

describe('the form of a report', () => {
  test('writes a fuel with the price that is shown as it reads it', () => {
    for (const shown of [
      { fuel: 'diesel_premium', shownPrice: 10_485 },
      { fuel: 'lpg', shownPrice: null },
    ] as const)
      assert.deepEqual(parseShownFuel(shownFuelText(shown)), shown);
    for (const text of ['', 'water', 'petrol 7.45', 'petrol  7450', 'petrol 12345678', 'petrol 7450 ', '__proto__'])
      assert.equal(parseShownFuel(text), null, text);
  });

  test('reads a price in lei with a comma or a dot, and nothing else', () => {
    for (const [text, price] of [
      ['7,59', 7_590],
      ['7.5', 7_500],
      [' 10,485 lei ', 10_485],
      ['8 RON/l', 8_000],
      ['0', 0],
      ['99', 99_000],
    ] as const)
      assert.equal(parseLei(text), price, text);
    for (const text of ['', 'x', '-7,59', '7,5999', '7,59,1', '1e3', '7 59', '1234', '７,59'])
      assert.equal(parseLei(text), null, text);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { columnsOf } from './price-series.ts';
import { stepArea, stepLine } from './step-path.ts';

const TOP = 10_000;

describe('a step line', () => {
  it('holds a price until it changes', () => {
    assert.equal(stepLine(columnsOf([9_500, 9_500, 9_530, 9_520]), TOP), 'M0 50h2v-3h1v1h1');
  });

  it('is interrupted where there is no price', () => {
    assert.equal(stepLine(columnsOf([null, 9_500, null, null, 9_500, null]), TOP), 'M1 50h1M4 50h1');
  });

  it('keeps thousandths, and does not drift however many there are', () => {
    assert.equal(stepLine(columnsOf([9_594, 9_590]), TOP), 'M0 40.6h1v.4h1');
    const sawtooth = Array.from({ length: 501 }, (_, day) => 9_500 + (day % 2) * 3);
    assert.match(stepLine(columnsOf(sawtooth), TOP), /^M0 50(h1v-\.3h1v\.3){250}h1$/);
  });

  it('touches the extremes of days that share a column', () => {
    const prices = Array.from({ length: 1464 }, (_, day) => (day === 700 ? 9_000 : day === 1001 ? 9_900 : 9_500));
    assert.equal(stepLine(columnsOf(prices), TOP), 'M0 50h700v50v-50h300v-40v40h464');
  });
});

describe('a step area', () => {
  const area = (lows: (number | null)[], highs: (number | null)[]) => stepArea(columnsOf(lows), columnsOf(highs), TOP);

  it('runs along the highest prices and returns along the lowest', () => {
    assert.equal(area([9_400, 9_450], [9_600, 9_650]), 'M0 40h1v-5h1v20h-1v5h-1z');
  });

  it('is interrupted where either price is missing', () => {
    assert.equal(area([9_400, null, 9_400, 9_400], [9_600, 9_600, null, 9_600]), 'M0 40h1v20h-1zM3 40h1v20h-1z');
  });

  it('is nothing without prices', () => {
    assert.equal(area([null], [null]), '');
  });
});

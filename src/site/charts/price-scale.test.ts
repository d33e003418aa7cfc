import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { positionOf, priceScale } from './price-scale.ts';

describe('the scale of prices', () => {
  it('has grid lines at round prices', () => {
    assert.deepEqual(priceScale(9_300, 9_690).gridPrices, [9_300, 9_400, 9_500, 9_600, 9_700]);
    assert.deepEqual(priceScale(4_200, 10_400).gridPrices, [4_000, 6_000, 8_000, 10_000]);
  });

  it('spans at least 20 bani, so that a change of 1 ban looks small', () => {
    const scale = priceScale(9_590, 9_600);
    assert.ok(Math.abs(positionOf(9_590, scale) - positionOf(9_600, scale)) < 0.05);
  });

  it('has 2 to 6 grid lines, and every price inside, with room for a label below the lowest', () => {
    const ends = fc.tuple(fc.integer({ min: 1_000, max: 20_000 }), fc.integer({ min: 0, max: 19_000 }));
    fc.assert(
      fc.property(ends, ([lowest, span]) => {
        const scale = priceScale(lowest, lowest + span);
        const { gridPrices } = scale;
        assert.ok(gridPrices.length >= 2 && gridPrices.length <= 6, `${gridPrices}`);
        for (const price of [...gridPrices, lowest, lowest + span]) {
          assert.ok(positionOf(price, scale) >= 0 && positionOf(price, scale) <= 1);
        }
        if (scale.bottom > 0) assert.ok(positionOf(lowest, scale) <= 0.9);
        assert.equal((scale.bottom % 10) + (scale.top % 10), 0);
      }),
    );
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { DEFAULT_RANGES, FUELS, isInRange, meanToBani, STANDARD_GRADE_OF, toMilliPrice } from './fuel.ts';

/** A decimal text → thousandths, half up, without floating point. */
function milliOf(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  const digits = BigInt(whole + fraction.padEnd(4, '0').slice(0, 4));
  return (digits + 5n) / 10n;
}

describe('a price in thousandths', () => {
  it('is the decimal text rounded half up, free of floating-point errors', () => {
    const aText = fc
      .tuple(fc.integer({ min: 0, max: 99 }), fc.integer({ min: 0, max: 9_999 }))
      .map(([ron, fraction]) => `${ron}.${String(fraction).padStart(4, '0')}`);
    fc.assert(
      fc.property(aText, (text) => {
        const expected = Number(milliOf(text));
        assert.equal(toMilliPrice(Number(text)), expected === 0 ? null : expected);
      }),
      { numRuns: 5_000 },
    );
    assert.equal(toMilliPrice(1.0005), 1_001);
    assert.equal(toMilliPrice(7.4565), 7_457);
  });

  it('is null for a number that is not a price: zero, negative, not finite, absurd', () => {
    for (const none of [0, -0, -1, -0.0005, 0.0004, Number.NaN, Number.POSITIVE_INFINITY, 1e9, 1_000.001]) {
      assert.equal(toMilliPrice(none), null, String(none));
    }
    assert.equal(toMilliPrice(1_000), 1_000_000);
  });
});

describe('a mean', () => {
  it('has 2 decimals, half up, exactly', () => {
    assert.equal(meanToBani([7_450, 7_459]), 7_450);
    assert.equal(meanToBani([7_450, 7_460]), 7_460);
    assert.equal(meanToBani([7_455]), 7_460);
    assert.equal(meanToBani([7_454]), 7_450);
  });

  it('agrees with whole-number arithmetic for any prices', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 20_000 }), { minLength: 1, maxLength: 300 }), (prices) => {
        const sum = prices.reduce((total, price) => total + BigInt(price), 0n);
        const count = BigInt(prices.length);
        // floor(sum / (10 n) + 1/2) as one fraction.
        const bani = (sum + 5n * count) / (10n * count);
        assert.equal(meanToBani(prices), Number(bani) * 10);
      }),
    );
  });

  it('stays exact over ten thousand prices whose mean ends in exactly half a ban', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), fc.integer({ min: 100, max: 2_000 }), (count, bani) => {
        const half = Array.from({ length: count }, () => 10 * bani + 5);
        assert.equal(meanToBani(half), (bani + 1) * 10);
        assert.equal(meanToBani([...half.slice(1), 10 * bani + 4]), bani * 10);
      }),
    );
  });

  it('over nothing is null', () => {
    assert.equal(meanToBani([]), null);
  });
});

describe('the fuels', () => {
  it('are in the contract’s order, AdBlue last', () => {
    assert.deepEqual(FUELS, ['petrol', 'petrol_premium', 'diesel', 'diesel_premium', 'lpg', 'adblue']);
  });

  it('each have the range of the contract, both ends included', () => {
    const ranges = {
      petrol: [5_500, 12_000],
      petrol_premium: [5_500, 12_000],
      diesel: [5_500, 13_000],
      diesel_premium: [5_500, 13_000],
      lpg: [2_500, 6_000],
      adblue: [1_000, 20_000],
    } as const;
    for (const fuel of FUELS) {
      const [min, max] = ranges[fuel];
      const believed = [min - 1, min, max, max + 1].map((price) => isInRange(price, fuel, DEFAULT_RANGES));
      assert.deepEqual(believed, [false, true, true, false], fuel);
    }
  });

  it('have a standard one only for premium petrol and premium diesel', () => {
    const known = Object.entries(STANDARD_GRADE_OF).filter(([, standard]) => standard !== undefined);
    assert.deepEqual(known, [
      ['petrol_premium', 'petrol'],
      ['diesel_premium', 'diesel'],
    ]);
  });
});

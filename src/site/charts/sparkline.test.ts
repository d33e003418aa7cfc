import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseXml } from '@rgrove/parse-xml';
import fc from 'fast-check';
import { sparkline } from './sparkline.ts';

describe('a sparkline', () => {
  it('sends at most 0.4 kB for 30 days of a price that changes twice a week', () => {
    const prices = Array.from({ length: 30 }, (_, day) => 9_500 + 10 * ((Math.floor(day / 3.5) * 7) % 5));
    const { length } = sparkline(prices, 'Ultimele 30 de zile').text;
    assert.ok(length <= 400, `${length} bytes`);
  });

  it('has a gap where no price is known, and its dot at the last price', () => {
    const markup = sparkline([9_500, null, 9_500, null], 'x').text;
    assert.match(markup, /d="M0 [\d.]+h1M2 [\d.]+h1"/);
    assert.match(markup, /<circle cx="88.8"/);
  });

  it('is nothing if no day has a price', () => {
    assert.equal(sparkline([null, null], 'x').text, '');
    assert.equal(sparkline([], 'x').text, '');
  });

  it('says what it shows, and is well-formed with its dot inside, whatever the prices and the label', () => {
    const anyPrices = fc.array(fc.integer({ min: 1_000, max: 20_000 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(anyPrices, fc.string({ unit: 'grapheme-ascii' }), (prices, label) => {
        const markup = sparkline(prices, label).text;
        assert.equal(parseXml(markup).root?.attributes['aria-label'], label);
        const y = Number(/cy="([^"]+)"/.exec(markup)?.[1]);
        assert.ok(y >= 1 && y <= 27, `${y}`);
      }),
    );
  });
});

/** The first page. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DESKTOP, useChromium, visit } from '../support/chromium.ts';
import { priceText, readJson } from '../support/demo-site.ts';

type National = {
  readonly preturi: Readonly<Record<string, Readonly<Record<'min' | 'mediu' | 'max', number>>>>;
};

describe('the home page', () => {
  useChromium();

  for (const [device, options] of Object.entries({ phone: {}, desktop: DESKTOP }))
    test(`shows the average, lowest and highest price of each fuel, as the API has them, on a ${device}`, async () => {
      const page = await visit('/', options);
      const { preturi } = await readJson<National>('/api/v1/preturi/minime');
      const cards = await page.locator('.fuel-cards li').allInnerTexts();
      const expected = Object.values(preturi).map(({ min, mediu, max }) => [mediu, min, max].map(priceText));
      assert.deepEqual(
        cards.map((card) => card.match(/\d+,\d\d(?! bani)/g)),
        expected,
      );
    });
});

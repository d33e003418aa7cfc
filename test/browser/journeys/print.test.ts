/** A page on paper. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DESKTOP, testWithAndWithoutCode, useChromium, visit } from '../support/chromium.ts';

/** What nobody can use on paper. */
const NOT_FOR_PAPER = [
  'header.top',
  '.skip',
  '.tabs',
  'main search',
  '.near-me',
  '.star',
  '.alert-offer',
  'form',
  '.leaflet-control-zoom',
];

/** Pages by what must be readable on each. */
const PAGES = {
  '/': ['.fuel-cards strong', 'main table td', '.banner'],
  '/azi': ['h1', 'main p'],
  '/preturi-carburanti/brasov': ['table.prices td.num', 'main table'],
  '/preturi-carburanti/brasov/motorina': ['.map-frame', '.ranking .price strong', '.figures dd', '.foot'],
  '/traseu/bucuresti/brasov': ['.ranking .price strong', '.figures dd'],
  '/harta': ['[data-part="list"] .price strong'],
};

describe('on paper', () => {
  useChromium();

  testWithAndWithoutCode('pages keep what they say and leave out what only a screen can use', async (hasCode) => {
    const page = await visit('/', { ...DESKTOP, hasCode });
    await page.emulateMedia({ media: 'print' });
    for (const [path, wanted] of Object.entries(PAGES)) {
      await page.goto(path);
      for (const selector of wanted)
        assert.ok(await page.locator(selector).first().isVisible(), `${path} hides ${selector}`);
      for (const selector of NOT_FOR_PAPER)
        assert.equal(await page.locator(selector).filter({ visible: true }).count(), 0, `${path} prints ${selector}`);
    }
  });

  test('a station’s page prints the charts of all its fuels', async () => {
    const page = await visit('/preturi-carburanti/brasov/motorina', DESKTOP);
    await page.locator('.ranking a').first().click();
    await page.getByRole('heading', { name: 'Prețurile acum' }).waitFor();
    await page.emulateMedia({ media: 'print' });
    const charts = await page.locator('.chart').count();
    assert.ok(charts > 1);
    assert.equal(await page.getByText('Un preț este greșit?').isVisible(), false);
    assert.equal(await page.locator('.chart').filter({ visible: true }).count(), charts);
  });
});

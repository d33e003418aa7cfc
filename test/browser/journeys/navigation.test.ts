/** Between pages and languages, back, and where there is no page. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testWithAndWithoutCode, useChromium, visit } from '../support/chromium.ts';

/** Pages of every kind that exists in both languages. */
const PAGES = [
  ['/', '/en'],
  ['/azi', '/en/today'],
  ['/preturi-carburanti/brasov', '/en/fuel-prices/brasov'],
  ['/preturi-carburanti/brasov/motorina', '/en/fuel-prices/brasov/diesel'],
  ['/judet/cluj', '/en/county/cluj'],
  ['/retea/petrom', '/en/network/petrom'],
  ['/traseu/bucuresti/brasov?tip=motorina&litri=40', '/en/route/bucuresti/brasov?tip=diesel&litri=40'],
  ['/harta?tip=gpl', '/en/map?tip=lpg'],
  ['/cautare?q=brasov', '/en/search?q=brasov'],
  ['/alerte', '/en/alerts'],
] as const;

describe('the other language', () => {
  useChromium();

  testWithAndWithoutCode('is one tap away on every page, and the page stays the same', async (hasCode) => {
    const page = await visit('/', { hasCode });
    for (const [romanian, english] of PAGES) {
      await page.goto(romanian);
      await page.getByRole('link', { name: 'English', exact: true }).click();
      await page.waitForURL(`**${english}`);
      assert.equal(await page.locator('html').getAttribute('lang'), 'en');
      await page.getByRole('link', { name: 'Română', exact: true }).click();
      await page.waitForURL(`**${romanian}`);
      assert.equal(await page.locator('html').getAttribute('lang'), 'ro');
    }
  });
});

describe('the back button', () => {
  useChromium();

  testWithAndWithoutCode('returns to the results of a search and to what was typed', async (hasCode) => {
    const page = await visit('/', { hasCode });
    await page.getByRole('main').getByRole('searchbox').fill('petrom brasov');
    await page.getByRole('main').getByRole('searchbox').press('Enter');
    await page.locator('.ranking a').first().click();
    await page.getByRole('heading', { name: 'Prețurile acum' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Rezultate pentru „petrom brasov”' }).waitFor();
    assert.equal(await page.getByRole('main').getByRole('searchbox').inputValue(), 'petrom brasov');
  });

  test('returns to the place in a long list', async () => {
    const page = await visit('/preturi-carburanti/bucuresti/benzina');
    const link = page.locator('.ranking a').nth(30);
    await link.scrollIntoViewIfNeeded();
    const before = await page.evaluate(() => scrollY);
    assert.ok(before > 500);
    await link.click();
    await page.getByRole('heading', { name: 'Prețurile acum' }).waitFor();
    await page.goBack();
    await page.waitForFunction((y) => Math.abs(scrollY - y) < 50, before);
  });

  testWithAndWithoutCode('returns to the choices of a map', async (hasCode) => {
    const page = await visit('/harta', { hasCode });
    await page.locator('.choices').getByText('GPL', { exact: true }).click();
    if (!hasCode) await page.getByRole('button', { name: 'Arată' }).click();
    await page.getByRole('heading', { name: 'Prețul GPL-ului pe hartă' }).waitFor();
    await page.locator('[data-part="list"] a').first().click();
    await page.getByRole('heading', { name: 'Prețurile acum' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Prețul GPL-ului pe hartă' }).waitFor();
    assert.equal(await page.locator('.choices input:checked').inputValue(), 'gpl');
  });
});

describe('an address without a page', () => {
  useChromium();

  testWithAndWithoutCode('says so, and helps on', async (hasCode) => {
    const page = await visit('/', { hasCode });
    const response = await page.goto('/preturi-carburanti/atlantida');
    assert.equal(response?.status(), 404);
    await page.getByRole('heading', { name: 'Pagina nu există' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'București' }).waitFor();
    await page.getByRole('main').getByRole('searchbox').fill('brasov');
    await page.getByRole('main').getByRole('searchbox').press('Enter');
    await page.getByRole('main').getByRole('link', { name: 'Brașov', exact: true }).waitFor();
    assert.equal((await page.goto('/en/nowhere'))?.status(), 404);
    assert.equal(await page.locator('html').getAttribute('lang'), 'en');
  });
});

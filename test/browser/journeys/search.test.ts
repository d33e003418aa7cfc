/** From a name to the prices there. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testWithAndWithoutCode, useChromium, visit } from '../support/chromium.ts';
import { priceText, readJson, stationsAround } from '../support/demo-site.ts';

type Cities = { readonly rezultate: readonly { readonly slug: string; readonly lat: number; readonly lng: number }[] };

const FUELS = ['benzina_standard', 'benzina_premium', 'motorina_standard', 'motorina_premium', 'gpl'];

describe('search', () => {
  useChromium();

  testWithAndWithoutCode(
    'leads from the name of a town to its page and to a station, with the prices of the API',
    async (hasCode) => {
      const page = await visit('/', { hasCode });
      const main = page.getByRole('main');
      await main.getByRole('searchbox').fill('cluj napoca');
      await main.getByRole('searchbox').press('Enter');
      await main.getByRole('heading', { name: 'Rezultate pentru „cluj napoca”' }).waitFor();
      await main.getByRole('link', { name: 'Cluj-Napoca', exact: true }).click();
      await main.getByRole('heading', { name: 'Prețuri carburanți în Cluj-Napoca' }).waitFor();

      const { rezultate } = await readJson<Cities>('/api/v1/preturi');
      const city = rezultate.find(({ slug }) => slug === 'cluj-napoca');
      assert.ok(city);
      const shown = await main.locator('table.prices tbody td.num').allInnerTexts();
      const { benzina, benzina_premium, motorina, motorina_premium, gpl } = city as unknown as Record<string, number>;
      assert.deepEqual(
        shown,
        [benzina, benzina_premium, motorina, motorina_premium, gpl].map((price) => priceText(price ?? 0)),
      );

      await main.locator('table.prices tbody tr').first().getByRole('link').nth(1).click();
      await main.getByRole('heading', { name: 'Prețurile acum' }).waitFor();
      const id = new URL(page.url()).pathname.split('-').at(-1);
      const records = await Promise.all(FUELS.map((fuel) => stationsAround(city, 10, fuel)));
      const prices = records.flatMap((all) =>
        all.filter((record) => record.id === id).map(({ pret }) => priceText(pret)),
      );
      assert.deepEqual(await main.locator('.ranking').first().locator('.price strong').allInnerTexts(), prices);
      assert.ok(prices.length > 1);
    },
  );

  testWithAndWithoutCode('says what to do when nothing has the name', async (hasCode) => {
    const page = await visit('/cautare?q=xyzzy', { hasCode });
    await page.getByRole('heading', { name: 'Rezultate pentru „xyzzy”' }).waitFor();
    await page.getByText('Nu s-a găsit nimic cu acest nume.').waitFor();
    await page.getByRole('main').getByRole('searchbox').fill('brasov');
    await page.getByRole('main').getByRole('button', { name: 'Caută' }).click();
    await page.getByRole('main').getByRole('link', { name: 'Brașov', exact: true }).waitFor();
  });

  test('suggests while somebody types, and the arrow keys choose', async () => {
    const page = await visit('/');
    const field = page.getByRole('main').getByRole('searchbox');
    const suggestions = page.getByRole('main').getByRole('list', { name: 'Sugestii' }).getByRole('link');
    // One input: with several, a later answer may replace the list after the key.
    await field.fill('cluj');
    await suggestions.first().waitFor();
    assert.match(await suggestions.first().innerText(), /^Cluj-Napoca/);
    await field.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    assert.equal(await focusedText(), await suggestions.nth(1).innerText());
    await page.keyboard.press('ArrowUp');
    assert.equal(await focusedText(), await suggestions.first().innerText());
    await page.keyboard.press('Escape');
    await suggestions.first().waitFor({ state: 'hidden' });
    assert.equal(await field.evaluate((element) => element === document.activeElement), true);
    await field.fill('cluj napoca motorina');
    await suggestions.first().waitFor();
    await field.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/preturi-carburanti/cluj-napoca/motorina');

    function focusedText(): Promise<string> {
      return page.evaluate(() => (document.activeElement as HTMLElement).innerText);
    }
  });
});

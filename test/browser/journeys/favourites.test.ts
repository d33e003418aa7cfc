/** What a browser keeps for its owner: favourites, and a page for when there is no connection. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { useChromium, visit } from '../support/chromium.ts';

describe('favourites', () => {
  useChromium();

  test('are on the home page in both languages until they are removed', async () => {
    const page = await visit('/preturi-carburanti/brasov');
    await page.getByRole('button', { name: 'Adaugă la favorite' }).click();
    await page.getByRole('button', { name: 'Scoate din favorite', pressed: true }).waitFor();
    await page.goto('/en');
    const favourites = page.locator('.favourites');
    assert.deepEqual(await favourites.getByRole('link').allInnerTexts(), ['Brașov']);
    await favourites.getByText(/^lowest price: petrol \d+\.\d\d · diesel \d+\.\d\d · LPG \d+\.\d\d$/).waitFor();
    await favourites.getByRole('link').click();
    await page.waitForURL('**/en/fuel-prices/brasov');
    await page.getByRole('button', { pressed: true }).click();
    await page.goBack();
    await favourites.waitFor({ state: 'hidden' });
  });

  test('have the prices of their pages, and can be removed one by one', async () => {
    const page = await visit('/preturi-carburanti/brasov');
    await page.getByRole('button', { name: 'Adaugă la favorite' }).click();
    const lowest = await page
      .locator('main table')
      .first()
      .getByText(/^\d+,\d\d/)
      .first()
      .innerText();
    await page.goto('/preturi-carburanti/cluj-napoca');
    await page.getByRole('button', { name: 'Adaugă la favorite' }).click();
    await page.goto('/');
    const items = page.locator('.favourites li');
    await items.getByText('cel mai mic preț').first().waitFor();
    assert.match(await items.first().innerText(), new RegExp(`benzină ${lowest.slice(0, 4)} `));
    await page.getByRole('button', { name: 'Scoate Brașov' }).click();
    assert.deepEqual(await items.getByRole('link').allInnerTexts(), ['Cluj-Napoca']);
    assert.match(await page.evaluate(() => document.activeElement?.ariaLabel ?? ''), /Cluj-Napoca/);
    await page.getByRole('button', { name: 'Scoate Cluj-Napoca' }).click();
    await page.locator('.favourites').waitFor({ state: 'hidden' });
  });

  test('offer nothing that would not work without JavaScript', async () => {
    const page = await visit('/preturi-carburanti/brasov', { hasCode: false });
    assert.equal(await page.locator('.star').isVisible(), false);
    await page.goto('/');
    assert.equal(await page.locator('.favourites').isVisible(), false);
  });
});

describe('without a connection', () => {
  useChromium();

  test('the site of somebody with favourites says so in the language of the page', async () => {
    const page = await visit('/preturi-carburanti/brasov');
    await page.getByRole('button', { name: 'Adaugă la favorite' }).click();
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await page.context().setOffline(true);
    await page.goto('/preturi-carburanti/cluj-napoca');
    await page.getByRole('heading', { name: 'Nu există conexiune la internet' }).waitFor();
    await page.goto('/en/today');
    await page.getByRole('heading', { level: 1, name: /connection/ }).waitFor();
    await page.context().setOffline(false);
    await page.goto('/preturi-carburanti/cluj-napoca');
    assert.match(await page.title(), /Cluj-Napoca/);
  });
});

/** The map of all stations. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { DESKTOP, testWithAndWithoutCode, useChromium, visit } from '../support/chromium.ts';
import { priceText, readJson, stationsAround } from '../support/demo-site.ts';

const BRASOV = { lat: 45.65, lng: 25.6 };
const VIEW = `#12/${BRASOV.lat.toFixed(4)}/${BRASOV.lng.toFixed(4)}`;

describe('the map', () => {
  useChromium();

  test('shows the prices of the API, and keeps fuel, network and view in the address', async () => {
    const page = await visitMap(`/harta${VIEW}`);
    await page.locator('.choices').getByText('Motorină', { exact: true }).click();
    await page.getByRole('heading', { name: 'Prețul motorinei pe hartă' }).waitFor();
    await page.locator('.map-filters select').selectOption({ label: 'Petrom' });
    await page.waitForURL('**/harta?tip=motorina&retea=petrom#12/**');
    const records = await stationsAround(BRASOV, 3, 'motorina_standard');
    const prices = records
      .filter(({ brand, nesigur }) => brand === 'Petrom' && nesigur !== true)
      .map(({ pret }) => priceText(pret));
    const [cheapest] = prices.sort();
    assert.equal(await page.locator('.map .pill').first().innerText(), cheapest);

    const shared = await visitMap(page.url());
    assert.equal(await shared.locator('.map-filters select').inputValue(), 'petrom');
    assert.equal(await shared.locator('.choices input:checked').inputValue(), 'motorina');
    assert.deepEqual(await pillsOf(shared), await pillsOf(page));
    await page.reload();
    assert.equal(await page.locator('.map-filters select').inputValue(), 'petrom');
  });

  test('follows a choice that somebody made before it was ready', async () => {
    const page = await visit('/', { serviceWorkers: 'block' });
    const held = Promise.withResolvers<void>();
    await page.route('**/harta/statii.json*', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto('/harta');
    await page.locator('.choices').getByText('GPL', { exact: true }).click();
    held.resolve();
    await page.getByRole('heading', { name: 'Prețul GPL-ului pe hartă' }).waitFor();
    assert.match(page.url(), /tip=gpl/);
  });

  test('says in a popup what a station charges, and leads to its page', async () => {
    const page = await visitMap(`/harta${VIEW}`);
    const pill = page.locator('.map .pill').first();
    const price = await pill.innerText();
    await pill.click();
    const popup = page.locator('.station-popup');
    await popup.waitFor();
    // The map moves to make room for the popup: a press while it moves can hit what lies behind.
    await page.locator('.leaflet-pan-anim').waitFor({ state: 'detached' });
    assert.equal(await popup.locator('strong').innerText(), `${price} lei`);
    assert.equal(
      await popup
        .getByRole('link', { name: 'Waze' })
        .getAttribute('href')
        .then((href) => href?.startsWith('https://waze.com/ul?ll=45.')),
      true,
    );
    await popup.getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Prețurile acum' }).waitFor();
    assert.equal(await page.locator('.ranking .price strong').first().innerText(), price);
    await page.goBack();
    await page.locator('.map .pill').first().waitFor();
    // The map moved a little to make room for the popup.
    assert.match(page.url(), /#12\/45\.6\d+\/25\.[56]/);
  });

  test('works by keyboard, cheapest first', async () => {
    const page = await visitMap(`/harta${VIEW}`, DESKTOP);
    const prices = (await pillsOf(page)).map((text) => Number(text.replace(',', '.')));
    assert.deepEqual(
      prices,
      prices.toSorted((a, b) => a - b),
    );
    await page.locator('.map').first().focus();
    await page.keyboard.press('Tab');
    const opener = await focusedLabel(page);
    assert.match(opener ?? '', /: \d+,\d\d lei$/);
    await page.keyboard.press('Enter');
    await page.locator('.station-popup').waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.closest('.station-popup') !== null), true);
    await page.keyboard.press('Escape');
    await page.locator('.station-popup').waitFor({ state: 'detached' });
    assert.equal(await focusedLabel(page), opener);
    await page.locator('.map').first().focus();
    await page.keyboard.press('+');
    await page.waitForURL('**/harta#13/**');
  });

  test('is dark for who wants it dark', async () => {
    const colours = await Promise.all(
      (['light', 'dark'] as const).map(async (colorScheme) => {
        const page = await visitMap('/harta', { colorScheme });
        return page
          .locator('.map')
          .first()
          .evaluate((map) => getComputedStyle(map).backgroundColor);
      }),
    );
    const [light, dark] = colours.map((colour) => Math.max(...(colour.match(/\d+/g) ?? []).slice(0, 3).map(Number)));
    assert.ok((light ?? 0) > 180 && (dark ?? 255) < 90, colours.join(' and '));
  });

  testWithAndWithoutCode('has a list of the cheapest stations, which follows the choice of fuel', async (hasCode) => {
    const page = await visit('/harta', { hasCode });
    await page.locator('.choices').getByText('GPL', { exact: true }).click();
    if (!hasCode) await page.getByRole('button', { name: 'Arată' }).click();
    await page.getByRole('heading', { name: 'Prețul GPL-ului pe hartă' }).waitFor();
    assert.match(page.url(), /tip=gpl/);
    const { preturi } = await readJson<{ preturi: { gpl: { min: number } } }>('/api/v1/preturi/minime');
    const cheapest = page.locator('[data-part="list"] .price strong').first();
    assert.equal(await cheapest.innerText(), priceText(preturi.gpl.min));
    assert.equal(await page.locator('noscript img').count(), hasCode ? 0 : 1);
  });
});

async function visitMap(path: string, options: Parameters<typeof visit>[1] = {}): Promise<Page> {
  const page = await visit(path, options);
  await page.locator('.map .pill').first().waitFor();
  return page;
}

function pillsOf(page: Page): Promise<string[]> {
  return page.locator('.map .pill').allInnerTexts();
}

function focusedLabel(page: Page): Promise<string | null> {
  return page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? null);
}

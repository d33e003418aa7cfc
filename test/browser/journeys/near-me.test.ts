/** The stations around a driver. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { useChromium, visit } from '../support/chromium.ts';
import { priceText, stationsAround } from '../support/demo-site.ts';

/** In Brașov, more exactly than the page may tell anybody. */
const HERE = { latitude: 45.6512345, longitude: 25.6054321 };
const ROUNDED = { lat: 45.651, lng: 25.605 };

describe('near me', () => {
  useChromium();

  test('asks for the position at a tap, rounds it, and ranks the stations around it by price', async () => {
    const page = await visit('/', { geolocation: HERE, permissions: ['geolocation'] });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(`${request.url()} ${request.postData() ?? ''}`));
    await page.getByRole('button', { name: 'Lângă mine' }).click();
    await page.getByRole('heading', { name: 'Prețul benzinei lângă mine' }).waitFor();
    assert.match(page.url(), /\/langa-mine\?lat=45\.651&lng=25\.605$/);
    assert.deepEqual(
      asked.filter((text) => text.includes('45.6512') || text.includes('25.6054')),
      [],
    );

    await page.getByRole('img', { name: 'Poziția dumneavoastră' }).first().waitFor();
    const records = await stationsAround(ROUNDED, 5, 'benzina_standard');
    const trusted = records.filter(({ nesigur }) => nesigur !== true);
    const prices = trusted.map(({ pret }) => pret).sort((a, b) => a - b);
    const shown = await page.locator('.ranking').first().locator('.price strong').allInnerTexts();
    assert.ok(shown.length > 3);
    assert.deepEqual(shown, prices.map(priceText).slice(0, shown.length));
    const kept = await page.evaluate(() => [
      JSON.stringify(localStorage),
      JSON.stringify(sessionStorage),
      document.cookie,
    ]);
    assert.deepEqual(kept, ['{}', '{}', '']);
  });

  test('says how to go on when the browser gives no position', async () => {
    const page = await visit('/langa-mine', { permissions: [] });
    await page.getByRole('button', { name: 'Lângă mine' }).click();
    await page.getByText(/^Browserul nu a dat poziția\. .* sau căutați localitatea după nume\.$/).waitFor();
    await page.getByRole('main').getByRole('searchbox').waitFor();
  });

  test('is without JavaScript a page that searches by name', async () => {
    const page = await visit('/', { hasCode: false });
    await page.getByRole('main').getByRole('link', { name: 'Lângă mine' }).click();
    await page.waitForURL('**/langa-mine');
    assert.equal(await page.getByRole('button', { name: 'Lângă mine' }).isVisible(), false);
    await page.getByRole('main').getByRole('searchbox').fill('brasov');
    await page.getByRole('main').getByRole('searchbox').press('Enter');
    await page.getByRole('main').getByRole('link', { name: 'Brașov', exact: true }).waitFor();
  });
});

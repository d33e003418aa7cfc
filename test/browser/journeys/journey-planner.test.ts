/** Where to refuel on the way to another town. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testWithAndWithoutCode, useChromium, visit } from '../support/chromium.ts';
import { priceText, stationsAround } from '../support/demo-site.ts';

describe('the journey planner', () => {
  useChromium();

  testWithAndWithoutCode('finds stops, keeps the choices in an address, and plans the way back', async (hasCode) => {
    const page = await visit('/', { hasCode });
    await page.getByRole('link', { name: 'Pe drum', exact: true }).click();
    const main = page.getByRole('main');
    await main.getByLabel('De la').fill('bucuresti');
    await main.getByLabel('Până la').fill('Brașov');
    await main.getByLabel('Carburant').selectOption({ label: 'Motorină' });
    await main.getByText('Litri, consum, timp, distanță').click();
    await main.getByLabel('Litri de cumpărat').fill('40');
    await main.getByRole('button', { name: 'Caută opriri' }).click();
    await main.getByRole('heading', { name: 'Carburant ieftin pe drumul București – Brașov' }).waitFor();
    await main.getByText('Economie la 40 de litri').waitFor();

    const best = main.locator('.figures div').first();
    const [price] = /\d+,\d\d/.exec(await best.innerText()) ?? [];
    await main.getByRole('heading', { name: 'Opriri care merită' }).waitFor();
    const stops = await main.locator('.ranking').first().innerText();

    const shared = await main.locator('a.address').innerText();
    const other = await visit(shared, { hasCode });
    assert.equal(await other.locator('main .ranking').first().innerText(), stops);
    assert.equal(await other.getByLabel('Litri de cumpărat').inputValue(), '40');
    assert.equal(await other.getByLabel('Carburant').evaluate((field: HTMLSelectElement) => field.value), 'motorina');

    await best.getByRole('link').click();
    await main.getByRole('heading', { name: 'Prețurile acum' }).waitFor();
    const id = new URL(page.url()).pathname.split('-').at(-1);
    const point = /geo:([\d.]+),([\d.]+)/.exec(await page.content());
    const around = await stationsAround({ lat: Number(point?.[1]), lng: Number(point?.[2]) }, 1, 'motorina_standard');
    assert.deepEqual(
      around.filter((record) => record.id === id).map(({ pret }) => priceText(pret)),
      [price],
    );

    await page.goBack();
    await main.getByRole('link', { name: 'Drumul de întoarcere: Brașov – București' }).click();
    await main.getByRole('heading', { name: 'Carburant ieftin pe drumul Brașov – București' }).waitFor();
    await main.getByText('Economie la 40 de litri').waitFor();
  });

  testWithAndWithoutCode('asks again when it does not know a place', async (hasCode) => {
    const page = await visit('/traseu?de=bucuresti&la=xyzzy', { hasCode });
    assert.match(await page.getByRole('main').innerText(), /xyzzy/);
    assert.equal(await page.getByLabel('De la').inputValue(), 'bucuresti');
  });

  test('suggests places while somebody types, and the keys fill the field', async () => {
    const page = await visit('/traseu');
    const field = page.getByRole('combobox', { name: 'De la' });
    // One input: with several, a later answer may replace the list after the key.
    await field.fill('iasi');
    await page.getByRole('option', { name: /^Iași/ }).first().waitFor();
    await field.press('ArrowDown');
    assert.equal(await field.getAttribute('aria-activedescendant'), 'de-sugestii-0');
    await field.press('Enter');
    assert.deepEqual([await field.inputValue(), await field.getAttribute('aria-expanded')], ['Iași', 'false']);
    assert.equal(new URL(page.url()).pathname, '/traseu');
  });
});

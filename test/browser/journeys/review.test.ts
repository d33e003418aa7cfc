/** What a driver thinks of a station. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { testWithAndWithoutCode, useChromium, visit } from '../support/chromium.ts';

describe('a review', () => {
  useChromium();

  testWithAndWithoutCode('of stars alone counts at once, and only once a day', async (hasCode) => {
    const page = await visitStation(hasCode ? 0 : 1, hasCode);
    const station = page.url();
    await page.getByLabel('4 stele, bun').check();
    await page.getByRole('button', { name: 'Trimite nota' }).click();
    await page.getByRole('heading', { name: 'Mulțumim pentru notă' }).waitFor();
    await page.getByRole('link', { name: /^Înapoi la/ }).click();
    await page.waitForURL(`${station}**`);
    assert.match(await page.locator('#recenzii + *').innerText(), /4,0/);
    await page.getByLabel('5 stele, foarte bun').check();
    await page.getByRole('button', { name: 'Trimite nota' }).click();
    await page.getByRole('heading', { name: 'Ați trimis deja o recenzie' }).waitFor();
  });

  test('with words waits for a moderator, after the page has solved a proof of work', async () => {
    const page = await visitStation(2, true);
    const station = page.url();
    await page.getByLabel('2 stele, slab').check();
    await page.getByLabel('Nume (opțional)').fill('Ana');
    await page.getByLabel('Comentariu (opțional)').fill('Coadă lungă, dar ieftin.');
    await page.getByRole('button', { name: 'Trimite nota' }).click();
    await page.getByRole('heading', { name: 'Mulțumim pentru recenzie' }).waitFor();
    await page.goto(station);
    assert.doesNotMatch(await page.getByRole('main').innerText(), /Coadă lungă/);
  });

  test('cannot have words without JavaScript, and the page says so', async () => {
    const page = await visitStation(3, false);
    assert.equal(await page.getByLabel('Comentariu (opțional)').isVisible(), false);
    const note = page.getByRole('heading', { name: 'Evaluați stația' }).locator('..').locator('noscript');
    assert.equal(await note.innerText(), 'Fără JavaScript se pot trimite numai stelele.');
  });
});

/** The page of one of the stations in Brașov, in the order of their prices. */
async function visitStation(index: number, hasCode: boolean): Promise<Page> {
  const page = await visit('/preturi-carburanti/brasov/motorina', { hasCode });
  await page.locator('.ranking').first().getByRole('link').nth(index).click();
  await page.getByRole('heading', { name: 'Recenzii' }).waitFor();
  return page;
}

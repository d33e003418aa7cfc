/** A driver who sees another price at the pump. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { testWithAndWithoutCode, useChromium, visit } from '../support/chromium.ts';

describe('a report of a wrong price', () => {
  useChromium();

  testWithAndWithoutCode('goes to a moderator, and leaves the price as the source has it', async (hasCode) => {
    const page = await visitStation(hasCode ? 0 : 1, hasCode);
    const prices = await page.locator('.ranking').first().innerText();
    await report(page).getByLabel('La ce carburant').selectOption({ index: 1 });
    await report(page)
      .getByLabel(/^Prețul de la pompă/)
      .fill('9,99');
    await report(page).getByRole('button', { name: 'Trimite semnalarea' }).click();
    await page.getByRole('heading', { name: 'Mulțumim pentru semnalare' }).waitFor();
    await page.getByRole('link', { name: /^Înapoi la/ }).click();
    await page.getByRole('heading', { name: 'Prețurile acum' }).waitFor();
    assert.equal(await page.locator('.ranking').first().innerText(), prices);
  });

  testWithAndWithoutCode('is within reach from the top of the page of a station', async (hasCode) => {
    const page = await visit('/preturi-carburanti/sibiu/motorina', { hasCode });
    await page.locator('.ranking').first().getByRole('link').first().click();
    await page.getByRole('link', { name: 'Semnalați un preț greșit' }).click();
    await report(page).getByRole('button', { name: 'Trimite semnalarea' }).waitFor();
  });

  test('can have words, after the page has solved a proof of work', async () => {
    const page = await visitStation(2, true);
    await report(page).getByLabel('stația este închisă').check();
    await report(page).getByLabel('Ce ați văzut (opțional)').fill('Stația este în lucru.');
    await report(page).getByRole('button', { name: 'Trimite semnalarea' }).click();
    await page.getByRole('heading', { name: 'Mulțumim pentru semnalare' }).waitFor();
  });
});

/** The page of one of the stations in Sibiu, with the form unfolded. */
async function visitStation(index: number, hasCode: boolean): Promise<Page> {
  const page = await visit('/preturi-carburanti/sibiu/motorina', { hasCode });
  await page.locator('.ranking').first().getByRole('link').nth(index).click();
  await page.getByText('Un preț este greșit? Semnalați-l').click();
  return page;
}

function report(page: Page) {
  return page.locator('#semnalare');
}

/**
 * What a browser shows of every kind of page, on a phone and on a desk, light and dark: accessible by axe-core (WCAG
 * 2.2 level AA and best practices), no wider than the screen, complete under its security policy, and from this site
 * alone.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { useChromium, visit } from '../support/chromium.ts';
import { siteAddress } from '../support/demo-site.ts';
import { PHONE, shownDefects } from '../support/page-defects.ts';
import { type ExamplePage, examplePages, SELLING_PAGES } from './example-pages.ts';

/** English pages have the same markup and style as Romanian ones: only their words can be too wide for a phone. */
const SCREENS = [PHONE, { width: 1280, height: 900 }];
/** Tabs at the same time. */
const CONCURRENCY = 3;

useChromium();

describe('every kind of page', { concurrency: CONCURRENCY }, async () => {
  for (const page of [...(await examplePages(siteAddress())), ...SELLING_PAGES])
    test(`${page.path} is accessible, fits its screen, and asks nothing of others`, async () => {
      assert.deepEqual(await defectsOf(page), []);
    });
});

async function defectsOf({ path, kind, language }: ExamplePage): Promise<string[]> {
  const page = await visit('about:blank', { colorScheme: 'light' });
  const defects: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(`${siteAddress()}/`) && !request.url().startsWith('data:'))
      defects.push(`asks ${request.url()}`);
  });
  page.on('pageerror', (error) => defects.push(`throws ${error.message}`));
  page.on('console', (message) => {
    // The browser reports the status of the page that says what does not exist.
    const isStatus = kind === 'notFound' && message.text().includes('status of 404');
    if (message.type() === 'error' && !isStatus) defects.push(`reports ${message.text()}`);
  });
  await page.goto(path, { waitUntil: 'load' });
  defects.push(...(await shownDefects(page, language === 'ro' ? SCREENS : [PHONE])));
  await page.context().close();
  return defects;
}

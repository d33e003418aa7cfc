/** Every kind of page is valid HTML: by html-validate, and by the Nu HTML checker of the W3C. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { newClientAddress, siteAddress } from '../support/demo-site.ts';
import { defectsByHtmlValidate, defectsByNuChecker, type SentPage } from '../support/markup-defects.ts';
import { examplePages, SELLING_PAGES } from './example-pages.ts';

let pages: SentPage[];
before(async () => {
  pages = await Promise.all(
    [...(await examplePages(siteAddress())), ...SELLING_PAGES].map(async ({ path }) => {
      const response = await fetch(siteAddress() + path, { headers: { 'X-Forwarded-For': newClientAddress() } });
      return { path, html: await response.text() };
    }),
  );
});

describe('the markup of every kind of page', () => {
  test('satisfies html-validate', async () => {
    assert.deepEqual(await defectsByHtmlValidate(pages), []);
  });

  test('satisfies the Nu HTML checker', () => {
    assert.deepEqual(defectsByNuChecker(pages), []);
  });
});

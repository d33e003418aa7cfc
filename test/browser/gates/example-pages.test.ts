/** The list of examples is whole: no kind of page escapes the gates. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { matchRoute, ROUTES } from '../../../src/domain/pages/routes.ts';
import { newClientAddress, siteAddress } from '../support/demo-site.ts';
import { examplePages, SELLING_PAGES } from './example-pages.ts';

describe('the examples', () => {
  test('cover every route in both languages', async () => {
    const pages = await examplePages(siteAddress());
    const covered = new Set(pages.map(({ kind, language }) => `${kind} ${language}`));
    const missing = Object.keys(ROUTES)
      .flatMap((kind) => [`${kind} ro`, `${kind} en`])
      .filter((each) => !covered.has(each));
    assert.deepEqual(missing, []);
  });

  test('are pages of the kind and language that they stand for', async () => {
    for (const { kind, language, path } of await examplePages(siteAddress())) {
      const headers = { 'X-Forwarded-For': newClientAddress() };
      const response = await fetch(siteAddress() + path, { headers, redirect: 'manual' });
      assert.equal(response.status, kind === 'notFound' ? 404 : 200, path);
      assert.equal(response.headers.get('content-language'), language, path);
      const route = matchRoute(new URL(path, siteAddress()).pathname);
      assert.equal(route?.name ?? 'notFound', kind, path);
    }
  });

  test('of selling are answered in their language', async () => {
    for (const { language, path } of SELLING_PAGES) {
      const response = await fetch(siteAddress() + path, { headers: { 'X-Forwarded-For': newClientAddress() } });
      assert.deepEqual([response.status, response.headers.get('content-language')], [200, language], path);
    }
  });
});

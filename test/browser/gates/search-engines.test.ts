/** What search engines find: links that lead somewhere, pages that can be told apart, data they understand. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { matchRoute, ROUTES, type RouteName } from '../../../src/domain/pages/routes.ts';
import { indexedSiteAddress, newClientAddress } from '../support/demo-site.ts';
import { type Crawl, type CrawledPage, crawl } from './crawl.ts';
import { sitemapPaths } from './example-pages.ts';

/** What search results show whole, and what fills their line. */
const TITLE_LENGTH = { least: 52, most: 66 };
/** The kinds that people find by searching. */
const SEARCHED = ['home', 'city', 'cityFuel', 'station', 'network', 'county', 'map', 'journeyBetween', 'day', 'today'];
/** The fields that each type of structured data has. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  WebSite: ['name', 'url'],
  Organization: ['name', 'url'],
  Dataset: [
    ...['name', 'description', 'url', 'license', 'creator', 'spatialCoverage', 'temporalCoverage', 'distribution'],
    ...['isAccessibleForFree'],
  ],
  GasStation: ['name', 'url', 'brand', 'address', 'makesOffer'],
  BreadcrumbList: ['itemListElement'],
  ItemList: ['itemListElement'],
  WebAPI: ['name', 'description', 'documentation', 'url'],
  WebPage: ['name', 'description', 'url'],
  TechArticle: ['headline', 'description', 'url'],
};
/**
 * The types of structured data that the kinds of pages have besides their breadcrumb, which all but the home page have.
 */
const TYPES: Readonly<Partial<Record<RouteName, readonly string[]>>> = {
  home: ['WebSite', 'Organization'],
  city: ['Dataset', 'ItemList'],
  cityFuel: ['Dataset', 'ItemList'],
  station: ['GasStation'],
  map: ['ItemList'],
  journeyBetween: ['ItemList'],
  motorways: ['Dataset'],
  data: ['Dataset'],
};
/** The kinds that stand below no other. */
const WITHOUT_BREADCRUMB = ['home'];
/** Datasets of less or more are not listed. */
const DATASET_DESCRIPTION = { least: 50, most: 5_000 };
/** Addresses of each file of the sitemap that are read. */
const SAMPLE = 25;

let found: Crawl;
let pages: CrawledPage[];
/** Those that search engines list under their own address. */
let listed: CrawledPage[];
before(async () => {
  found = await crawl(indexedSiteAddress());
  pages = [...found.pages.values()];
  listed = pages.filter(({ isIndexed, path, canonical }) => isIndexed && path === canonical);
});

describe('the home pages', () => {
  test('lead to every kind of page, in both languages', () => {
    const kinds = new Set(pages.map(({ kind }) => kind));
    // Forms lead to the results of a search; the service worker shows the page for lost connections.
    const missing = Object.keys(ROUTES)
      .filter((route) => route !== 'search' && route !== 'offline')
      .flatMap((route) => [`${route} ro`, `${route} en`])
      .filter((kind) => !kinds.has(kind));
    assert.deepEqual(missing, []);
  });
});

describe('every page that the home pages lead to', () => {
  test('links only to what exists', () => {
    // The service of the indexed site collects nothing, so its health says that it is degraded.
    const isWrong = (text: string) => !text.startsWith('/api/v1/health ');
    assert.deepEqual(found.broken.filter(isWrong), []);
  });

  test('links only to fragments that exist', () => {
    const dangling = pages.flatMap(({ path, links }) =>
      links
        .filter((link) => link.fragment !== '' && found.pages.get(link.path)?.ids.has(link.fragment) === false)
        .map((link) => `${path} links to ${link.path}#${link.fragment}`),
    );
    assert.deepEqual(dangling, []);
  });

  test('leads back to the home page of its language', () => {
    for (const { path, kind, links } of pages) {
      const home = kind.includes(' en') ? '/en' : '/';
      assert.ok(
        links.some((link) => link.path === home),
        `${path} has no link to ${home}`,
      );
    }
  });

  test('has a title and a description of its own, if search engines list it', () => {
    assert.deepEqual(
      shared(({ title }) => title),
      [],
    );
    assert.deepEqual(
      shared(({ description }) => description),
      [],
    );
  });

  test('has a title that search results show whole, and one that fills its line if people search for such pages', () => {
    const wrong = listed
      .filter(({ kind, title }) => {
        const isSearched = SEARCHED.includes(kind.split(' ')[0] as string) && / \d/.test(title);
        return title.length > TITLE_LENGTH.most || title.length < (isSearched ? TITLE_LENGTH.least : 1);
      })
      .map(({ path, title }) => `${path}: ${title.length} characters, ${title}`);
    assert.deepEqual(wrong, []);
  });

  test('has a canonical address that is listed under itself', () => {
    for (const { path, canonical, isIndexed } of pages.filter((page) => page.path !== page.canonical)) {
      const target = found.pages.get(canonical);
      if (target === undefined || !isIndexed) continue;
      assert.ok(target.isIndexed && target.canonical === canonical, `${path} stands for ${canonical}`);
    }
  });

  test('has alternates that name it in turn', () => {
    for (const { path, alternates } of pages) {
      assert.deepEqual(Object.keys(alternates).sort(), ['en', 'ro', 'x-default'], path);
      assert.equal(alternates['x-default'], alternates.ro, path);
      assert.ok(Object.values(alternates).includes(path), `${path} is not among its alternates`);
      for (const alternate of Object.values(alternates)) {
        const other = found.pages.get(alternate);
        if (other !== undefined) assert.deepEqual(other.alternates, alternates, `${path} and ${alternate}`);
      }
    }
  });

  test('has structured data with the fields that search engines ask for', () => {
    for (const { path, data } of pages)
      for (const block of data) {
        const type = String(block['@type']);
        assert.equal(block['@context'], 'https://schema.org', path);
        assert.deepEqual(
          (FIELDS[type] ?? [`fields of ${type}`]).filter((field) => block[field] === undefined || block[field] === ''),
          [],
          `${path}: ${type} lacks fields`,
        );
        const { length } = String(block.description ?? '');
        if (type === 'Dataset')
          assert.ok(length >= DATASET_DESCRIPTION.least && length <= DATASET_DESCRIPTION.most, `${path}: ${length}`);
      }
  });

  test('has the structured data of its kind, if search engines list it', () => {
    for (const { path, kind, data } of listed) {
      const route = kind.split(' ')[0] as RouteName;
      const wanted = [...(TYPES[route] ?? []), ...(WITHOUT_BREADCRUMB.includes(route) ? [] : ['BreadcrumbList'])];
      const types = data.map((block) => String(block['@type']));
      assert.deepEqual(
        wanted.filter((type) => !types.includes(type)),
        [],
        `${path} has ${types.join(', ')}`,
      );
    }
  });

  test('lists for search engines what exists, in order', () => {
    for (const { path, data } of pages)
      for (const block of data.filter((each) => each['@type'] === 'ItemList')) {
        const items = block.itemListElement as readonly Record<string, unknown>[];
        assert.ok(items.length > 0, path);
        for (const [index, { position, name, url }] of items.entries()) {
          assert.equal(position, index + 1, path);
          assert.ok(name !== '' && matchRoute(new URL(String(url)).pathname)?.name === 'station', `${path}: ${url}`);
        }
      }
  });

  test('has a picture that exists, if it names one for those who share it', async () => {
    const site = indexedSiteAddress();
    // Each is drawn when it is asked for: one of every kind of page, in each language.
    const byKind = new Map(pages.flatMap(({ kind, pictures }) => pictures.map((picture) => [kind, picture] as const)));
    for (const picture of new Set(byKind.values())) {
      const response = await fetch(site + picture, { headers: { 'X-Forwarded-For': newClientAddress() } });
      assert.equal(response.status, 200, picture);
      assert.match(response.headers.get('content-type') ?? '', /^image\//, picture);
    }
  });
});

describe('the files for search engines', () => {
  test('list pages under their own address, which may be listed', async () => {
    const site = indexedSiteAddress();
    for (const kind of await sitemapKinds(site)) {
      const paths = await sitemapPaths(site, kind);
      const step = Math.max(1, Math.floor(paths.length / SAMPLE));
      // An odd step takes pages of both languages.
      for (let at = 0; at < paths.length; at += step + ((step + 1) % 2)) {
        const path = paths[at] as string;
        const response = await fetch(site + path, { headers: { 'X-Forwarded-For': newClientAddress() } });
        const text = await response.text();
        assert.equal(response.status, 200, path);
        assert.ok(text.includes(`<link rel="canonical" href="${site}${path}">`), path);
        assert.doesNotMatch(text, /noindex/, path);
      }
    }
  });

  test('list every page that may be listed and has no variable part', async () => {
    const site = indexedSiteAddress();
    const inSitemap = new Set(await sitemapPaths(site, 'pages'));
    const kinds = new Set(['city', 'cityFuel', 'station', 'day', 'journeyBetween']);
    const missing = listed.filter(({ kind, path }) => !kinds.has(kind.split(' ')[0] as string) && !inSitemap.has(path));
    assert.deepEqual(
      missing.map(({ path }) => path),
      [],
    );
  });

  test('let search engines in, and tell them of the sitemap', async () => {
    const site = indexedSiteAddress();
    const robots = await (await fetch(`${site}/robots.txt`)).text();
    assert.doesNotMatch(robots, /Disallow: \S/);
    assert.ok(robots.includes(`Sitemap: ${site}/sitemap.xml`));
  });
});

/** Texts that several listed pages have, with their addresses. */
function shared(textOf: (page: CrawledPage) => string): string[] {
  return [...Map.groupBy(listed, textOf)]
    .filter(([, alike]) => alike.length > 1)
    .map(([text, alike]) => `${text}: ${alike.map(({ path }) => path).join(', ')}`);
}

/** The files that the index names. */
async function sitemapKinds(site: string): Promise<string[]> {
  const index = await (await fetch(`${site}/sitemap.xml`)).text();
  return [...index.matchAll(/\/sitemap\/([a-z]+)-1\.xml/g)].map(([, kind]) => kind as string);
}

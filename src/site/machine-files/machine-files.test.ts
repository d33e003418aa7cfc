/** The files for machines, as the site serves them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  aHistory,
  anEmptySnapshot,
  aSnapshot,
  aStation,
  expired,
  manyRecords,
  recordsOf,
  TODAY,
  trusted,
} from '../../../test/support/builders/snapshot-builders.ts';
import {
  aSite,
  aWaitingSite,
  aWholeSite,
  awaitPage,
  readPage,
  SITE_URL,
  type SiteGiven,
} from '../../../test/support/service/site-builders.ts';
import { dayText } from '../../domain/days.ts';
import { iconAt } from '../pictures/icons.ts';

const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found);
const locations = (text: string) => all(text, /<loc>([^<]+)<\/loc>/g);
const pathOf = (url: string) => url.slice(SITE_URL.length);

/** Three stations in Cluj-Napoca with petrol, one of them with diesel. */
const records = ['a', 'b', 'c'].flatMap((letter, index) =>
  recordsOf(aStation({ id: letter.repeat(12) }), {
    petrol: trusted(7_450 + index, { sinceDay: TODAY - 5 + index }),
    ...(index === 0 ? { diesel: trusted(7_900, { sinceDay: TODAY - 1 }) } : {}),
  }),
);
const snapshot = aSnapshot({ records });

/** Every entry of the sitemap by its path, with its day. */
async function entries(given: SiteGiven = { snapshot }): Promise<Map<string, string | undefined>> {
  const names = locations(await awaitPage('/sitemap.xml', given));
  const files = await Promise.all(names.map((url) => awaitPage(pathOf(url), given)));
  return new Map(
    files
      .flatMap((file) => all(file, /<url>(.+?)<\/url>/g))
      .map((entry) => [pathOf(locations(entry)[0] as string), all(entry, /<lastmod>([^<]+)</g)[0]]),
  );
}

describe('the sitemap', () => {
  it('lists pages that exist, which search engines may list, in both languages', async () => {
    const site = aWaitingSite({ snapshot });
    const listed = await entries();
    for (const path of listed.keys()) {
      const { status, body } = await site(path);
      assert.equal(status, 200, path);
      assert.doesNotMatch(body.toString(), /noindex/, path);
      assert.ok(body.includes(`<link rel="canonical" href="${SITE_URL}${path}">`), path);
    }
    for (const path of [
      '/',
      '/en',
      '/docs',
      '/en/plans',
      '/judet/cluj',
      '/retea/petrom',
      '/preturi-carburanti/cluj-napoca',
    ])
      assert.ok(listed.has(path), path);
  });

  it('lists a fuel of a city from three stations with a price on', async () => {
    const listed = await entries();
    assert.ok(listed.has('/en/fuel-prices/cluj-napoca/petrol'));
    assert.ok(!listed.has('/preturi-carburanti/cluj-napoca/motorina'));
  });

  it('dates a page by the last change of a price on it', async () => {
    const listed = await entries();
    assert.equal(listed.get('/preturi-carburanti/cluj-napoca/benzina'), dayText(TODAY - 3));
    assert.equal(listed.get('/preturi-carburanti/cluj-napoca'), dayText(TODAY - 1));
    assert.equal(listed.get('/judet/cluj'), dayText(TODAY - 1));
    assert.equal(listed.get('/'), dayText(TODAY - 1));
    assert.equal(listed.get('/docs'), undefined);
  });

  it('dates a withdrawn price by the day on which it was gone', async () => {
    const id = 'd'.repeat(12);
    const histories = { [id]: aHistory('2026-11-01', { petrol: { '2026-11-14': 7_450, '2026-11-15': 7_450 } }) };
    const withdrawn = recordsOf(aStation({ id }), { petrol: expired('2026-11-18T12:05:00Z') });
    const given = { snapshot: aSnapshot({ records: withdrawn, histories }) };
    assert.equal((await entries(given)).get('/preturi-carburanti/cluj-napoca'), '2026-11-16');
  });

  it('lists the days before today', async () => {
    const figures = { stations: 3, min: 7_400, p10: 7_420, median: 7_450, mean: 7_450, p90: 7_480, max: 7_500 };
    const statistics = () => [TODAY - 2, TODAY - 1, TODAY].map((day) => ({ day, ...figures }));
    const given = { snapshot: aSnapshot({ records, statistics }) };
    const days = [...(await entries(given))].filter(([path]) => path.startsWith('/zi/'));
    assert.deepEqual(
      days,
      [TODAY - 2, TODAY - 1].map((day) => [`/zi/${dayText(day)}`, dayText(day)]),
    );
    for (const [path] of days) assert.equal(aSite(given)(path).status, 200, path);
  });

  it('gives every address its alternates', async () => {
    const file = await awaitPage('/sitemap/cities-1.xml', { snapshot });
    assert.match(file, /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<urlset xmlns="/);
    for (const entry of all(file, /<url>(.+?)<\/url>/g)) {
      assert.deepEqual(all(entry, /hreflang="([^"]+)"/g), ['ro', 'en', 'x-default']);
      assert.ok(all(entry, /href="([^"]+)"/g).includes(locations(entry)[0] as string));
    }
  });

  it('names only files with an address in its index', async () => {
    const files = locations(await awaitPage('/sitemap.xml', { snapshot: anEmptySnapshot() }));
    assert.deepEqual(files.map(pathOf), ['/sitemap/pages-1.xml']);
    for (const path of [
      '/sitemap/cities-2.xml',
      '/sitemap/cities-0.xml',
      '/sitemap/fuels-2.xml',
      '/sitemap/stations-9999.xml',
      '/sitemap/others-1.xml',
      '/sitemap/cities.xml',
    ])
      assert.equal(aSite({ snapshot })(path).status, 404, path);
  });

  it('divides long lists among files, each address in one of them', async () => {
    const many = manyRecords(4_100);
    const given = { snapshot: aSnapshot({ records: many }) };
    const index = locations(await awaitPage('/sitemap.xml', given)).map(pathOf);
    assert.deepEqual(
      index.filter((path) => path.startsWith('/sitemap/stations')),
      ['/sitemap/stations-1.xml', '/sitemap/stations-2.xml'],
    );
    const stations = [...(await entries(given)).keys()].filter((path) => path.startsWith('/statie/'));
    assert.equal(stations.length, new Set(many.map(({ station }) => station.id)).size);
    assert.equal(locations(await awaitPage('/sitemap/stations-1.xml', given)).length, 8_000);
    assert.equal((await aWaitingSite(given)('/sitemap/stations-3.xml')).status, 404);
  });

  it('is made in slices, however many stations there are', () => {
    const site = aWholeSite({ snapshot });
    for (const path of ['/sitemap.xml', '/sitemap/stations-1.xml', '/sitemap/fuels-1.xml'])
      assert.ok(site(path, new URLSearchParams()) instanceof Promise, path);
  });

  it('is XML that caches keep for an hour', async () => {
    const { contentType, headers } = await aWaitingSite()('/sitemap.xml');
    assert.equal(contentType, 'application/xml; charset=utf-8');
    assert.equal(headers['Cache-Control'], 'public, max-age=3600');
  });
});

describe('the manifest', () => {
  it('has the fields that an installation needs, and icons that exist', () => {
    const { contentType, body } = aSite()('/manifest.webmanifest');
    assert.equal(contentType, 'application/manifest+json');
    const manifest = JSON.parse(body.toString());
    const { id, start_url, scope, display, lang } = manifest;
    assert.deepEqual(
      { id, start_url, scope, display, lang },
      { id: '/', start_url: '/', scope: '/', display: 'standalone', lang: 'ro' },
    );
    const icons: { src: string; sizes: string; purpose: string }[] = manifest.icons;
    assert.deepEqual(
      icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`),
      ['192x192 any', '512x512 any', '512x512 maskable'],
    );
    for (const { src } of icons) assert.ok(iconAt(src), src);
  });
});

describe('the icons', () => {
  it('are served with their type, and linked where browsers do not look for them', () => {
    for (const [path, type] of [
      ['/icon-192.png', 'image/png'],
      ['/apple-touch-icon.png', 'image/png'],
      ['/favicon.ico', 'image/x-icon'],
    ] as const)
      assert.equal(aSite()(path).contentType, type);
    assert.ok(readPage('/').includes('<link rel="apple-touch-icon" href="/apple-touch-icon.png">'));
  });
});

describe('llms.txt', () => {
  it('names what exists: pages, endpoints, the licence', async () => {
    const file = readPage('/llms.txt');
    assert.match(file, /^# Pompa\n\n> /);
    for (const part of ['/en/fuel-prices/{city}/{fuel}`', '`GET /api/v1/preturi/minime`', 'CC BY 4.0', '/openapi.json'])
      assert.ok(file.includes(part), part);
    const pages = all(file, /\]\((https:\/\/pompa\.example[^)]*)\)/g).map(pathOf);
    for (const path of pages.filter((each) => each !== '/openapi.json')) await awaitPage(path);
  });

  it('keeps the port of its own address', () => {
    const file = readPage('/llms.txt', { publicUrl: () => 'http://127.0.0.1:4107' });
    assert.match(file, /`http:\/\/127\.0\.0\.1:4107\/en\/fuel-prices\/\{city\}`/);
  });

  it('says when the data are simulated', () => {
    assert.match(readPage('/llms.txt', { simulated: true }), /not real prices/);
    assert.doesNotMatch(readPage('/llms.txt'), /simulated/);
  });
});

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  aHistory,
  aNational,
  aNetworkPrices,
  anEmptySnapshot,
  aSnapshot,
  aStation,
  recordsOf,
  trusted,
} from '../../../test/support/builders/snapshot-builders.ts';
import { API_DESCRIPTION } from '../../../test/support/service/api-description.ts';
import { PLANS } from '../../domain/access/plans.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { createSite, type RenderedPage } from './site.ts';

const BASE = 'https://pompa.example';
const PAGES = { '/': 'ro', '/docs': 'ro', '/docs/en': 'en', '/planuri': 'ro', '/en/plans': 'en' } as const;
const PATHS = Object.keys(PAGES) as (keyof typeof PAGES)[];

/** The endpoints of the contract that are meant for integrations. */
const ENDPOINTS = [
  /^\/api\/v1\/preturi$/,
  /^\/api\/v1\/preturi\/minime$/,
  /^\/api\/v1\/judete\/[^/]+$/,
  /^\/api\/v1\/retele$/,
  /^\/api\/v1\/statii$/,
  /^\/api\/v1\/statie\/[^/]+\/istoric$/,
  /^\/api\/v1\/geocode$/,
  /^\/api\/v1\/reviews\/[^/]+$/,
  /^\/api\/v1\/review$/,
  /^\/api\/v1\/de-statii$/,
  /^\/api\/v1\/traseu\/custom$/,
  /^\/api\/v1\/cheie$/,
  /^\/api\/v1\/health$/,
  /^(\/api\/v1)?\/openapi\.json$/,
];

type Given = { readonly simulated?: boolean; readonly snapshot?: Snapshot; readonly publicUrl?: string };

function siteOf({ simulated = false, snapshot = aSnapshot(), publicUrl = BASE }: Given = {}) {
  const site = createSite({
    publicUrl: () => publicUrl,
    simulated,
    snapshot: () => snapshot,
    api: () => API_DESCRIPTION,
  });
  return (path: string): RenderedPage | undefined => site(path, new URLSearchParams(), undefined);
}

function read(path: string, given?: Given): string {
  const page = siteOf(given)(path);
  assert.ok(page, path);
  return page.body.toString();
}

const unescaped = (text: string) =>
  text
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => unescaped(match[1] ?? ''));
/** With a key if the endpoint needs one, and with a body if it takes one. */
const CURL_LINE = /^curl '([^']+)'( -H 'X-Api-Key: [A-Z]+')?( -H 'Content-Type: application\/json' -d '\{[^']+\}')?$/;
const serves = (path: string) => ENDPOINTS.some((endpoint) => endpoint.test(path));

describe('every page', () => {
  for (const path of PATHS) {
    describe(path, () => {
      const text = read(path);

      it('is a 200 in its language with one heading, a title and a description', () => {
        assert.equal(siteOf()(path)?.status, 200);
        assert.equal(siteOf()(path)?.contentType, 'text/html; charset=utf-8');
        assert.match(text, new RegExp(`^<!doctype html>\n<html lang="${PAGES[path]}">`));
        assert.equal(all(text, /<h1[^>]*>(.+?)<\/h1>/g).length, 1);
        assert.match(text, /<title>[^<]+<\/title>/);
        assert.match(text, /<meta name="description" content="[^"]+">/);
        assert.match(text, /<meta name="viewport" content="width=device-width, initial-scale=1">/);
      });

      it('has no broken links', () => {
        for (const target of all(text, / href="([^"]*)"/g)) {
          const { origin, pathname, hash } = new URL(target, `${BASE}${path}`);
          if (origin !== BASE) continue;
          const page = siteOf()(pathname);
          assert.ok(page ?? serves(pathname), `${path} links to ${target}`);
          if (hash !== '') assert.ok(page?.body.includes(`id="${hash.slice(1)}"`), `${path} links to ${target}`);
        }
      });

      it('has no duplicate ids', () => {
        const names = all(text, / id="([^"]*)"/g);
        assert.deepEqual(names, [...new Set(names)]);
      });

      it('requests nothing from other hosts and runs no script', () => {
        assert.doesNotMatch(text, /<script|<iframe|<object|@import|url\(| style="| on\w+="/);
        assert.doesNotMatch(text, / src="(?!\/)/);
        assert.deepEqual(all(text, /<link rel="(?:stylesheet|preload)"[^>]*(>)/g), []);
      });

      it('allows only its own style in its security policy', () => {
        const headers = siteOf()(path)?.headers ?? {};
        const [style = ''] = all(text, /<style>([\s\S]*?)<\/style>/g);
        const hash = createHash('sha256').update(style).digest('base64');
        assert.equal(
          headers['Content-Security-Policy'],
          `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
        );
        assert.equal(headers['X-Frame-Options'], 'DENY');
        assert.equal(headers['Referrer-Policy'], 'no-referrer');
      });

      it('says that the data are simulated if they are, and only then', () => {
        const words = { ro: 'Date simulate.', en: 'Simulated data.' }[PAGES[path]];
        assert.ok(read(path, { simulated: true }).includes(`<strong>${words}</strong>`));
        assert.match(read(path, { simulated: true }), /<meta name="robots" content="noindex">/);
        assert.doesNotMatch(text, /simulat|noindex/i);
      });

      it('links to its version in the other language', () => {
        const languages = all(text, /<link rel="alternate" hreflang="(\w\w)"/g);
        assert.deepEqual(languages, path === '/' ? [] : ['ro', 'en']);
        assert.match(text, new RegExp(`<link rel="canonical" href="${BASE}${path}">`));
      });

      it('has curl lines only for endpoints of the contract, at the public address', () => {
        const addresses = all(text, /<code>(curl [^<]+)<\/code>/g).map((line) => CURL_LINE.exec(line)?.[1]);
        for (const address of addresses) {
          const { origin, pathname } = new URL(address ?? '');
          assert.equal(origin, BASE);
          assert.ok(serves(pathname), pathname);
        }
      });
    });
  }
});

describe('the documentation', () => {
  it('shows a request for every endpoint of the contract, in both languages', () => {
    for (const path of ['/docs', '/docs/en']) {
      const shown = all(read(path), /<code>curl ([^<]+)<\/code>/g).map(
        (line) => new URL(/^'([^']+)'/.exec(line)?.[1] ?? '').pathname,
      );
      for (const endpoint of ENDPOINTS)
        assert.ok(
          shown.some((address) => endpoint.test(address)),
          `${path} ${endpoint}`,
        );
    }
  });

  it('uses a station with a history in its examples', () => {
    const records = recordsOf(aStation({ id: 'c0ffee000000' }), { petrol: trusted(7_450) });
    const histories = { c0ffee000000: aHistory('2026-11-01', { petrol: { '2026-11-19': 7_450 } }) };
    const text = read('/docs', { snapshot: aSnapshot({ records, histories }) });
    assert.ok(text.includes(`${BASE}/api/v1/statie/c0ffee000000/istoric?days=30`));
    assert.ok(text.includes(`${BASE}/api/v1/reviews/petrom-cluj-napoca-c0ffee000000`));
  });

  it('leaves out what is not meant for integrations', () => {
    for (const path of PATHS) assert.doesNotMatch(read(path), /\/push/);
  });
});

describe('the home page', () => {
  it('shows the national prices in Romanian notation, and when they were updated', () => {
    const text = read('/', { snapshot: aSnapshot({ national: aNational({ petrol: 9_450 }) }) });
    assert.match(text, />Benzină standard<\/th><td class="num">9,45 <span class="unit">lei\/l</);
    assert.match(text, />GPL<\/th><td class="num"><span class="none">indisponibil</);
    assert.match(text, /<time datetime="2026-11-20T07:30:00.000Z">20 noiembrie 2026 la 09:30<\/time>/);
  });

  it('says if nothing has been published yet', () => {
    const text = read('/', { snapshot: anEmptySnapshot() });
    assert.match(text, /Încă nu a fost publicat niciun preț/);
    assert.match(text, /<dd>indisponibil<\/dd>/);
    assert.doesNotMatch(text, /NaN|null|undefined|Invalid|1970/);
  });
});

describe('the plans page', () => {
  it('lists every plan with its quota and price', () => {
    for (const { name, euros } of PLANS) {
      assert.ok(read('/planuri').includes(`<th scope="row">${name}</th>`));
      if (euros !== null) assert.ok(read('/en/plans').includes(`>${euros} EUR<`));
    }
    assert.match(read('/planuri'), />100\.000</);
    assert.match(read('/en/plans'), />100,000</);
    assert.match(read('/planuri'), /3 zile de probă/);
  });
});

describe('untrusted text', () => {
  it('reaches no page unescaped', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (noise) => {
        const marked = `"'><b x=${noise}&`;
        const records = recordsOf(aStation({ id: marked }), { petrol: trusted(7_450) });
        const histories = { [marked]: aHistory('2026-11-01', {}) };
        const snapshot = aSnapshot({ records, histories });
        for (const path of PATHS)
          assert.doesNotMatch(read(path, { snapshot, publicUrl: `${BASE}/${marked}` }), /<b x=/);
      }),
      { numRuns: 30 },
    );
  });

  it('cannot break out of the quotes of a curl command', () => {
    const text = read('/', { publicUrl: `${BASE}/'; rm -rf /; '` });
    assert.deepEqual(all(text, /<code>(curl [^<]+)<\/code>/g), [
      `curl '${BASE}/%27; rm -rf /; %27/api/v1/preturi/minime'`,
    ]);
  });
});

describe('logos, favicon and robots.txt', () => {
  it('may be embedded by other sites and cached for a day', () => {
    for (const path of ['/logo/petrom.svg', '/favicon.svg']) {
      const page = siteOf()(path);
      assert.equal(page?.contentType, 'image/svg+xml');
      assert.equal(page?.headers['Cache-Control'], 'public, max-age=86400');
      assert.equal(page?.headers['Access-Control-Allow-Origin'], '*');
    }
  });

  it('exclude search engines from simulated data only', () => {
    assert.equal(read('/robots.txt'), 'User-agent: *\nAllow: /\n');
    assert.equal(read('/robots.txt', { simulated: true }), 'User-agent: *\nDisallow: /\n');
  });

  it('do not exist under any other name', () => {
    for (const path of [
      '',
      '/docs/',
      '/docs/ro',
      '/Docs',
      '/plans',
      '/favicon.ico',
      '/logo/nimeni.svg',
      '/logo/PETROM.svg',
      '/logo/petrom.png',
      '/logo/../docs',
      '/logo/.svg',
      '/__proto__',
      '/constructor',
      'toString',
    ]) {
      assert.equal(siteOf()(path), undefined, path);
    }
  });
});

describe('rendering', () => {
  it('happens once per publication, and an unchanged page keeps its bytes', () => {
    let snapshot = aSnapshot();
    const site = createSite({
      publicUrl: () => BASE,
      simulated: false,
      snapshot: () => snapshot,
      api: () => API_DESCRIPTION,
    });
    const page = (path: string) => site(path, new URLSearchParams(), undefined);
    const [home, plans] = [page('/'), page('/planuri')];
    assert.equal(page('/'), home);
    snapshot = aSnapshot({ national: aNational({ petrol: 9_990 }) });
    assert.match(page('/')?.body.toString() ?? '', /9,99 /);
    assert.notEqual(page('/')?.body, home?.body);
    assert.equal(page('/planuri')?.body, plans?.body);
  });

  it('follows the public address, which is known only once the service listens', () => {
    let publicUrl = 'http://127.0.0.1:0';
    const snapshot = aSnapshot();
    const site = createSite({
      publicUrl: () => publicUrl,
      simulated: false,
      snapshot: () => snapshot,
      api: () => API_DESCRIPTION,
    });
    site('/docs', new URLSearchParams(), undefined);
    publicUrl = 'http://127.0.0.1:8080';
    const text = site('/docs', new URLSearchParams(), undefined)?.body.toString() ?? '';
    assert.ok(text.includes('127.0.0.1:8080/api/v1/retele'));
    assert.ok(!text.includes('127.0.0.1:0'));
  });

  it('drops the logo of a brand that is gone', () => {
    let snapshot = aSnapshot({ networks: [aNetworkPrices('Fast Oil')] });
    const site = createSite({
      publicUrl: () => BASE,
      simulated: false,
      snapshot: () => snapshot,
      api: () => API_DESCRIPTION,
    });
    assert.equal(site('/logo/fast-oil.svg', new URLSearchParams(), undefined)?.status, 200);
    snapshot = aSnapshot();
    assert.equal(site('/logo/fast-oil.svg', new URLSearchParams(), undefined), undefined);
  });
});

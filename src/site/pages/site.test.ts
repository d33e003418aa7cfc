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
  NOON,
  recordsOf,
  trusted,
} from '../../../test/support/builders/snapshot-builders.ts';
import { aSite, aWaitingSite, readPage, SITE_URL } from '../../../test/support/service/site-builders.ts';
import type { CaptchaKind } from '../../domain/access/captcha-kind.ts';
import { PLANS } from '../../domain/access/plans.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';

const BASE = SITE_URL;
const PAGES = {
  ...{ '/': 'ro', '/en': 'en', '/en/data': 'en', '/docs': 'ro', '/docs/en': 'en', '/planuri': 'ro', '/en/plans': 'en' },
  ...{ '/confidentialitate': 'ro', '/en/privacy': 'en', '/stare': 'ro', '/en/status': 'en', '/date': 'ro' },
  ...{ '/termeni': 'ro', '/en/terms': 'en', '/germania': 'ro', '/en/germany': 'en', '/cautare': 'ro' },
  ...{ '/statie/petrom-cluj-napoca-0a1b2c3d4e5f': 'ro', '/en/station/petrom-cluj-napoca-0a1b2c3d4e5f': 'en' },
  ...{ '/alerte': 'ro', '/en/alerts': 'en', '/fara-conexiune': 'ro', '/en/offline': 'en', '/harta': 'ro' },
  ...{ '/widget': 'ro', '/en/widget': 'en', '/en/search': 'en', '/langa-mine': 'ro', '/en/near-me': 'en' },
  ...{ '/en/map': 'en', '/traseu': 'ro', '/en/route': 'en', '/metodologie': 'ro', '/en/method': 'en' },
} as const;
const PATHS = Object.keys(PAGES) as (keyof typeof PAGES)[];
/** Shown where no style sheet can be loaded. */
const OFFLINE: readonly string[] = ['/fara-conexiune', '/en/offline'];
const NOT_INDEXED: readonly string[] = ['/cautare', '/en/search', ...OFFLINE];
/** Pages with the map library, which writes markup as text and has a style sheet of its own. */
const WITH_LIBRARY: readonly string[] = ['/harta', '/en/map'];
const WITH_FRAMES: readonly string[] = ['/widget', '/en/widget'];
const STYLE = /<link rel="stylesheet" href="(\/b\/[0-9a-f]{12}\/style\.css)">/;
const LIBRARY =
  /<link rel="stylesheet" href="\/b\/[0-9a-f]{12}\/leaflet\.css">\n<script defer src="\/b\/[0-9a-f]{12}\/leaflet\.js"><\/script>/;
const OWN_MODULE = /<script type="module" src="\/b\/[0-9a-f]{12}\/[a-z-]+\.ts"><\/script>/g;

/** How a policy names the style inside a page. */
function containedStyle(text: string): string {
  const [style = ''] = all(text, /<style>([\s\S]*?)<\/style>/g);
  assert.notEqual(style, '');
  return `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
}

/** The endpoints of the contract that are meant for integrations. */
const ENDPOINTS = [
  /^\/api\/v1\/preturi$/,
  /^\/api\/v1\/preturi\/minime$/,
  /^\/api\/v1\/judete\/[^/]+$/,
  /^\/api\/v1\/retele$/,
  /^\/api\/v1\/statii$/,
  /^\/api\/v1\/statie\/[^/]+\/istoric$/,
  /^\/api\/v1\/modificari(\/flux)?$/,
  /^\/api\/v1\/geocode$/,
  /^\/api\/v1\/reviews\/[^/]+$/,
  /^\/api\/v1\/review$/,
  /^\/api\/v1\/de-statii$/,
  /^\/api\/v1\/traseu\/custom$/,
  /^\/api\/v1\/cheie(\/webhookuri(\/[^/]+(\/(test|livrari|reia|secret))?)?)?$/,
  /^\/api\/v1\/health$/,
  /^(\/api\/v1)?\/openapi\.json$/,
];

const unescaped = (text: string) =>
  text
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => unescaped(match[1] ?? ''));
/** With a key if the endpoint needs one, and with a body if it takes one. */
const CURL_LINE =
  /^curl (?:-X [A-Z]+ )?'([^']+)'( -H 'X-Api-Key: [A-Z]+')?( -H 'Content-Type: application\/json' -d '\{[^']+\}')?$/;
const serves = (path: string) => ENDPOINTS.some((endpoint) => endpoint.test(path));

describe('every page', () => {
  for (const path of PATHS) {
    describe(path, () => {
      const text = readPage(path);

      it('is a 200 in its language with one heading, a title and a description', () => {
        assert.equal(aSite()(path).status, 200);
        assert.equal(aSite()(path).contentType, 'text/html; charset=utf-8');
        assert.match(text, new RegExp(`^<!doctype html>\n<html lang="${PAGES[path]}">`));
        assert.equal(all(text, /<h1[^>]*>(.+?)<\/h1>/g).length, 1);
        assert.match(text, /<title>[^<]+<\/title>/);
        assert.match(text, /<meta name="description" content="[^"]+">/);
        assert.match(text, /<meta name="viewport" content="width=device-width, initial-scale=1">/);
      });

      it('has no broken links', async () => {
        for (const target of all(text, / href="([^"]*)"/g)) {
          const { origin, pathname, hash } = new URL(target, `${BASE}${path}`);
          if (origin !== BASE) continue;
          const page = await aWaitingSite()(pathname);
          assert.ok(page ?? serves(pathname), `${path} links to ${target}`);
          if (hash !== '') assert.ok(page?.body.includes(`id="${hash.slice(1)}"`), `${path} links to ${target}`);
        }
      });

      it('has no duplicate ids', () => {
        const names = all(text, / id="([^"]*)"/g);
        assert.deepEqual(names, [...new Set(names)]);
      });

      it('requests nothing from other hosts and runs only modules of the site', () => {
        const own = WITH_LIBRARY.includes(path) ? text.replace(LIBRARY, '') : text;
        const code = own.replaceAll(OWN_MODULE, '');
        assert.doesNotMatch(
          WITH_FRAMES.includes(path) ? code.replaceAll('<iframe ', '') : code,
          /<script(?! type="application\/ld\+json">)|<iframe|<object|@import|url\(| style="| on\w+="/,
        );
        assert.doesNotMatch(text, / src="(?!\/)/);
        assert.deepEqual(all(own.replace(STYLE, ''), /<link rel="(?:stylesheet|preload)"[^>]*(>)/g), []);
      });

      it('allows only its own style and modules in its security policy', () => {
        const headers = aSite()(path).headers;
        const style = OFFLINE.includes(path) ? containedStyle(text) : "'self'";
        assert.equal(STYLE.test(text), !OFFLINE.includes(path));
        const [scripts, trusted] = /<script type="module"/.test(text)
          ? ["script-src 'self'; worker-src 'self'; ", "; require-trusted-types-for 'script'"]
          : ['', ''];
        const frames = WITH_FRAMES.includes(path) ? " frame-src 'self';" : '';
        assert.equal(
          headers['Content-Security-Policy'],
          `default-src 'none'; ${scripts}style-src ${style}; img-src 'self' data:; connect-src 'self';${frames} manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'${WITH_LIBRARY.includes(path) ? '' : trusted}`,
        );
        assert.equal(headers['X-Frame-Options'], 'DENY');
        assert.equal(headers['Referrer-Policy'], 'no-referrer');
      });

      it('says that the data are simulated only when they are', () => {
        const words = { ro: 'Date simulate.', en: 'Simulated data.' }[PAGES[path]];
        assert.ok(readPage(path, { simulated: true }).includes(`<strong>${words}</strong>`));
        assert.match(readPage(path, { simulated: true }), /<meta name="robots" content="noindex">/);
        assert.doesNotMatch(text, /simulat/i);
        assert.equal(/noindex/.test(text), NOT_INDEXED.includes(path));
      });

      it('links to its version in the other language', () => {
        const languages = all(text, /<link rel="alternate" hreflang="([\w-]+)"/g);
        assert.deepEqual(languages, ['ro', 'en', 'x-default']);
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

describe('titles and descriptions of the pages about the service', () => {
  const counts = { ...aSnapshot().counts, stations: 1_404, stationsWithPrice: 1_400, recordsWithPrice: 5_659 };
  const snapshot = aSnapshot({ counts, updatedAt: NOON - 25 * 60_000 });
  const paths = ['/stare', '/metodologie', '/date', '/termeni', '/germania', '/widget', '/en/widget'];

  it('are short enough to be shown whole, and long enough to say something', () => {
    for (const path of [...paths, '/en/status', '/en/method', '/en/data', '/en/terms', '/en/germany']) {
      const text = readPage(path, { snapshot });
      const [title = ''] = all(text, /<title>([^<]+)/g);
      const [description = ''] = all(text, /<meta name="description" content="([^"]+)"/g);
      assert.ok(title.length >= 52 && title.length <= 66, `${path}: ${title.length} ${title}`);
      assert.ok(description.length >= 110 && description.length <= 170, `${path}: ${description.length}`);
    }
  });
});

describe('the documentation', () => {
  it('shows a request for every endpoint of the contract, in both languages', () => {
    for (const path of ['/docs', '/docs/en']) {
      const shown = all(readPage(path), /<code>curl ([^<]+)<\/code>/g).map(
        (line) => new URL(/^(?:-X [A-Z]+ )?'([^']+)'/.exec(line)?.[1] ?? '').pathname,
      );
      const missing = ENDPOINTS.filter((endpoint) => !shown.some((address) => endpoint.test(address)));
      assert.deepEqual(missing, [], path);
    }
  });

  it('has a form for every endpoint that changes nothing, hidden until code can send it, with the values of its example', () => {
    const text = readPage('/docs/en');
    const tried = all(text, /<details class="trial fold" hidden>.*\n<form [^>]*data-path="([^"]+)"/g);
    const changing = ENDPOINTS.filter((endpoint) => !tried.some((path) => endpoint.test(path)));
    assert.deepEqual(changing.map(String), [String(/^\/api\/v1\/review$/)]);
    assert.match(
      text,
      /<input type="text" value="Cluj" placeholder="" name="judet" data-in="path" data-type="string" required>/,
    );
    assert.match(text, /data-in="query" data-type="string"><option value="">–<\/option><option value="benzina_/);
    assert.match(text, /<option value="motorina_standard" selected>motorina_standard</);
    assert.match(
      text,
      /<input type="text" value="București" placeholder="" name="end" data-in="body" data-type="string" required>/,
    );
  });

  it('takes the key of a reader in a field that no form sends and no browser keeps', () => {
    const [field = ''] = all(readPage('/docs'), /(<div class="trial-key.*?<\/div>)/gs);
    assert.match(field, /hidden><p>.*se numără la <a href="#limite">limite<\/a>/);
    assert.match(field, /<input type="text" autocomplete="off"/);
    assert.doesNotMatch(field, /name=|value=|<form/);
  });

  it('uses a station with a history in its examples', () => {
    const records = recordsOf(aStation({ id: 'c0ffee000000' }), { petrol: trusted(7_450) });
    const histories = { c0ffee000000: aHistory('2026-11-01', { petrol: { '2026-11-19': 7_450 } }) };
    const text = readPage('/docs', { snapshot: aSnapshot({ records, histories }) });
    assert.ok(text.includes(`${BASE}/api/v1/statie/c0ffee000000/istoric?days=30`));
    assert.ok(text.includes(`${BASE}/api/v1/reviews/petrom-cluj-napoca-c0ffee000000`));
  });

  it('leaves out what is not meant for integrations', () => {
    for (const path of PATHS) assert.doesNotMatch(readPage(path), /\/push(?!-registrations\.ts)/);
  });
});

describe('the home page', () => {
  it('shows the national prices in Romanian notation, and when they were updated', () => {
    const text = readPage('/', { snapshot: aSnapshot({ national: aNational({ petrol: 9_450 }) }) });
    assert.match(text, /<b>Benzină<\/b><strong>9,45 <span class="unit">lei\/l</);
    assert.match(text, /<b>GPL<\/b><strong><span class="none">indisponibil</);
    assert.match(text, /<time datetime="2026-11-20T07:30:00.000Z">20 noiembrie 2026 la 09:30<\/time>/);
  });

  it('says when nothing has been published yet', () => {
    const text = readPage('/', { snapshot: anEmptySnapshot() });
    assert.match(text, /Încă nu a fost publicat niciun preț/);
    const english = readPage('/en', { snapshot: anEmptySnapshot() });
    assert.match(english, /No price has been published yet\. Prices appear here after the first collection\./);
    assert.match(text, /<dd>indisponibil<\/dd>/);
    assert.doesNotMatch(text, /NaN|null|undefined|Invalid|1970/);
  });
});

describe('before the first publication', () => {
  it('says on the home page when the first prices are expected, as long as there are none', () => {
    let snapshot = anEmptySnapshot();
    let seconds: number | null = 120;
    const site = aSite({ snapshot: () => snapshot, firstPricesInSeconds: () => seconds });
    const home = () => String(site('/').body);
    assert.match(home(), /Primele prețuri sunt așteptate în aproximativ 120 s\./);
    assert.match(String(site('/en').body), /The first prices are expected in about 120 s\./);
    seconds = 60;
    assert.match(home(), /aproximativ 60 s/);
    seconds = null;
    assert.match(home(), /după prima colectare încheiată/);
    seconds = 60;
    snapshot = aSnapshot();
    assert.doesNotMatch(home(), /aproximativ/);
  });
});

describe('the plans page', () => {
  it('lists every plan with its quota and price', () => {
    for (const { name, euros } of PLANS) {
      assert.ok(readPage('/planuri').includes(`<th scope="row">${name}</th>`));
      if (euros !== null) assert.ok(readPage('/en/plans').includes(`>${euros} EUR<`));
    }
    assert.match(readPage('/planuri'), />100\.000</);
    assert.match(readPage('/en/plans'), />100,000</);
    assert.match(readPage('/planuri'), /3 zile de probă/);
  });
});

describe('untrusted text', () => {
  it('reaches no page unescaped', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (noise) => {
        const marked = `"'><b x=${noise}&`;
        const texts = { address: marked, name: marked, hours: marked, services: [marked], priceNote: marked };
        const records = [aStation({ id: marked }), aStation({ ...texts, phone: marked })].flatMap((station) =>
          recordsOf(station, { petrol: trusted(7_450) }),
        );
        const histories = { [marked]: aHistory('2026-11-01', {}) };
        const snapshot = aSnapshot({ records, histories });
        for (const path of PATHS)
          assert.doesNotMatch(readPage(path, { snapshot, publicUrl: `${BASE}/${marked}` }), /<b x=/);
      }),
      { numRuns: 10 },
    );
  });

  it('cannot break out of the quotes of a curl command', () => {
    const text = readPage('/', { publicUrl: `${BASE}/'; rm -rf /; '` });
    assert.deepEqual(all(text, /<code>(curl [^<]+)<\/code>/g), [
      `curl '${BASE}/%27; rm -rf /; %27/api/v1/preturi/minime'`,
    ]);
  });
});

describe('logos, favicon and robots.txt', () => {
  it('may be embedded by other sites and cached for a day', () => {
    for (const path of ['/logo/petrom.svg', '/favicon.svg']) {
      const page = aSite()(path);
      assert.equal(page.contentType, 'image/svg+xml');
      assert.equal(page.headers['Cache-Control'], 'public, max-age=86400');
      assert.equal(page.headers['Access-Control-Allow-Origin'], '*');
    }
  });

  it('exclude search engines from simulated data only', () => {
    assert.equal(readPage('/robots.txt'), `User-agent: *\nAllow: /\n\nSitemap: ${BASE}/sitemap.xml\n`);
    assert.equal(readPage('/robots.txt', { simulated: true }), 'User-agent: *\nDisallow: /\n');
  });

  it('do not exist under any other name', () => {
    for (const path of [
      '/docs/ro',
      '/plans',
      '/logo/nimeni.svg',
      '/logo/PETROM.svg',
      '/logo/petrom.png',
      '/logo/../docs',
      '/logo/.svg',
      '/__proto__',
      '/constructor',
      'toString',
    ]) {
      assert.equal(aSite()(path).status, 404, path);
    }
  });
});

describe('addresses', () => {
  it('with capitals or a slash at the end lead to the one address of the page, with what it reads of the query', () => {
    for (const [path, location] of [
      ['/docs/', '/docs'],
      ['/Docs', '/docs'],
      ['/EN/Plans//', '/en/plans'],
      ['/Planuri?a=%26', '/planuri'],
      ['/Cautare?q=%26&a=1', '/cautare?q=%26'],
      ['/en/API/', '/docs/en'],
    ] as const) {
      const { status, headers } = aSite()(path);
      assert.deepEqual([status, headers.Location], [301, location]);
    }
  });

  it('without a page get a page that says so and leads on, in the language of the address', () => {
    const romanian = aSite()('/nimic');
    assert.deepEqual([romanian.status, romanian.headers['Content-Language']], [404, 'ro']);
    assert.match(romanian.body.toString(), /<main[^>]*>\s*<h1>Pagina nu există<\/h1>/);
    assert.match(romanian.body.toString(), /<meta name="robots" content="noindex">/);
    assert.match(aSite()('/en/nothing').body.toString(), /<h1>This page does not exist<\/h1>/);
  });
});

describe('the tiles of the map', () => {
  it('are pictures at their address, and nothing is beside them', () => {
    const site = aSite();
    const tile = site('/harta/6/36/22.svg');
    assert.equal(tile.contentType, 'image/svg+xml');
    assert.match(tile.body.toString(), />Cluj-Napoca</);
    assert.equal(site('/harta/6/36/22.svg').body, tile.body);
    assert.equal(site('/harta/6/0/0.svg').status, 404);
  });
});

describe('rendering', () => {
  it('happens once per snapshot; an unchanged page keeps its bytes', () => {
    let snapshot = aSnapshot();
    const site = aSite({ snapshot: () => snapshot });
    const [home, plans] = [site('/'), site('/planuri')];
    assert.equal(site('/'), home);
    snapshot = aSnapshot({ national: aNational({ petrol: 9_990 }) });
    assert.match(site('/').body.toString(), /9,99 /);
    assert.notEqual(site('/').body, home.body);
    assert.equal(site('/planuri').body, plans.body);
  });

  it('renders a page once per snapshot, whatever query a flood asks for it with', () => {
    let renderings = 0;
    const countedSnapshot = (): Snapshot => {
      const made = aSnapshot();
      return {
        ...made,
        // Each rendering of the documentation looks for a station among them.
        get records() {
          renderings += 1;
          return made.records;
        },
      };
    };
    let snapshot = countedSnapshot();
    const site = aSite({ snapshot: () => snapshot });
    const flood = () => {
      const bodies = Array.from({ length: 100 }, (_, at) => site(`/docs?x=${at}`).body);
      assert.equal(new Set(bodies).size, 1);
    };
    flood();
    assert.equal(renderings, 1);
    snapshot = countedSnapshot();
    flood();
    assert.equal(renderings, 2);
  });

  it('follows the public address, which is known only once the service listens', () => {
    let publicUrl = 'http://127.0.0.1:0';
    const snapshot = aSnapshot();
    const site = aSite({ snapshot: () => snapshot, publicUrl: () => publicUrl });
    site('/docs');
    publicUrl = 'http://127.0.0.1:8080';
    const text = site('/docs').body.toString();
    assert.ok(text.includes('127.0.0.1:8080/api/v1/retele'));
    assert.ok(!text.includes('127.0.0.1:0'));
  });

  it('drops the logo of a brand that is gone', () => {
    let snapshot = aSnapshot({ networks: [aNetworkPrices('Fast Oil')] });
    const site = aSite({ snapshot: () => snapshot });
    assert.equal(site('/logo/fast-oil.svg').status, 200);
    snapshot = aSnapshot();
    assert.equal(site('/logo/fast-oil.svg').status, 404);
  });
});

describe('the privacy page', () => {
  const rows = (path: string) => all(readPage(path), /<tr><th scope="row">.*<td[^>]*>([^<]*)<\/td><\/tr>/g);
  const numbers = (path: string) => rows(path).map((row) => all(row, /(\d+)/g).map(Number));

  it('names in both languages the times that the program enforces', () => {
    // Hours until a hash is deleted and until its key is, each with the hour until the maintenance; days of the others.
    const enforced = [
      [169, 337],
      [2, 26],
      [2],
      [2, 26],
      [30],
      [48, 97],
      [30],
      [168, 337],
      [48],
      [7],
      [],
      [168, 337],
      [30],
      [],
    ];
    assert.deepEqual(numbers('/confidentialitate'), enforced);
    assert.deepEqual(numbers('/en/privacy'), enforced);
  });

  it('stacks the cells of a row on a narrow screen, each with the name of its column', () => {
    for (const path of ['/confidentialitate', '/en/privacy']) {
      const text = readPage(path);
      const [, why, howLong] = all(text, /<th scope="col">([^<]*)<\/th>/g);
      const named = all(text, /<td data-column="([^"]*)">/g);
      assert.equal(named.length, 2 * rows(path).length);
      assert.deepEqual([...new Set(named)], [why, howLong]);
      assert.ok(text.includes('<table class="stacked">'));
      assert.match(
        readPage(STYLE.exec(text)?.[1] ?? ''),
        /@media \(max-width:34rem\)\{.*\.stacked th,\.stacked td\{display:block;/,
      );
    }
  });

  it('covers backups, where the data are, and cookies', () => {
    for (const path of ['/confidentialitate', '/en/privacy']) {
      const text = readPage(path);
      for (const part of ['<code>/var/lib/pompa</code>', 'id="copii"', 'ookie', 'GDPR'])
        assert.ok(text.includes(part), part);
    }
  });

  it('names reCAPTCHA only where it checks reviews with text', () => {
    const withCaptcha = (captcha: CaptchaKind) => readPage('/en/privacy', { captcha });
    const said = (captcha: CaptchaKind) =>
      ['reCAPTCHA', 'solves a small computation'].filter((part) => withCaptcha(captcha).includes(part));
    assert.deepEqual(said('recaptcha'), ['reCAPTCHA']);
    assert.deepEqual(said('altcha'), ['solves a small computation']);
    assert.deepEqual(said('none'), []);
  });

  it('names the contact, if there is one', () => {
    const withContact = (contact: string | null) => readPage('/en/privacy', { contact });
    assert.match(withContact('ops@example.org'), /<a href="mailto:ops@example\.org">ops@example\.org<\/a>/);
    assert.match(withContact('https://example.org/help'), /<a href="https:\/\/example\.org\/help">/);
    assert.match(withContact(null), /has given no contact address/);
  });

  it('is linked from every page', () => {
    for (const path of PATHS) {
      const privacy = { ro: '/confidentialitate', en: '/en/privacy' }[PAGES[path]];
      assert.ok(readPage(path).includes(`<a href="${privacy}"`), path);
    }
  });
});

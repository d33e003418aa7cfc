import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  aCity,
  aNational,
  aNetwork,
  anEmptySnapshot,
  aSnapshot,
  aStation,
  prices,
  recordsOf,
  trusted,
} from '../../../test/support/builders/snapshot-builders.ts';
import { aSite, readPage, SITE_URL } from '../../../test/support/service/site-builders.ts';
import type { PriceFile } from '../embed-code/price-file.ts';

const STATION = 'petrom-cluj-napoca-0a1b2c3d4e5f';
const offers = [7_450, 7_450, 7_590, 7_690].map((price, index) =>
  recordsOf(
    aStation({
      id: `0a1b2c3d4e5${'f012'[index]}`,
      address: `Strada ${index}`,
      network: aNetwork(index === 0 ? 'Petrom' : 'OMV'),
    }),
    { petrol: trusted(price), ...(index === 0 && { diesel: trusted(7_890) }) },
  ),
);
const snapshot = aSnapshot({
  records: offers.flat(),
  cities: [aCity({ prices: prices({ petrol: 7_450, diesel: 7_890 }) })],
});
const FORMS = ['/widget/oras/cluj-napoca', `/widget/statie/${STATION}`, '/widget/romania'];
const ENGLISH_FORMS = ['/en/widget/city/cluj-napoca', `/en/widget/station/${STATION}`, '/en/widget/romania'];

/** The rows of a widget as they read: `Benzină · ieri | 7,45 lei/l | Petrom, Strada 0`. */
function rowsOf(path: string, given = { snapshot }): string[] {
  return [...readPage(path, given).matchAll(/<li>(.*?)<\/li>/gs)].map(([, row = '']) =>
    row
      .replaceAll(/<strong[^>]*>|<small class="note">/g, ' | ')
      .replaceAll(/<[^>]+>/g, '')
      .trim(),
  );
}

describe('a widget', () => {
  it('of a city has the lowest price of each fuel, where it is and how old', () => {
    assert.deepEqual(rowsOf('/widget/oras/cluj-napoca'), [
      'Benzină · ieri | 7,45 lei/l | OMV, Strada 1, și încă 1',
      'Benzină premium | fără preț sigur',
      'Motorină · ieri | 7,89 lei/l | Petrom, Strada 0',
      'Motorină premium | fără preț sigur',
      'GPL | fără preț sigur',
    ]);
  });

  it('of one fuel in a city has the three cheapest stations', () => {
    assert.deepEqual(rowsOf('/en/widget/city/cluj-napoca?carburant=petrol'), [
      'OMV · yesterday | 7.45 lei/l | Strada 1',
      'Petrom · yesterday | 7.45 lei/l | Strada 0',
      'OMV · yesterday | 7.59 lei/l | Strada 2',
    ]);
  });

  it('of a station has its own prices, and of the country means', () => {
    assert.deepEqual(rowsOf(`/widget/statie/${STATION}`), [
      'Benzină · ieri | 7,45 lei/l',
      'Motorină · ieri | 7,89 lei/l',
    ]);
    assert.deepEqual(rowsOf(`/widget/statie/${STATION}?carburant=gpl`), ['GPL | fără preț sigur']);
    assert.equal(rowsOf('/widget/romania')[2], 'Motorină | 7,89 lei/l | de la 7,89: Petrom, Strada 0, Cluj-Napoca');
    const national = { ...aNational(), diesel: { min: 7_100, mean: 7_890, max: 8_400 } };
    assert.deepEqual(rowsOf('/widget/romania?carburant=motorina', { snapshot: { ...snapshot, national } }), [
      'Preț mediu | 7,89 lei/l',
      'Cel mai mic preț · ieri | 7,89 lei/l | Petrom, Strada 0, Cluj-Napoca',
      'Cel mai mare preț | 8,40 lei/l',
    ]);
  });

  it('may be framed anywhere, runs and loads nothing, and is kept for five minutes', () => {
    for (const path of [...FORMS, ...ENGLISH_FORMS]) {
      const { contentType, headers, body, isFramed } = aSite({ snapshot })(path);
      const text = body.toString();
      const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(text) ?? [];
      const hash = createHash('sha256').update(style).digest('base64');
      assert.equal(isFramed, true);
      assert.equal(contentType, 'text/html; charset=utf-8');
      assert.equal(
        headers['Content-Security-Policy'],
        `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors *`,
      );
      assert.equal(headers['Cache-Control'], 'public, max-age=300');
      assert.equal(headers['Content-Language'], path.startsWith('/en') ? 'en' : 'ro');
      assert.ok(body.length < 4_500, `${path}: ${body.length} bytes`);
      assert.doesNotMatch(text, /<script|<img|<link rel="stylesheet"| style="| on\w+=| src=/);
      assert.match(text, /<meta name="robots" content="noindex">/);
      for (const [link] of text.matchAll(/<a [^>]*>/g))
        assert.match(link, new RegExp(`^<a href="${SITE_URL}/[^"]*" target="_blank" rel="noopener">$`));
    }
  });

  it('leads to a page that exists, in its language', () => {
    for (const path of [...FORMS, ...ENGLISH_FORMS, `${FORMS[0]}?carburant=gpl`]) {
      const [, page = ''] = /<a href="([^"]+)"/.exec(readPage(path, { snapshot })) ?? [];
      const answer = aSite({ snapshot })(page.slice(SITE_URL.length));
      assert.equal(answer.status, 200, page);
      assert.equal(answer.headers['Content-Language'], path.startsWith('/en') ? 'en' : 'ro');
    }
  });

  it('has the colours that its address says', () => {
    for (const [query, theme] of [
      ['', 'auto'],
      ['?tema=deschis', 'light'],
      ['?tema=dark', 'dark'],
      ['?tema=auto', 'auto'],
      ['?tema=', 'auto'],
    ])
      assert.match(readPage(`/widget/romania${query}`, { snapshot }), new RegExp(`<html lang="ro" class="${theme}">`));
  });

  it('says when the data are simulated, and when there are none', () => {
    assert.match(readPage('/widget/romania', { snapshot, simulated: true }), /<b>Date simulate<\/b>/);
    assert.doesNotMatch(readPage('/widget/romania', { snapshot }), /simulat/i);
    const empty = readPage('/widget/romania?carburant=gpl', { snapshot: anEmptySnapshot() });
    assert.match(empty, /<li>fără preț sigur<\/li>/);
    assert.doesNotMatch(empty, /NaN|null|undefined|1970/);
  });

  it('shows no text of a source as markup', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (noise) => {
        const marked = `"'><b x=${noise}&`;
        const network = { ...aNetwork(), name: marked };
        const records = recordsOf(aStation({ address: marked, city: 'Cluj-Napoca', network }), {
          petrol: trusted(7_450),
        });
        for (const path of [...FORMS, `${FORMS[0]}?carburant=benzina`, '/widget?oras=cluj-napoca'])
          assert.doesNotMatch(readPage(path, { snapshot: { ...snapshot, records } }), /<b x=/);
      }),
      { numRuns: 10 },
    );
  });
});

describe('the address of a widget', () => {
  it('has one spelling: others lead there, with what they say of fuel and colours', () => {
    for (const [path, location] of [
      ['/widget/oras/Cluj-Napoca/', '/widget/oras/cluj-napoca'],
      ['/widget/oras/CLUJ-NAPOCA?tema=dark&x=1', '/widget/oras/cluj-napoca?tema=inchis'],
      ['/widget/statie/alt-nume-0a1b2c3d4e5f?carburant=diesel', `/widget/statie/${STATION}?carburant=motorina`],
      ['/widget/statie/alt-nume-0a1b2c3d4e5f.json', `/widget/statie/${STATION}.json`],
    ] as const) {
      const { status, headers } = aSite({ snapshot })(path);
      assert.deepEqual([status, headers.Location], [301, location], path);
      assert.equal(headers['Access-Control-Allow-Origin'], '*', 'a request of another origin may follow');
    }
  });

  it('of no place is answered in the same small form', () => {
    for (const path of ['/widget/oras/nimic', '/widget/oras', '/widget/oras/a/b', '/en/widget/city/x', '/widget/tara'])
      for (const target of [path, `${path}?tema=inchis`]) {
        const { status, isFramed, headers, body } = aSite({ snapshot })(target);
        assert.deepEqual([status, isFramed, headers['Cache-Control']], [404, true, 'no-cache'], target);
        assert.match(body.toString(), /<h1>(Locul nu există|No such place)<\/h1>/);
        assert.match(body.toString(), /<a href="https:\/\/pompa\.example(\/en)?\/widget" target="_blank"/);
      }
  });

  it('with a value that means nothing is refused with those that do', () => {
    const site = aSite({ snapshot });
    for (const [query, words] of [
      ['carburant=kerosen', /carburant .*„kerosen”.*: benzina, benzina-premium, motorina, motorina-premium, gpl\./],
      ['tema=roz', /tema .*„roz”.*: auto, deschis, inchis\./],
      ['tema=inchis&tema=deschis', /„inchis, deschis”/],
      [`tema=${'x'.repeat(2_000)}`, /„x{39}…”/],
      ['tema=%3Cb%3E', /„&lt;b&gt;”/],
      ['carburant=__proto__', /„__proto__”/],
    ] as const) {
      const { status, body, isFramed } = site(`/widget/romania?${query}`);
      assert.deepEqual([status, isFramed], [400, true], query);
      assert.match(body.toString(), words);
    }
    const english = site('/en/widget/romania?carburant=kerosene').body.toString();
    assert.match(
      english,
      /The parameter carburant has an unknown value, “kerosene”\. Possible values: petrol, premium-petrol/,
    );
  });
});

describe('what is kept of widgets', () => {
  it('is one rendering for each variant, whatever else the query has', () => {
    const site = aSite({ snapshot });
    const queries = [
      ...['carburant=benzina&tema=inchis', 'tema=dark&utm_source=x&carburant=petrol'],
      'x=1&tema=inchis&carburant=benzina',
      'carburant=benzina_standard&tema=inchis',
    ];
    const answers = new Set(queries.map((query) => site(`/widget/oras/cluj-napoca?${query}`)));
    assert.equal(answers.size, 1);
    assert.equal(answers.has(site('/widget/oras/cluj-napoca')), false);
  });

  it('is not what was refused, does not exist or goes by another name', () => {
    const site = aSite({ snapshot });
    for (const target of [
      ...['/widget/romania?tema=roz', '/widget/oras/nimic', '/widget/oras/nimic.json'],
      ...['/widget/statie/x-0a1b2c3d4e5f', '/insigna/statie/x-0a1b2c3d4e5f/benzina.svg', '/card/romania.svg?tema=roz'],
    ]) {
      assert.notEqual(site(target), site(target), target);
      assert.equal(site(target).singleUse, true, target);
    }
  });

  it('changes with the snapshot', () => {
    let shown = snapshot;
    const site = aSite({ snapshot: () => shown });
    const before = site('/widget/romania');
    assert.equal(site('/widget/romania'), before);
    shown = aSnapshot({ national: aNational({ petrol: 9_990 }) });
    assert.match(site('/widget/romania').body.toString(), /9,99 /);
  });
});

describe('the prices of a place as JSON', () => {
  const read = (path: string) => JSON.parse(readPage(path, { snapshot })) as PriceFile;

  it('are those of its widget, in lei, for any origin', () => {
    const { headers, contentType } = aSite({ snapshot })('/widget/oras/cluj-napoca.json');
    assert.equal(contentType, 'application/json; charset=utf-8');
    assert.equal(headers['Access-Control-Allow-Origin'], '*');
    assert.equal(headers['Cache-Control'], 'public, max-age=300');
    assert.deepEqual(read('/widget/oras/cluj-napoca.json'), {
      fel: 'oras',
      nume: { ro: 'Cluj-Napoca', en: 'Cluj-Napoca' },
      pagina: {
        ro: `${SITE_URL}/preturi-carburanti/cluj-napoca`,
        en: `${SITE_URL}/en/fuel-prices/cluj-napoca`,
      },
      data: '2026-11-20',
      actualizat_la: '2026-11-20T07:30:00+00:00',
      simulat: false,
      sursa: 'Pompa',
      licenta: 'CC BY 4.0',
      preturi: {
        benzina: { pret: 7.45, statie: { retea: 'OMV', adresa: 'Strada 1', pret: 7.45 }, observat: '2026-11-19' },
        motorina: { pret: 7.89, statie: { retea: 'Petrom', adresa: 'Strada 0', pret: 7.89 }, observat: '2026-11-19' },
      },
    });
    assert.equal(read('/widget/romania.json').preturi.motorina?.statie?.adresa, 'Strada 0, Cluj-Napoca');
    assert.equal(read(`/widget/statie/${STATION}.json`).fel, 'statie');
  });

  it('of no place are refused as JSON that any origin may read', () => {
    const { status, headers, body } = aSite({ snapshot })('/widget/oras/nimic.json');
    assert.equal(status, 404);
    assert.equal(headers['Access-Control-Allow-Origin'], '*');
    assert.equal(JSON.parse(body.toString()).status, 'error');
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aSnapshot } from '../../../../test/support/builders/snapshot-builders.ts';
import { aSite, readPage, SITE_URL } from '../../../../test/support/service/site-builders.ts';

const STATION = 'petrom-cluj-napoca-0a1b2c3d4e5f';
const CHOICES = [
  '/widget',
  '/en/widget?carburant=lpg',
  '/widget?oras=cluj-napoca',
  '/en/widget?oras=Cluj&carburant=diesel&tema=dark',
  `/widget?statie=${STATION}&carburant=gpl&tema=deschis`,
];

const unescaped = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
/** The code to copy, as a browser shows it, by its id. */
const codesOf = (page: string) =>
  new Map([...page.matchAll(/<code id="([^"]+)">([^<]*)<\/code>/g)].map(([, id, code = '']) => [id, unescaped(code)]));

describe('the page of prices for other sites', () => {
  it('gives code whose addresses exist, and shows the frame and the picture as they are', () => {
    const snapshot = aSnapshot();
    const site = aSite({ snapshot });
    for (const path of CHOICES) {
      const page = readPage(path, { snapshot });
      const codes = codesOf(page);
      assert.deepEqual([...codes.keys()].slice(0, 3), ['cod-cadru', 'cod-element', 'cod-imagine'], path);
      const all = [...codes.values()].join('\n');
      for (const [, address = ''] of all.matchAll(/ (?:src|href|srcset)="([^"]+)"/g)) {
        assert.ok(address.startsWith(`${SITE_URL}/`), address);
        assert.equal(site(unescaped(address).slice(SITE_URL.length)).status, 200, address);
      }
      const [, frame = ''] = /<iframe src="([^"]+)"/.exec(page) ?? [];
      assert.ok(codes.get('cod-cadru')?.includes(frame), frame);
    }
  });

  it('keeps the choice: in the form, in the code and in the other language', () => {
    const page = readPage('/en/widget?oras=Cluj&carburant=diesel&tema=dark');
    assert.match(page, /name="oras" value="Cluj-Napoca"/);
    assert.match(page, /<option value="diesel" selected>/);
    assert.match(page, /<option value="dark" selected>/);
    assert.match(page, /hreflang="ro" href="[^"]+\/widget\?oras=cluj-napoca&amp;carburant=motorina&amp;tema=inchis"/);
    const element = codesOf(page).get('cod-element');
    assert.match(
      element ?? '',
      /<pompa-pret oras="cluj-napoca" carburant="motorina" limba="en" tema="inchis"><a href=/,
    );
    assert.match(readPage(`/widget?statie=${STATION}`), /name="statie" value="petrom-cluj-napoca-0a1b2c3d4e5f"/);
    assert.match(readPage('/widget?oras=Cluj'), /<a href="\/widget\?statie=petrom-cluj-napoca-0a1b2c3d4e5f"/);
  });

  it('has a sentence for each fuel with a price, or for the chosen one, and the table', () => {
    const sentences = (path: string) => readPage(path).match(/<blockquote [^>]*>.*?<\/blockquote>/g) ?? [];
    assert.equal(sentences('/widget?oras=cluj-napoca').length, 2);
    assert.match(
      sentences('/widget?oras=cluj-napoca&carburant=motorina')[0] ?? '',
      /motorină standard din Cluj-Napoca/,
    );
    const page = readPage('/widget?oras=cluj-napoca&carburant=gpl');
    assert.match(page, /Nu este niciun preț sigur acum\./);
    assert.match(codesOf(page).get('cod-tabel') ?? '', /^<table>\n<caption>/);
  });

  it('says what is wrong with a choice, and what would be right', () => {
    for (const [path, words] of [
      ['/widget?oras=Clujnapoka', /class="problem">Nu cunoaștem nicio localitate cu benzinării numită „Clujnapoka”/],
      ['/en/widget?statie=x', /class="problem">The station does not exist or is no longer on the map\./],
      ['/widget?carburant=apa', /class="problem">Parametrul carburant .*: benzina, benzina-premium/],
      ['/widget?oras=%3Cb%3E', /„&lt;b&gt;”/],
    ] as const) {
      const { status, body, headers } = aSite()(path);
      assert.equal(status, 400, path);
      assert.match(body.toString(), words);
      assert.equal(headers['X-Frame-Options'], 'DENY');
    }
    assert.match(aSite()('/widget?oras=Klusnapoca').body.toString(), /Poate: <a href="\/widget\?oras=Cluj-Napoca"/);
  });

  it('is linked from the pages of cities and stations', () => {
    assert.match(readPage('/preturi-carburanti/cluj-napoca'), /<a href="\/widget\?oras=cluj-napoca"/);
    assert.match(readPage(`/en/station/${STATION}`), new RegExp(`<a href="/en/widget\\?statie=${STATION}"`));
  });
});

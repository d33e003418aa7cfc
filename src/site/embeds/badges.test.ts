import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  aCity,
  aSnapshot,
  aStation,
  doubtful,
  prices,
  recordsOf,
  trusted,
} from '../../../test/support/builders/snapshot-builders.ts';
import { aSite, readPage, SITE_URL } from '../../../test/support/service/site-builders.ts';
import { ROAD_FUELS } from '../../domain/fuel.ts';
import { FUEL_SLUG } from '../../domain/pages/fuel-slug.ts';
import { loadGazetteer } from '../../geodata/load-gazetteer.ts';
import type { SiteData } from '../frame/site-data.ts';
import { formatRon } from '../html/formats.ts';
import { priceSubject } from './price-subject.ts';
import { pictureSnippet } from './snippets.ts';

const STATION = 'petrom-cluj-napoca-0a1b2c3d4e5f';
const records = recordsOf(aStation(), { petrol: trusted(7_450), diesel: doubtful(7_890, 'stuck', '2026-11-01') });
const snapshot = aSnapshot({ records, cities: [aCity({ prices: prices({ petrol: 7_450 }) })] });
const titleOf = (path: string, simulated = false) =>
  /<title>([^<]*)<\/title>/.exec(readPage(path, { snapshot, simulated }))?.[1];

describe('a badge', () => {
  it('shows the price that the API has for the city, with place, day and service', () => {
    assert.equal(
      titleOf('/insigna/cluj-napoca/benzina.svg'),
      'Cluj-Napoca · Benzină: de la 7,45 lei/l. 20 noiembrie 2026 · Pompa',
    );
    assert.equal(
      titleOf('/en/badge/cluj-napoca/petrol.svg'),
      'Cluj-Napoca · Petrol: from 7.45 lei/l. 20 November 2026 · Pompa',
    );
    for (const fuel of ROAD_FUELS) {
      const price = snapshot.cities[0]?.prices[fuel] ?? null;
      const title = titleOf(`/insigna/cluj-napoca/${FUEL_SLUG.ro[fuel]}.svg`);
      assert.ok(title?.includes(price === null ? 'fără preț sigur' : `${formatRon(price, 'ro')} lei/l`), String(title));
    }
  });

  it('of a station shows a trusted price only', () => {
    assert.match(
      String(titleOf(`/insigna/statie/${STATION}/benzina.svg`)),
      /^Petrom, Calea Turzii 178 · Benzină: 7,45 lei/,
    );
    assert.match(String(titleOf(`/en/badge/station/${STATION}/diesel.svg`)), /Diesel: no reliable price/);
  });

  it('says when the data are simulated', () => {
    assert.match(String(titleOf('/insigna/cluj-napoca/benzina.svg', true)), /date simulate$/);
    assert.match(String(titleOf('/en/card/cluj-napoca.svg', true)), /simulated data$/);
  });

  it('may be shown by other sites, and does nothing there', () => {
    for (const path of ['/insigna/cluj-napoca/benzina.svg', '/card/cluj-napoca.svg', `/card/statie/${STATION}.svg`]) {
      const { contentType, headers, body } = aSite({ snapshot })(path);
      assert.equal(contentType, 'image/svg+xml');
      assert.equal(headers['Cross-Origin-Resource-Policy'], 'cross-origin');
      assert.equal(headers['Content-Security-Policy'], "default-src 'none'");
      assert.equal(headers['Cache-Control'], 'public, max-age=900');
      assert.doesNotMatch(body.toString(), /<script|<style| style=|href=| on\w+=/);
    }
  });

  it('is as wide as its text needs', () => {
    const widths = ['Petrom', 'O rețea cu un nume foarte lung'].map((address) => {
      const long = aSnapshot({ records: recordsOf(aStation({ address }), { petrol: trusted(7_450) }) });
      return Number(/width="(\d+)"/.exec(readPage(`/insigna/statie/${STATION}/benzina.svg`, { snapshot: long }))?.[1]);
    });
    assert.ok((widths[1] as number) > (widths[0] as number), widths.join(' '));
  });

  it('does not exist for other places, fuels and addresses', () => {
    for (const path of [
      '/insigna/nicaieri/benzina.svg',
      '/insigna/cluj-napoca/petrol.svg',
      '/insigna/cluj-napoca/benzina',
      '/insigna/cluj-napoca.svg',
      '/insigna/statie/benzina.svg',
      '/insigna/statie/petrom-cluj-napoca-ffffffffffff/benzina.svg',
      '/insigna/station/x/y/benzina.svg',
      '/card/cluj-napoca/benzina.svg',
      '/card/.svg',
    ])
      assert.equal(aSite({ snapshot })(path).status, 404, path);
  });
});

describe('a picture that does not exist', () => {
  const answer = (path: string) => {
    const { status, contentType, headers, body } = aSite({ snapshot })(path);
    assert.deepEqual([status, contentType], [404, 'text/plain; charset=utf-8'], path);
    assert.equal(headers['Access-Control-Allow-Origin'], '*');
    return body.toString();
  };

  it('is a sentence that says so, in the language of the address', () => {
    for (const path of ['/insigna/nope/motorina.svg', '/card/nope.svg', '/insigna/statie/x-ffffffffffff/gpl.svg'])
      assert.match(answer(path), /^La această adresă nu este nicio localitate .*\.\n$/);
    assert.match(answer('/en/card/nope.svg'), /^There is no town or station at this address\.\n$/);
    assert.match(answer('/card/x/y/z.svg'), /^La această adresă/);
  });

  it('for its fuel names those that do', () => {
    assert.match(answer('/insigna/romania/kerosen.svg'), /„kerosen”\. Valorile posibile: benzina, .*gpl/);
    assert.match(answer('/en/badge/romania/benzina.svg'), /“benzina”\. Possible values: petrol, /);
  });
});

describe('a card', () => {
  it('lists the fuels that have a price', () => {
    assert.equal(titleOf('/card/cluj-napoca.svg'), 'Cluj-Napoca: Benzină de la 7,45 lei/l. 20 noiembrie 2026 · Pompa');
    assert.match(readPage('/card/cluj-napoca.svg', { snapshot }), />7,45 lei\/l<\/text>/);
    assert.match(String(titleOf(`/en/card/station/${STATION}.svg`)), /^Petrom, Calea Turzii 178: Petrol 7.45 lei\/l\./);
  });
});

describe('a badge of the country', () => {
  it('has the mean, and its card the means', () => {
    assert.match(String(titleOf('/insigna/romania/benzina.svg')), /^România · Benzină: în medie 7,45 lei\/l\./);
    assert.match(String(titleOf('/en/badge/romania/petrol.svg')), /^Romania · Petrol: on average 7.45 lei\/l\./);
    assert.match(String(titleOf('/card/romania.svg')), /^România: Benzină în medie 7,45 lei\/l, Motorină/);
  });
});

describe('the colours of a picture', () => {
  const site = aSite({ snapshot });

  it('are dark where the address says so, in the words of either language', () => {
    const light = site('/insigna/cluj-napoca/benzina.svg').body.toString();
    const dark = site('/insigna/cluj-napoca/benzina.svg?tema=inchis');
    assert.match(light, /<rect [^>]*fill="#ffffff"/);
    assert.match(dark.body.toString(), /<rect [^>]*fill="#1a201e"/);
    assert.equal(site('/insigna/cluj-napoca/benzina.svg?tema=dark').body, dark.body, 'cached once');
    assert.match(site('/card/cluj-napoca.svg?tema=inchis').body.toString(), /<rect [^>]*fill="#1a201e"/);
    assert.equal(site('/card/cluj-napoca.svg?tema=deschis&x=1').body, site('/card/cluj-napoca.svg').body);
  });

  it('that do not exist are refused with those that do', () => {
    const { status, contentType, body, headers } = site('/insigna/cluj-napoca/benzina.svg?tema=roz');
    assert.deepEqual([status, contentType], [400, 'text/plain; charset=utf-8']);
    assert.match(body.toString(), /tema .*„roz”.*: deschis, inchis\./);
    assert.equal(headers['Cache-Control'], 'no-cache');
  });
});

describe('the picture to copy', () => {
  const data = { snapshot, gazetteer: loadGazetteer(), publicUrl: SITE_URL } as SiteData;
  const subject = priceSubject({ kind: 'city', slug: 'cluj-napoca' }, data);

  it('exists and links to a page that exists', () => {
    assert.ok(subject);
    for (const language of ['ro', 'en'] as const)
      for (const fuel of ['petrol', null] as const) {
        const line = pictureSnippet({ subject, fuel, theme: 'light', language }, data);
        const [, page = '', picture = ''] =
          /^<a href="([^"]+)"><img src="([^"]+)"[^>]* alt="[^"]+"><\/a>$/.exec(line) ?? [];
        for (const url of [page, picture]) {
          assert.ok(url.startsWith(SITE_URL), line);
          assert.equal(aSite({ snapshot })(url.slice(SITE_URL.length)).status, 200, url);
        }
      }
  });

  it('that follows the system of a reader is two', () => {
    assert.ok(subject);
    const line = pictureSnippet({ subject, fuel: 'petrol', theme: 'auto', language: 'ro' }, data);
    assert.match(
      line,
      /<picture><source media="\(prefers-color-scheme: dark\)" srcset="[^"]+\/benzina\.svg\?tema=inchis"><img src="[^"]+\/benzina\.svg" /,
    );
  });
});

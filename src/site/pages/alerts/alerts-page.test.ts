import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  aCity,
  aNational,
  aSnapshot,
  aStation,
  recordsOf,
  trusted,
} from '../../../../test/support/builders/snapshot-builders.ts';
import { aSite, readPage } from '../../../../test/support/service/site-builders.ts';

const SNAPSHOT = aSnapshot({
  national: { ...aNational({}), petrol: { min: 9_590, mean: 9_680, max: 9_890 } },
  cities: [aCity()],
  records: recordsOf(aStation(), { petrol: trusted(9_590) }),
});
const read = (path: string, hasAlerts = true) => readPage(path, { snapshot: SNAPSHOT, hasAlerts });
const pagesIn = (text: string) =>
  [...text.matchAll(/class="alert-offer" data-page="([^"]+)"/g)].map(([, page = '']) =>
    JSON.parse(page.replaceAll('&quot;', '"')),
  );

describe('the page of alerts', () => {
  it('tells the rules with the numbers that the program uses', () => {
    const text = read('/alerte');
    for (const words of [
      'cu cel puțin 5 bani sub cel din fiecare dintre cele 30 de zile dinainte, dintre care cel puțin 7 sunt cunoscute',
      'cu cel puțin 15 bani sub cel din ziua precedentă',
      'în medie cu cel puțin 20 de bani sub cele din ultimele 7 zile',
      '24 de ore după o alertă',
      'După 2 alerte într-o zi',
      'Între 22:00 și 07:00',
    ])
      assert.ok(text.includes(words), words);
  });

  it('has a title that search engines show whole, and today’s lowest price in its description', () => {
    for (const path of ['/alerte', '/en/alerts']) {
      const title = /<title>([^<]+)<\/title>/.exec(read(path))?.[1] ?? '';
      assert.ok(title.length >= 52 && title.length <= 66, `${title.length}: ${title}`);
    }
    assert.match(read('/alerte'), /name="description" content="Azi, benzina costă în România de la 9,59 lei/);
    assert.match(read('/en/alerts'), /name="description" content="Petrol costs from 9\.59 lei a litre/);
  });

  it('offers alerts for the whole country, leads to cities, and lists the alerts of the browser by code alone', () => {
    const text = read('/alerte');
    assert.deepEqual(pagesIn(text), [
      {
        names: { ro: 'România: benzină și motorină', en: 'Romania: petrol and diesel' },
        paths: { ro: '/', en: '/en' },
      },
    ]);
    assert.match(text, /<a href="\/preturi-carburanti\/cluj-napoca">Cluj-Napoca<\/a>/);
    assert.match(text, /<section class="subscriptions needs-code"/);
    assert.match(text, /Adaugă la ecranul principal/);
  });

  it('offers nothing where the service has no keys to send with', () => {
    for (const path of ['/alerte', '/preturi-carburanti/cluj-napoca', '/preturi-carburanti/cluj-napoca/benzina']) {
      assert.doesNotMatch(read(path, false), /alert-offer" |alerts\.ts/);
      assert.match(
        read(path),
        /class="alert-offer" [^>]*>\s*<p><button [^>]*class="action needs-code"[^>]*>[\s\S]*role="status"/,
      );
    }
    assert.match(read('/alerte', false), /Alertele nu sunt pornite pe acest serviciu/);
  });
});

describe('the pages of a city', () => {
  it('name on the button the fuels that it is for, and the county in the breadcrumb', () => {
    const city = read('/preturi-carburanti/cluj-napoca');
    assert.match(city, />Anunță-mă când scade prețul la benzină sau motorină<\/button>/);
    assert.match(city, /<a href="\/judet\/cluj">Județul Cluj<\/a>/);
    assert.match(read('/preturi-carburanti/cluj-napoca/gpl'), />Anunță-mă când scade prețul la GPL<\/button>/);
    assert.match(read('/en/fuel-prices/cluj-napoca/diesel'), />Alert me when the price of diesel drops<\/button>/);
  });

  it('offer the same alerts in both languages, under the Romanian path', () => {
    const city = { ro: '/preturi-carburanti/cluj-napoca', en: '/en/fuel-prices/cluj-napoca' };
    for (const path of Object.values(city))
      assert.deepEqual(pagesIn(read(path)), [
        { names: { ro: 'Cluj-Napoca: benzină și motorină', en: 'Cluj-Napoca: petrol and diesel' }, paths: city },
      ]);
    const [ofFuel] = pagesIn(read('/en/fuel-prices/cluj-napoca/lpg'));
    assert.deepEqual(ofFuel.names, { ro: 'Cluj-Napoca: GPL', en: 'Cluj-Napoca: LPG' });
    assert.equal(ofFuel.paths.ro, '/preturi-carburanti/cluj-napoca/gpl');
  });

  it('have a star, as those of stations have, and the home page a place for what has one', () => {
    assert.match(
      read(`/preturi-carburanti/cluj-napoca`),
      /<button type="button" class="star needs-code" data-page=[^>]+>☆ Adaugă la favorite</,
    );
    assert.match(
      read('/statie/petrom-cluj-napoca-0a1b2c3d4e5f'),
      /class="star needs-code" data-page="\{&quot;names&quot;:\{&quot;ro&quot;:&quot;Petrom[^&]*Cluj-Napoca&quot;/,
    );
    assert.match(read('/'), /<section class="favourites"[^>]* hidden>/);
  });
});

describe('the service worker', () => {
  it('is served without types, at an address that stays, and is asked for again each time', () => {
    const { status, contentType, headers, body } = aSite()('/sw.js');
    assert.deepEqual([status, contentType], [200, 'text/javascript; charset=utf-8']);
    assert.equal(headers['Cache-Control'], 'no-cache');
    assert.match(body.toString(), /addEventListener\('push'/);
    assert.doesNotMatch(body.toString(), /: ServiceWorkerGlobalScope|^import /m);
  });
});

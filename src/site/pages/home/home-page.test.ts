import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  aCity,
  aNational,
  aNetworkPrices,
  anEmptySnapshot,
  aSnapshot,
  prices,
  TODAY,
} from '../../../../test/support/builders/snapshot-builders.ts';
import { aSite, readPage, SITE_URL } from '../../../../test/support/service/site-builders.ts';
import type { Snapshot } from '../../../snapshot/snapshot.ts';

const SNAPSHOT = aSnapshot({
  national: {
    ...aNational({ diesel: 10_490, petrol_premium: 10_350, lpg: 4_660 }),
    petrol: { min: 9_590, mean: 9_680, max: 9_890 },
  },
  cities: [aCity({ prices: prices({ petrol: 9_590, petrol_premium: 10_230, diesel: 10_350 }) })],
});
const home = (path = '/') => readPage(path, { snapshot: SNAPSHOT });

describe('the home page', () => {
  it('begins with the search and the way to the stations nearby', () => {
    const main = home().split('<main')[1] ?? '';
    assert.match(main, /<\/h1>\s*<search><form class="search" action="\/cautare">/);
    assert.match(main, /<\/search>\s*<div class="near-me"><p>.*<a href="\/langa-mine">Lângă mine<\/a>/);
    assert.equal(home().match(/<form/g)?.length, 1);
  });

  it('has room for favourites directly under the search, with the file of their prices', () => {
    assert.match(
      home(),
      /<\/div>\s*<section class="favourites"[^>]+statii\.json[^>]+ hidden>[\s\S]+?<ul class="fuel-cards">/,
    );
    assert.doesNotMatch(home().split('class="favourites"')[0] ?? '', /fuel-cards/);
  });

  it('tells today’s prices in a sentence', () => {
    assert.ok(
      home().includes(
        'Azi, 20 noiembrie 2026, benzina costă în medie 9,68 lei pe litru (între 9,59 și 9,89), iar motorina costă în medie 10,49 lei pe litru',
      ),
    );
    assert.ok(home('/en').includes('Today, 20 November 2026, petrol costs 9.68 lei a litre on average'));
  });

  it('shows for each fuel the change since yesterday and the last 30 days, where they are known', () => {
    const on = (day: number, mean: number) => ({
      ...{ day, stations: 3, min: mean, p10: mean, median: mean, mean, p90: mean, max: mean },
    });
    const series = {
      petrol: [on(TODAY - 1, 9_650), on(TODAY, 9_680)],
      diesel: [on(TODAY - 1, 10_490), on(TODAY, 10_490)],
    };
    const snapshot: Snapshot = {
      ...SNAPSHOT,
      statistics: (scope, fuel) => (scope === 'national' && series[fuel as keyof typeof series]) || [],
    };
    const cards = (path: string) => readPage(path, { snapshot }).match(/<li><b>.*<\/li>/g) ?? [];
    const [petrol, premium, diesel] = cards('/');
    assert.match(petrol ?? '', /9,68 .*\+3 bani față de ieri.*<svg class="spark".*9,59 – 9,89/);
    assert.match(diesel ?? '', />la fel ca ieri</);
    assert.doesNotMatch(premium ?? '', /ieri|<svg/);
    assert.match(cards('/en')[0] ?? '', /\+3 bani since yesterday/);
  });

  it('has figures in its title, within what search engines show, and in its description', () => {
    for (const [path, title, words] of [
      ['/', 'Prețul carburanților azi: benzină 9,68, motorină 10,49 lei | Pompa', 'benzină 9,68, motorină 10,49'],
      ['/en', 'Fuel prices in Romania now: petrol 9.68, diesel 10.49 lei | Pompa', 'petrol 9.68, diesel 10.49'],
    ] as const) {
      assert.ok(home(path).includes(`<title>${title}</title>`));
      assert.match(home(path), new RegExp(`<meta name="description" content="[^"]*${words}`));
      assert.ok(title.length >= 52 && title.length <= 66, String(title.length));
    }
  });

  it('leads to every network whose mean price of petrol is known, and shows it, the cheapest first', () => {
    const networks = [
      aNetworkPrices('MOL', { petrol: 9_760 }),
      aNetworkPrices('Oscar', { diesel: 10_240 }),
      aNetworkPrices('Petrom', { petrol: 9_700 }),
    ];
    const text = readPage('/', { snapshot: { ...SNAPSHOT, networks } });
    assert.match(text, /<li><a href="\/retea\/mol">MOL<\/a> <strong>9,76<\/strong><\/li>/);
    assert.ok(text.indexOf('>Petrom</a>') < text.indexOf('>MOL</a>'), 'the cheapest first');
    assert.doesNotMatch(text, /retea\/oscar/);
  });

  it('marks the columns that narrow screens leave out', () => {
    assert.match(home(), /<th scope="col" class="num wide">Benzină premium<\/th>/);
    assert.match(home(), /<td class="num wide"><a [^>]+>10,23<\/a>/);
    assert.match(home(), /<td class="num"><a [^>]+>9,59<\/a>/);
  });

  it('shows the largest cities on a picture that exists, has its size and leads to the map', () => {
    for (const [path, map] of [
      ['/', '/harta'],
      ['/en', '/en/map'],
    ] as const) {
      const [, picture = ''] = new RegExp(`<a href="${map}">(<picture>.*</picture>)</a>`).exec(home(path)) ?? [];
      const files = [...picture.matchAll(/ src(?:set)?="([^"]+)" width="(\d+)" height="(\d+)"/g)];
      assert.deepEqual(
        files.map(([, , width, height]) => [width, height]),
        [
          ['360', '360'],
          ['960', '600'],
        ],
      );
      assert.match(picture, / alt="[^"]+"/);
      for (const [, file = '', width, height] of files) {
        const { status, contentType, body } = aSite({ snapshot: SNAPSHOT })(file);
        assert.deepEqual([status, contentType], [200, 'image/svg+xml']);
        assert.match(body.toString(), new RegExp(`^<svg [^>]*width="${width}" height="${height}"`));
        assert.match(body.toString(), path === '/' ? />9,59</ : />9\.59</);
      }
    }
  });

  it('names the site and its publisher for search engines, with a sign that exists', () => {
    for (const path of ['/', '/en']) {
      const blocks = [...home(path).matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)];
      const [site, organization] = blocks.map(([, json = '']) => JSON.parse(json));
      assert.deepEqual([site['@type'], organization['@type']], ['WebSite', 'Organization']);
      for (const block of [site, organization]) assert.deepEqual([block.name, block.url], ['Pompa', `${SITE_URL}/`]);
      assert.equal(site.publisher['@id'], organization['@id']);
      assert.equal(aSite()(organization.logo.replace(SITE_URL, '')).contentType, 'image/png');
    }
  });

  it('is whole before the first prices', () => {
    assert.match(readPage('/', { snapshot: anEmptySnapshot() }), /Încă nu a fost publicat niciun preț/);
  });
});

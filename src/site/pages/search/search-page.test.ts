import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  aCity,
  aCounty,
  aNetwork,
  aNetworkPrices,
  aSnapshot,
  aStation,
  doubtful,
  manyRecords,
  prices,
  recordsOf,
  trusted,
} from '../../../../test/support/builders/snapshot-builders.ts';
import { aSite, JOURNEYS, readPage } from '../../../../test/support/service/site-builders.ts';
import { cityRecord, countyFields, networkRecord } from '../../../api/contract/contract.ts';
import { loadGermanPlaces } from '../../../geodata/load-german-places.ts';
import { formatRon } from '../../html/formats.ts';

const CLUJ = aCity({ prices: prices({ petrol: 9_590, diesel: 10_350 }) });
const COUNTY = aCounty({ prices: prices({ petrol: 9_630, diesel: 10_360 }) });
const NETWORK = aNetworkPrices('Rompetrol', { petrol: 9_655, diesel: 10_370 });
const SNAPSHOT = aSnapshot({
  cities: [CLUJ],
  counties: [COUNTY],
  networks: [NETWORK, aNetworkPrices('Petrom', { petrol: 9_700 })],
  records: [
    ...recordsOf(aStation({ id: '00000000000a', address: 'Calea Turzii 178' }), {
      petrol: trusted(9_710),
      diesel: trusted(10_350),
    }),
    ...recordsOf(aStation({ id: '00000000000b', address: 'Calea Florești 2', network: aNetwork('Rompetrol') }), {
      petrol: trusted(9_590),
      diesel: doubtful(9_000, 'stuck', '2026-10-01'),
    }),
  ],
});
const given = { snapshot: SNAPSHOT };
type Suggested = { name: string; note: string; path: string };
const suggest = (q: string, language = 'ro', parts: typeof given = given): Suggested[] =>
  JSON.parse(aSite(parts)(`/sugestii?${new URLSearchParams({ limba: language, q })}`).body.toString());
const search = (q: string) => readPage(`/cautare?${new URLSearchParams({ q })}`, given);
/** The rows of a page: address, name, and price. */
const rows = (text: string) =>
  [...text.matchAll(/<li><span class="who"><a href="([^"]+)">([^<]+)<\/a>.*?<strong>(.*?)<\/strong>/g)].map(
    ([, path, name, price]) => [path, name, price?.replace(/<.*>/, '–')],
  );

describe('the page of search results', () => {
  it('finds places, counties, networks and stations, with the prices of the API', () => {
    const ron = (price: number | null) => formatRon(Math.round((price ?? 0) * 1000), 'ro');
    assert.deepEqual(rows(search('cluj')), [
      ['/preturi-carburanti/cluj-napoca', 'Cluj-Napoca', ron(cityRecord(CLUJ, 'null').benzina)],
      ['/judet/cluj', 'Județul Cluj', ron(countyFields(COUNTY, 'null').benzina_standard)],
      ['/statie/rompetrol-cluj-napoca-00000000000b', 'Rompetrol', '9,59'],
      ['/statie/petrom-cluj-napoca-00000000000a', 'Petrom', '9,71'],
    ]);
    assert.deepEqual(rows(search('rompetrol'))[0], [
      '/retea/rompetrol',
      'Rompetrol',
      ron(networkRecord(NETWORK, 'null').benzina),
    ]);
  });

  it('finds places under older and foreign names, and counties by their plate code', () => {
    assert.equal(rows(search('Kolozsvár'))[0]?.[0], '/preturi-carburanti/cluj-napoca');
    assert.ok(rows(search('CJ')).some(([path]) => path === '/judet/cluj'));
  });

  it('shows the prices of the fuel that the text names, and leads to its pages', () => {
    assert.deepEqual(rows(search('motorină cluj')).slice(0, 3), [
      ['/preturi-carburanti/cluj-napoca/motorina', 'Cluj-Napoca', '10,35'],
      ['/judet/cluj', 'Județul Cluj', '10,36'],
      ['/statie/petrom-cluj-napoca-00000000000a', 'Petrom', '10,35'],
    ]);
  });

  it('gives a doubtful price no figure, and its reason', () => {
    const text = search('motorină rompetrol');
    assert.deepEqual(rows(text).at(-1), ['/statie/rompetrol-cluj-napoca-00000000000b', 'Rompetrol', '–']);
    assert.match(text, /neschimbat din 1 octombrie 2026/);
    assert.doesNotMatch(text, /9,00/);
  });

  it('leads from a place without stations to the stations around it', () => {
    const [path] = rows(search('Gilău'))[0] ?? [];
    assert.match(path ?? '', /^\/langa-mine\?lat=46\.\d{3}&amp;lng=23\.\d{3}$/);
  });

  it('offers likely spellings when nothing is found, and advice when there are none', () => {
    const text = search('colj napca');
    assert.match(text, /Nu s-a găsit nimic.*[\s\S]*<h2>Poate ați căutat<\/h2>/);
    assert.equal(rows(text)[0]?.[0], '/preturi-carburanti/cluj-napoca');
    assert.match(search('xqzwvvv 99'), /Încercați numele unui oraș/);
  });

  it('guesses no name beyond the budget of the visitor, nor do the suggestions and the page of no address', () => {
    const spent = { ...given, journeys: { ...JOURNEYS, suggestPlaces: () => [] } };
    assert.deepEqual(rows(readPage('/cautare?q=colj+napca', spent)), []);
    assert.equal(aSite(spent)('/sugestii?q=colj+napca').body.toString(), '[]');
    assert.doesNotMatch(aSite(spent)('/colj-napca').body.toString(), /Poate ați căutat/);
    assert.match(aSite(given)('/colj-napca').body.toString(), /Poate ați căutat/);
  });

  it('finds the pages that are about no place by their words, in both languages and without prices', () => {
    const linksOf = (text: string) =>
      [...text.matchAll(/<li><span class="who"><a href="([^"]+)">/g)].map(([, to]) => to);
    for (const [q, path] of [
      ...[
        ['autostrăzi', '/autostrazi'] as const,
        ['autostrada', '/autostrazi'] as const,
        ['alerta', '/alerte'] as const,
      ],
      ...[
        ['Germania', '/germania'] as const,
        ['prețuri statistici', '/statistici'] as const,
        ['hart', '/harta'] as const,
      ],
      ...[['traseu', '/traseu'] as const, ['langa mine', '/langa-mine'] as const, ['azi', '/azi'] as const],
      ...[['metodologie', '/metodologie'] as const, ['date deschise', '/date'] as const, ['api', '/docs'] as const],
      ...[['planuri', '/planuri'] as const, ['gdpr', '/confidentialitate'] as const],
    ]) {
      const text = search(q);
      assert.ok(linksOf(text).includes(path), q);
      assert.match(text, /<h2>Pagini<\/h2>/);
      assert.ok(
        suggest(q).some((each) => each.path === path),
        q,
      );
    }
    assert.equal(suggest('motorways', 'en')[0]?.path, '/en/motorways');
    assert.doesNotMatch(search('autostrăzi'), /Prețurile sunt pentru/);
    assert.deepEqual(rows(search('autostrăzi')), []);
    assert.doesNotMatch(search('cluj'), /<h2>Pagini/);
    assert.doesNotMatch(search('al'), /<h2>Pagini/, 'two letters say too little');
  });

  it('finds a German town or postcode where no place of Romania has the name', () => {
    const germany = {
      places: loadGermanPlaces(),
      takeRequest: () => 0,
      find: () => assert.fail('nothing is searched'),
    };
    const found = (q: string): Suggested[] =>
      JSON.parse(aSite({ ...given, germany })(`/sugestii?${new URLSearchParams({ q })}`).body.toString());
    assert.deepEqual(
      found('passau').map(({ path }) => path),
      ['/germania?loc=Passau'],
    );
    assert.deepEqual(found('94032')[0], {
      name: '94032 Passau, Germania',
      note: 'benzinăriile din jur, în euro',
      path: '/germania?loc=94032+Passau',
    });
    assert.ok(found('cluj').every(({ path }) => !path.startsWith('/germania')));
    assert.deepEqual(
      suggest('passau').filter(({ path }) => path.startsWith('/germania')),
      [],
    );
  });

  it('is the form alone without a text', () => {
    for (const path of ['/cautare', '/cautare?q=', '/cautare?q=+a']) {
      const text = readPage(path, given);
      assert.match(text, /<h1>Caută prețuri<\/h1>/);
      assert.deepEqual(rows(text), []);
    }
  });

  it('depends on the text, also after the form was asked for', () => {
    const site = aSite(given);
    const [form, results] = ['/cautare', '/cautare?q=cluj'].map((path) => site(path).body.toString());
    assert.notEqual(form, results);
    assert.equal(site('/cautare').body.toString(), form);
  });

  it('is not for search engines, and keeps the text in the other language', () => {
    const text = search('cluj & „x"');
    assert.match(text, /<meta name="robots" content="noindex">/);
    assert.match(text, /<link rel="canonical" href="https:\/\/pompa\.example\/cautare">/);
    assert.match(text, /<a href="\/en\/search\?q=cluj\+%26\+%E2%80%9Ex%22" lang="en"/);
    assert.match(text, /value="cluj &amp; „x&quot;"/);
  });
});

describe('the suggestions while typing', () => {
  it('are those of the page, in its order, in both languages', () => {
    for (const q of ['cluj', 'rompetrol', 'calea', 'motorina cluj', 'colj napca']) {
      const shown = rows(search(q)).map(([path]) => path?.replaceAll('&amp;', '&'));
      assert.deepEqual(
        suggest(q).map(({ path }) => path),
        shown.slice(0, 8),
        q,
      );
    }
    assert.deepEqual(suggest('cluj', 'en')[0], {
      name: 'Cluj-Napoca',
      note: 'Cluj County · 2 stations · petrol 9.59 lei (lowest)',
      path: '/en/fuel-prices/cluj-napoca',
    });
  });

  it('are at most eight, may be kept for a minute, and are none for a short text', () => {
    const snapshot = aSnapshot({ records: manyRecords(50) });
    assert.equal(suggest('petrom', 'ro', { snapshot }).length, 8);
    const { contentType, headers } = aSite(given)('/sugestii?q=cluj');
    assert.equal(contentType, 'application/json; charset=utf-8');
    assert.equal(headers['Cache-Control'], 'private, max-age=60');
    for (const q of ['', 'c', ' ']) assert.deepEqual(suggest(q), []);
  });

  it('are only places, as the form of a journey understands them, if only places are asked for', () => {
    const places: Suggested[] = JSON.parse(aSite(given)('/sugestii?fel=locuri&limba=ro&q=cluj').body.toString());
    assert.deepEqual(places[0]?.name, 'Cluj-Napoca');
    assert.match(places[0]?.note ?? '', /benzinări/);
    assert.ok(places.length <= 8 && places.every(({ path }) => path.startsWith('/preturi-carburanti/')));
    assert.deepEqual(JSON.parse(aSite(given)('/sugestii?fel=locuri&q=c').body.toString()), []);
  });

  it('of places begin with the text, unless none does, and say in which county they are', () => {
    const namesOf = (q: string): [string, string][] =>
      (JSON.parse(aSite(given)(`/sugestii?fel=locuri&q=${q}`).body.toString()) as Suggested[]).map(({ name, note }) => [
        name,
        note,
      ]);
    assert.deepEqual(namesOf('arad'), [['Arad', '']]);
    assert.ok(namesOf('turda').some(([name, note]) => name === 'Turdaș' && note === 'județul Hunedoara'));
    assert.ok(namesOf('turda').some(([name, note]) => name === 'Turda, Cluj' && note === ''));
    assert.ok(namesOf('luj-napoc').some(([name]) => name === 'Cluj-Napoca'));
  });
});

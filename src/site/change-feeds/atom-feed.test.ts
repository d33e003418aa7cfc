/** The Atom feeds of cities and stations, as readers of feeds parse them. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseXml, XmlElement } from '@rgrove/parse-xml';
import { NOON } from '../../../test/support/builders/snapshot-builders.ts';
import { EPOCH, ToldFeed } from '../../../test/support/changes/told-changes.ts';
import { aSite, readPage, SITE_URL } from '../../../test/support/service/site-builders.ts';
import { TURZII, world } from '../../../test/support/worlds/contract-world.ts';
import { ChangeLog } from '../../api/changes/change-log.ts';
import { latestChangesOf } from '../../api/changes/read-latest-changes.ts';
import type { PriceReason, ServedPrice } from '../../domain/changes/served-price.ts';
import type { ToldChange } from '../../store/changes/read-feed.ts';
import type { LatestChange } from '../frame/latest-changes.ts';
import { changeSentence } from './change-sentence.ts';
import { feedAt, feedPath } from './feed-address.ts';

const STATION = `petrom-cluj-napoca-${TURZII}`;
const CITY_FEED = '/preturi-carburanti/cluj-napoca/modificari.atom';
const STATION_FEED = `/statie/${STATION}/modificari.atom`;
const ADDRESSES = [
  CITY_FEED,
  STATION_FEED,
  '/en/fuel-prices/cluj-napoca/changes.atom',
  `/en/station/${STATION}/changes.atom`,
];

function aFeedSite() {
  const feed = new ToldFeed();
  return { feed, ...aSiteOf(feed.log) };
}

function aSiteOf(log: ChangeLog) {
  let now = world().now;
  const site = aSite({ snapshot: world(), latestChanges: latestChangesOf(log), clock: () => now });
  const read = (path: string) => {
    const { status, body } = site(path);
    assert.equal(status, 200, path);
    return childrenOf(parseXml(body.toString()).root as XmlElement);
  };
  return { site, read, pass: (ms: number) => (now += ms) };
}

/** The elements in an element, by their names. */
function childrenOf(element: XmlElement): (name: string) => XmlElement[] {
  const elements = element.children.filter((child) => child instanceof XmlElement);
  return (name) => elements.filter((child) => child.name === name);
}
const textsOf = (elements: readonly XmlElement[]) => elements.map(({ text }) => text);

describe('a feed of changes', () => {
  test('tells a new station once, with the prices that it has, and not that others are missing', () => {
    const { feed, read } = aFeedSite();
    const [unsold, missing] = [
      { price: null, reason: 'unsold' } as const,
      { price: null, reason: 'unpublished' } as const,
    ];
    feed.tell([
      { kind: 'station added', fuel: null, before: missing, after: missing },
      { kind: 'flag', fuel: 'petrol', before: unsold, after: missing },
      { kind: 'returned', fuel: 'diesel', before: unsold, after: { price: 7_490, reason: null } },
    ]);
    feed.tell([{ kind: 'flag', fuel: 'petrol', before: missing, after: { price: null, reason: 'expired' } }]);
    const titles = read(STATION_FEED)('entry').map((entry) => textsOf(childrenOf(entry)('title'))[0]);
    assert.deepEqual(
      titles.map((title) => title?.split(/[:(]/, 1)[0]?.trim()),
      ['Benzină standard', 'Motorină standard', 'Benzinărie nouă'],
    );
  });

  test('has what RFC 4287 requires, in either language, with licence and the page it belongs to', () => {
    const { feed, read, site } = aFeedSite();
    feed.tellSome(3);
    for (const path of ADDRESSES) {
      assert.equal(site(path).contentType, 'application/atom+xml; charset=utf-8');
      assert.equal(site(path).headers['Cache-Control'], 'no-cache');
      const document = parseXml(site(path).body.toString()).root as XmlElement;
      assert.deepEqual(
        [document.name, document.attributes.xmlns, document.attributes['xml:lang']],
        ['feed', 'http://www.w3.org/2005/Atom', path.startsWith('/en/') ? 'en' : 'ro'],
      );
      const feedPart = read(path);
      for (const name of ['id', 'title', 'updated', 'author', 'rights'])
        assert.equal(textsOf(feedPart(name)).filter((text) => text.trim() !== '').length, 1, name);
      const links = Object.fromEntries(feedPart('link').map(({ attributes }) => [attributes.rel, attributes.href]));
      assert.equal(links.self, SITE_URL + path);
      assert.equal(links.alternate, SITE_URL + path.slice(0, path.lastIndexOf('/')));
      assert.match(String(links.license), /creativecommons\.org/);
      const entries = feedPart('entry').map(childrenOf);
      assert.equal(entries.length, 3);
      for (const entry of entries) {
        for (const name of ['id', 'title', 'updated', 'summary'])
          assert.equal(textsOf(entry(name)).filter((text) => text !== '').length, 1, name);
        assert.match(textsOf(entry('updated'))[0] ?? '', /^2026-11-20T\d\d:\d\d:\d\d\+00:00$/);
        assert.match(entry('link')[0]?.attributes.href ?? '', new RegExp(`^${SITE_URL}/(en/)?stati(e|on)/${STATION}$`));
      }
      assert.deepEqual(textsOf(feedPart('updated')), textsOf(entries[0]?.('updated') ?? []));
    }
  });

  test('tells the newest 50 changes of its place, newest first, each with an id for good', () => {
    const { feed, read } = aFeedSite();
    for (let index = 1; index <= 60; index += 1) feed.tellSome(1);
    feed.tell([{ station: 'ffffffffffff' }, { station: 'eeeeeeeeeeee', city: 'iasi' }]);
    const idsAt = (path: string) => read(path)('entry').flatMap((entry) => textsOf(childrenOf(entry)('id')));
    const id = (index: number, station = TURZII) =>
      `tag:pompa.example,2026:ro/modificari/${NOON + index * 60_000}/${station}/benzina_standard`;
    const newest = Array.from({ length: 50 }, (_, index) => id(60 - index));
    assert.deepEqual(idsAt(STATION_FEED), newest);
    assert.deepEqual(idsAt(CITY_FEED), [id(61, 'ffffffffffff'), ...newest.slice(0, 49)]);
    const [gone, known] = read(CITY_FEED)('entry').map((entry) => textsOf(childrenOf(entry)('title'))[0]);
    assert.match(gone ?? '', /– o benzinărie care nu mai apare$/);
    assert.match(known ?? '', /^Benzină standard: 7,60 lei\/l \(era 7,59\) – Petrom, Calea Turzii/);
  });

  test('names its entries the same when cursors end: after a restore or a replay', () => {
    const told: Partial<ToldChange>[] = [{ fuel: null, kind: 'station added' }, {}, { fuel: 'diesel' }];
    const idsOf = (epoch: string) => {
      const { feed, read } = aFeedSite();
      feed.tell(told, { epoch, from: NOON });
      return read(CITY_FEED)('entry').flatMap((entry) => textsOf(childrenOf(entry)('id')));
    };
    const ids = idsOf(EPOCH);
    assert.deepEqual(idsOf('epoch_02'), ids);
    assert.equal(new Set(ids).size, 3);
    assert.match(ids[2] ?? '', new RegExp(`/${NOON}/${TURZII}/statie_noua$`));
  });

  test('is the same bytes until something changes there, and knows of it within a minute', () => {
    const { feed, site, read, pass } = aFeedSite();
    feed.tellSome(1);
    const first = site(CITY_FEED).body;
    feed.tell([{ city: 'iasi' }]);
    pass(60_000);
    assert.equal(site(CITY_FEED).body, first, 'the same buffer: a reader that has it gets 304');
    feed.tellSome(1);
    assert.equal(read(CITY_FEED)('entry').length, 1, 'many readers cost one rendering a minute');
    pass(60_000);
    assert.equal(read(CITY_FEED)('entry').length, 2);
  });

  test('is refused for a moment until what was told is read, then there, with entries or without', () => {
    const log = new ChangeLog();
    const { site, read } = aSiteOf(log);
    for (const [path, words] of [
      [CITY_FEED, /^Modificările de preț nu sunt disponibile momentan/],
      [`/en/station/${STATION}/changes.atom`, /^The price changes are not available at the moment/],
    ] as const) {
      const { status, headers, contentType, body, singleUse } = site(path);
      assert.deepEqual(
        [status, headers['Retry-After'], headers['Cache-Control'], contentType, singleUse],
        [503, '5', 'no-store', 'text/plain; charset=utf-8', true],
      );
      assert.match(body.toString(), words);
    }
    assert.equal(site('/preturi-carburanti/atlantida/modificari.atom').status, 404);
    const feed = new ToldFeed(log);
    assert.deepEqual(read(CITY_FEED)('entry'), [], 'the refusal was not cached');
    feed.tellSome(1);
    assert.equal(read(STATION_FEED)('entry').length, 1);
  });

  test('is nowhere else', () => {
    const { site } = aFeedSite();
    for (const path of [
      '/preturi-carburanti/atlantida/modificari.atom',
      '/statie/petrom-iasi-ffffffffffff/modificari.atom',
      '/preturi-carburanti/cluj-napoca/changes.atom',
      '/modificari.atom',
    ])
      assert.equal(site(path).status, 404, path);
    const { status, headers } = site(`/en/station/omv-${TURZII}/changes.atom`);
    assert.deepEqual([status, headers.Location], [301, `/en/station/${STATION}/changes.atom`]);
    assert.equal(aSite({ snapshot: world() })(CITY_FEED).status, 404);
  });

  test('is linked from the pages of its place', () => {
    const given = { snapshot: world(), latestChanges: latestChangesOf(new ToldFeed().log) };
    for (const path of ADDRESSES) {
      const page = readPage(path.slice(0, path.lastIndexOf('/')), given);
      assert.ok(page.includes(`<link rel="alternate" type="application/atom+xml" href="${path}">`), path);
      assert.match(page, new RegExp(`<a href="${path}">[^<]*\\(Atom\\)</a>`));
    }
    assert.doesNotMatch(readPage('/preturi-carburanti/cluj-napoca', { snapshot: world() }), /\.atom/);
  });

  test('has an address that leads back to it', () => {
    for (const kind of ['city', 'station'] as const)
      for (const language of ['ro', 'en'] as const)
        assert.deepEqual(feedAt(feedPath({ kind, slug: 'a-b1' }, language)), {
          place: { kind, slug: 'a-b1' },
          language,
        });
  });
});

describe('a change in words', () => {
  const at = (price: number | null, reason: PriceReason | null = null): ServedPrice => ({ price, reason });
  const say = (before: ServedPrice, after: ServedPrice, language: 'ro' | 'en' = 'ro') =>
    changeSentence({ fuel: 'diesel', kind: 'price', before, after } as LatestChange, language);

  test('is a sentence that says what it was, what it is, and why', () => {
    assert.equal(say(at(7_550), at(7_490)), 'Motorină standard: 7,49 lei/l (era 7,55)');
    assert.equal(say(at(7_550), at(7_490), 'en'), 'Standard diesel: 7.49 RON/l (was 7.55)');
    assert.equal(say(at(null, 'expired'), at(7_490)), 'Motorină standard: 7,49 lei/l (nu avea preț)');
    assert.equal(say(at(null, 'unsold'), at(7_490)), 'Motorină standard: 7,49 lei/l (carburant nou aici)');
    assert.equal(
      say(at(7_550), at(null, 'expired')),
      'Motorină standard: nu mai are preț (era 7,55 lei/l): nicio sursă nu l-a mai confirmat de 24 de ore',
    );
    assert.equal(
      say(at(7_550, 'orphaned'), at(null, 'unsold')),
      'Motorină standard: nu se mai vinde aici (era 7,55 lei/l)',
    );
    assert.equal(
      say(at(7_550), at(7_550, 'stale')),
      'Motorină standard: 7,55 lei/l, preț nesigur: sursa nu l-a mai observat de cel puțin 7 zile',
    );
    assert.equal(say(at(7_550, 'stuck'), at(7_550)), 'Motorină standard: 7,55 lei/l, din nou preț sigur');
    assert.equal(
      say(at(null, 'expired'), at(null, 'unpublished')),
      'Motorină standard: fără preț: sursa nu dă niciun preț',
    );
  });

  test('of a station says that it came or went', () => {
    const station = { fuel: null, before: at(null), after: at(null) };
    const sentences = (['station added', 'station removed'] as const).map((kind) =>
      changeSentence({ ...station, kind } as LatestChange, 'ro'),
    );
    assert.deepEqual(sentences, ['Benzinărie nouă', 'Benzinăria nu mai apare la nicio sursă']);
  });
});

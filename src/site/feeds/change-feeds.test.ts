/** Feeds of changes as their readers get them, and as RFC 4287 wants them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseXml, type XmlElement } from '@rgrove/parse-xml';
import {
  aCity,
  aSnapshot,
  aStation,
  NOON,
  recordsOf,
  trusted,
} from '../../../test/support/builders/snapshot-builders.ts';
import { ToldFeed } from '../../../test/support/changes/told-changes.ts';
import { aSite, readPage } from '../../../test/support/service/site-builders.ts';
import { ChangeLog } from '../../api/changes/change-log.ts';
import { recentChanges } from '../../api/changes/recent-changes.ts';
import type { RecentChange } from '../../domain/changes/served-change.ts';
import { changeInShort, changeSentence } from './change-sentences.ts';

const STATION = aStation({ id: '0a1b2c3d4e5f', address: 'Calea Turzii 178 & <b>' });
const snapshot = aSnapshot({ cities: [aCity()], records: recordsOf(STATION, { petrol: trusted(7_050) }) });
const CITY = '/preturi-carburanti/cluj-napoca';
const MINUTE = 60_000;

function serve(feed = new ToldFeed()) {
  const read = aSite({ snapshot, changes: recentChanges(feed.log) });
  const entries = (path: string) => childrenOf(documentOf(read(path).body), 'entry');
  return { feed, read, entries };
}

/** Fails on what is no well-formed XML. */
const documentOf = (body: Buffer): XmlElement => parseXml(body.toString()).root ?? assert.fail('no document');
const childrenOf = ({ children }: XmlElement, name: string) =>
  children.filter((child): child is XmlElement => child.type === 'element' && 'name' in child && child.name === name);
const textOf = (element: XmlElement, name: string) => childrenOf(element, name)[0]?.text;
const linkOf = (element: XmlElement, rel: string) =>
  childrenOf(element, 'link').find(({ attributes }) => attributes.rel === rel)?.attributes.href;

describe('the feed of a city or a station', () => {
  const { feed, read, entries } = serve();
  feed.tell([{}, { station: 'ffffffffffff', city: 'iasi' }, { after: { price: 7_050, reason: null } }]);
  const { slug = '' } = /\/statie\/(?<slug>[a-z0-9-]+)"/.exec(read(CITY).body.toString())?.groups ?? {};
  const PATHS = [
    [`${CITY}/modificari.atom`, CITY, 'ro'],
    ['/en/fuel-prices/cluj-napoca/changes.atom', '/en/fuel-prices/cluj-napoca', 'en'],
    [`/statie/${slug}/modificari.atom`, `/statie/${slug}`, 'ro'],
    [`/en/station/${slug}/changes.atom`, `/en/station/${slug}`, 'en'],
  ] as const;

  for (const [path, page, language] of PATHS)
    it(`${path.replace(slug, '…')} has every element that RFC 4287 requires, and the licence`, () => {
      const { contentType, headers, body } = read(path);
      assert.equal(contentType, 'application/atom+xml; charset=utf-8');
      assert.equal(headers['Cache-Control'], 'no-cache');
      const root = documentOf(body);
      assert.deepEqual([root.name, root.attributes.xmlns], ['feed', 'http://www.w3.org/2005/Atom']);
      assert.equal(root.attributes['xml:lang'], language);
      assert.equal(textOf(root, 'id'), `https://pompa.example${path}`);
      assert.equal(linkOf(root, 'self'), `https://pompa.example${path}`);
      assert.equal(linkOf(root, 'alternate'), `https://pompa.example${page}`);
      assert.equal(linkOf(root, 'license'), 'https://creativecommons.org/licenses/by/4.0/');
      assert.match(textOf(root, 'rights') ?? '', /CC BY 4\.0/);
      assert.equal(textOf(root, 'updated'), '2026-11-20T08:01:00+00:00');
      assert.ok(textOf(childrenOf(root, 'author')[0] ?? root, 'name'));
      assert.ok(textOf(root, 'title'));
      const ids = entries(path).map((entry) => {
        assert.ok(textOf(entry, 'title'));
        assert.ok(textOf(entry, 'summary'));
        assert.match(linkOf(entry, 'alternate') ?? '', /^https:\/\/pompa\.example\//);
        assert.equal(textOf(entry, 'updated'), '2026-11-20T08:01:00+00:00');
        return textOf(entry, 'id');
      });
      const told = NOON + MINUTE;
      assert.deepEqual(
        ids,
        [3, 1].map((seq) => `tag:pompa.example,2026-11-20:modificari/${told}/${seq}#${language}`),
      );
    });

  it('says what happened, with the station and its address, escaped', () => {
    const [newest, first] = entries(`${CITY}/modificari.atom`);
    assert.ok(newest && first);
    assert.equal(textOf(first, 'title'), 'Petrom, Calea Turzii 178 & <b>, Cluj-Napoca: benzină 7,01 lei (+1 ban)');
    assert.equal(
      textOf(newest, 'summary'),
      'Prețul benzinei la Petrom (Calea Turzii 178 & <b>, Cluj-Napoca) a crescut cu 3 bani, la 7,05 lei pe litru.',
    );
  });

  it('is found from the page', () => {
    for (const [path, page] of PATHS) {
      const text = readPage(page, { snapshot, changes: recentChanges(feed.log) });
      assert.ok(text.includes(`<link rel="alternate" type="application/atom+xml" href="${path}">`), page);
      assert.ok(text.includes(`<a href="${path}">`), page);
    }
    assert.doesNotMatch(readPage(CITY, { snapshot }), /atom\+xml/);
  });

  it('of a station leads from an earlier name to the present one', () => {
    const { status, headers } = read('/statie/alt-nume-0a1b2c3d4e5f/modificari.atom');
    assert.deepEqual([status, headers.Location], [301, `/statie/${slug}/modificari.atom`]);
  });

  it('is 404 for what is not served, and where there is no feed of changes', () => {
    for (const path of ['/preturi-carburanti/nicaieri', '/statie/petrom-ffffffffffff', '/statie/x', '/judet/cluj'])
      assert.equal(read(`${path}/modificari.atom`).status, 404, path);
    assert.equal(aSite({ snapshot })(`${CITY}/modificari.atom`).status, 404);
  });
});

describe('what is told later', () => {
  it('is in the feed at once, in front, and the rest keeps its ids', () => {
    const { feed, read, entries } = serve();
    const path = `${CITY}/modificari.atom`;
    assert.equal(entries(path).length, 0);
    feed.tellSome(60);
    const before = entries(path).map((entry) => textOf(entry, 'id'));
    assert.equal(before.length, 50);
    feed.tell([{ station: 'ffffffffffff', city: 'iasi' }]);
    const { body } = read(path);
    assert.equal(read(path).body, body, 'made once');
    feed.tell([]);
    assert.equal(read(path).body, body, 'the same buffer for the same content');
    feed.tell([{}]);
    assert.deepEqual(
      entries(path)
        .map((entry) => textOf(entry, 'id'))
        .slice(1),
      before.slice(0, -1),
    );
  });

  it('is waited for: until the feed is read, readers are asked to come back', () => {
    const read = aSite({ snapshot, changes: recentChanges(new ChangeLog()) });
    const { status, headers } = read(`${CITY}/modificari.atom`);
    assert.deepEqual([status, headers['Retry-After']], [503, '60']);
  });
});

describe('a change in words', () => {
  const change = (parts: Partial<RecentChange>): RecentChange => ({
    ...{ seq: 1, toldAt: NOON, station: 'x', fuel: 'diesel', kind: 'price' },
    ...{ before: { price: 7_500, reason: null }, after: { price: 7_300, reason: null } },
    ...parts,
  });
  const none = (reason: 'expired' | 'unsold' | 'incoherent') => ({ price: null, reason });
  const CASES: readonly (readonly [RecentChange, string, string])[] = [
    [
      change({}),
      'motorină 7,30 lei (−20 de bani)',
      'Prețul motorinei la X a scăzut cu 20 de bani, la 7,30 lei pe litru.',
    ],
    [
      change({ kind: 'withdrawn', after: none('expired') }),
      'motorină: fără preț',
      'Prețul motorinei la X a fost retras: nicio sursă nu l-a mai confirmat.',
    ],
    [
      change({ kind: 'returned', before: none('expired') }),
      'motorină 7,30 lei',
      'Prețul motorinei la X a revenit: 7,30 lei pe litru.',
    ],
    [
      change({ kind: 'returned', before: none('unsold') }),
      'motorină 7,30 lei',
      'Prețul motorinei la X apare acum: 7,30 lei pe litru.',
    ],
    [
      change({ kind: 'flag', after: { price: 7_500, reason: 'stale' } }),
      'motorină 7,50 lei, nesigur',
      'Prețul motorinei la X a devenit nesigur (7,50 lei pe litru): sursa nu l-a mai observat de cel puțin 7 zile.',
    ],
    [
      change({ kind: 'flag', before: { price: 7_300, reason: 'stuck' } }),
      'motorină 7,30 lei, din nou sigur',
      'Prețul motorinei la X este din nou sigur: 7,30 lei pe litru.',
    ],
    [
      change({ kind: 'flag', fuel: 'adblue', before: none('expired'), after: none('unsold') }),
      'AdBlue: fără preț',
      'Prețul AdBlue la X lipsește în continuare: nicio sursă nu mai spune că se vinde aici.',
    ],
    [change({ kind: 'station added', fuel: null }), 'benzinărie nouă', 'Pe Pompa apare acum și X.'],
    [change({ kind: 'station removed', fuel: null }), 'nu mai apare', 'Pe Pompa nu mai apare X.'],
  ];
  it('is what a native would write', () => {
    for (const [told, short, sentence] of CASES)
      assert.deepEqual([changeInShort(told, 'ro'), changeSentence(told, 'X', 'ro')], [short, sentence]);
    assert.equal(
      changeSentence(change({}), 'X', 'en'),
      'The price of diesel at X fell by 20 bani, to 7.30 lei per litre.',
    );
  });

  it('needs no name of a station that is not served any more', () => {
    const gone = change({ kind: 'station removed', fuel: null });
    assert.equal(changeSentence(gone, null, 'ro'), 'Pe Pompa nu mai apare o benzinărie.');
    assert.equal(
      changeSentence({ ...gone, kind: 'station added' }, null, 'en'),
      'Pompa listed a new station, which it no longer does.',
    );
    assert.match(
      changeSentence(change({}), null, 'ro'),
      /^Prețul motorinei la o benzinărie care nu mai apare pe Pompa a scăzut/,
    );
  });
});

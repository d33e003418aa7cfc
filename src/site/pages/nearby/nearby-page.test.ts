import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  aCity,
  aNetwork,
  aSnapshot,
  aStation,
  doubtful,
  recordsOf,
  trusted,
} from '../../../../test/support/builders/snapshot-builders.ts';
import { aSite, readPage } from '../../../../test/support/service/site-builders.ts';
import { StationSearch } from '../../../api/rendering/station-search.ts';
import { formatKm } from '../../html/formats.ts';

const HERE = { lat: 46.77, lng: 23.6 };
/** Stations north of the point; a hundredth of a degree is 1.1 km. */
const stationAt = (id: string, degrees: number, price: number) =>
  recordsOf(aStation({ id: id.padStart(12, '0'), lat: HERE.lat + degrees, lng: HERE.lng, address: `Strada ${id}` }), {
    petrol: trusted(price),
  });
const NEAR = [stationAt('1', 0.01, 9_700), stationAt('2', 0.02, 9_650), stationAt('3', 0.04, 9_690)].flat();
const FAR = [stationAt('7', 0.06, 9_500), stationAt('8', 0.2, 9_400), stationAt('9', 0.4, 9_000)].flat();
const snapshotOf = (records = [...NEAR, ...FAR]) => ({ snapshot: aSnapshot({ records }) });
const PAGE = '/langa-mine?lat=46.770&lng=23.600';
const shown = (text: string) =>
  [...text.matchAll(/<li><span class="who">.*?<span>Strada (\d)/g)].map((each) => each[1]);

describe('the page of the stations nearby', () => {
  it('ranks by price within the smallest radius that has three trusted prices', () => {
    const text = readPage(PAGE, snapshotOf());
    assert.deepEqual(shown(text), ['2', '3', '1']);
    assert.match(text, /<h2>La cel mult 5 km<\/h2>/);
    assert.match(text, /3 benzinării cu preț de încredere la cel mult 5 km, în jurul localității Cluj-Napoca/);
    assert.deepEqual(shown(readPage(PAGE, snapshotOf([...NEAR.slice(0, 2), ...FAR]))), ['7', '2', '1']);
    assert.deepEqual(shown(readPage(PAGE, snapshotOf([...NEAR.slice(0, 1), ...FAR]))), ['8', '7', '1']);
  });

  it('gives each station its distance, as the API does', async () => {
    const records = [...NEAR, ...FAR];
    const { km } = (await StationSearch.build(records)).near(HERE, 5, {});
    const text = readPage(PAGE, snapshotOf(records));
    const distances = [...text.matchAll(/<span class="origin">([\d,]+ km) · /g)].map((each) => each[1]);
    assert.deepEqual(distances.toSorted(), km.map((each) => formatKm(each, 'ro')).toSorted());
  });

  it('shows records of several networks at one place as one station, the one that was observed last', () => {
    const at = (id: string, network: string, price: number, day: string, more = {}) =>
      recordsOf(aStation({ id, network: aNetwork(network), address: 'Strada 5', lat: 46.785, lng: 23.6, ...more }), {
        petrol: trusted(price, { observed: { day, at: null, text: day } }),
      });
    const old = at('00000000000a', 'OMV', 9_000, '2026-11-18');
    const now = at('00000000000b', 'MOL', 9_610, '2026-11-19', { lat: 46.7851 });
    const text = readPage(PAGE, snapshotOf([...NEAR, ...old, ...now]));
    assert.deepEqual(shown(text), ['5', '2', '3', '1']);
    assert.match(
      text,
      />MOL<\/a><span>Strada 5<\/span><span class="origin">1,7 km · listată și ca <a [^>]+>OMV<\/a> · /,
    );
    assert.doesNotMatch(text, /9,00/);
    assert.match(text, /4 benzinării cu preț/);
    const roughly = at('00000000000c', 'OMV', 9_600, '2026-11-18', { approximateCoordinates: true });
    assert.deepEqual(shown(readPage(PAGE, snapshotOf([...NEAR, ...roughly, ...now]))), ['5', '5', '2', '3', '1']);
  });

  it('marks the position on the map, and names the mark', () => {
    const text = readPage(PAGE, snapshotOf());
    assert.match(text, /<g role="img" aria-label="Poziția dumneavoastră"><circle /);
    assert.match(text, /<figcaption>○ Poziția dumneavoastră\. /);
  });

  it('shows a doubtful price with its reason only, never as the cheapest', () => {
    const stuck = recordsOf(aStation({ id: '00000000000d', ...HERE, address: 'Strada 5' }), {
      petrol: doubtful(8_000, 'stuck', '2026-10-01'),
    });
    const text = readPage(PAGE, snapshotOf([...NEAR, ...stuck]));
    assert.deepEqual(shown(text), ['2', '3', '1', '5']);
    assert.match(text, /<ul class="ranking unranked">[\s\S]*Strada 5.*neschimbat din 1 octombrie/);
  });

  it('takes the fuel from the address in the words of either language', () => {
    for (const fuel of ['motorina', 'diesel'])
      assert.match(readPage(`${PAGE}&tip=${fuel}`, snapshotOf()), /<h1>Prețul motorinei lângă mine<\/h1>/);
  });

  it('is kept by nobody: neither here, nor by caches, nor by search engines', () => {
    const site = aSite(snapshotOf());
    const [first, second] = [site(PAGE), site(PAGE)];
    assert.equal(first.headers['Cache-Control'], 'no-store');
    assert.notEqual(first.body, second.body);
    const text = first.body.toString();
    assert.match(text, /<meta name="robots" content="noindex">/);
    assert.match(text, /<link rel="canonical" href="https:\/\/pompa\.example\/langa-mine">/);
  });

  it('rounds a position that is more exact than about 100 m', () => {
    const text = readPage('/langa-mine?lat=46.7704321&lng=23.5996789', snapshotOf());
    assert.ok(text.includes('lat=46.770&amp;lng=23.600&amp;tip=gpl'));
    assert.doesNotMatch(text, /46\.7704|23\.5996/);
  });

  it('says that a position is outside Romania, and still shows what is near', () => {
    const paris = readPage('/langa-mine?lat=48.85&lng=2.35', snapshotOf());
    assert.match(paris, /Poziția este în afara României.* <a href="\/germania">/);
    assert.match(paris, /Nicio benzinărie din România aflată la cel mult 25 km/);
    const giurgiu = recordsOf(aStation({ lat: 43.9, lng: 25.97, address: 'Strada 4' }), { petrol: trusted(9_600) });
    const ruse = readPage('/langa-mine?lat=43.84&lng=25.95', snapshotOf(giurgiu));
    assert.match(ruse, /Poziția este în afara României/);
    assert.deepEqual(shown(ruse), ['4']);
    assert.doesNotMatch(readPage(PAGE, snapshotOf()), /în afara României/);
  });

  it('refuses what is not a position, with a sentence in the language of the page', () => {
    for (const query of [
      'lat=46',
      'lng=23',
      'lat=a&lng=23',
      'lat=91&lng=23',
      'lat=46&lng=181',
      'lat=&lng=',
      'lat=1e1&lng=2',
    ]) {
      const { status, headers, body } = aSite(snapshotOf())(`/en/near-me?${query}`);
      assert.deepEqual([status, headers['Cache-Control']], [400, 'no-store'], query);
      assert.match(body.toString(), /The address has no correct position/);
    }
  });

  it('answers any position', () => {
    const site = aSite(snapshotOf());
    const degrees = (most: number) => fc.double({ min: -most, max: most, noNaN: true }).map((each) => each.toFixed(4));
    fc.assert(
      fc.property(degrees(90), degrees(180), (lat, lng) => {
        assert.equal(site(`/langa-mine?lat=${lat}&lng=${lng}`).status, 200);
      }),
      { numRuns: 30 },
    );
  });

  it('explains itself without a position: a button that code shows, the search form, and the cities', () => {
    const text = readPage('/langa-mine', { snapshot: aSnapshot({ cities: [aCity()] }) });
    assert.match(text, /<button type="button" data-target="\/langa-mine" class="needs-code">Lângă mine<\/button>/);
    assert.match(text, /nu este păstrată/);
    assert.match(text, /<form class="search" action="\/cautare">/);
    assert.match(text, /<a href="\/preturi-carburanti\/cluj-napoca">Cluj-Napoca<\/a>/);
    assert.match(text, /<script type="module" src="\/b\/[0-9a-f]+\/near-me\.ts">/);
  });
});

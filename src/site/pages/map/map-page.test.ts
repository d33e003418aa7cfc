import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import {
  aCity,
  aNetwork,
  aSnapshot,
  aStation,
  doubtful,
  expired,
  prices,
  recordsOf,
  trusted,
} from '../../../../test/support/builders/snapshot-builders.ts';
import { aSite, aWaitingSite, awaitPage, readPage } from '../../../../test/support/service/site-builders.ts';
import { ROAD_FUELS } from '../../../domain/fuel.ts';
import { loadGazetteer } from '../../../geodata/load-gazetteer.ts';
import { type MapFile, type MapStation, parseMapStations } from '../../browser/map-stations.ts';
import { stationLookup } from '../../lookup/station-prices.ts';

const seen = (day: string) => ({ observed: { day, at: null, text: null } });
const RECORDS = [
  ...recordsOf(aStation({ id: '00000000000a', address: 'Strada Scumpă 1' }), {
    petrol: trusted(9_710, seen('2026-11-17')),
    diesel: trusted(10_400),
  }),
  ...recordsOf(aStation({ id: '00000000000b', address: 'Strada Ieftină 2', network: aNetwork('Rompetrol') }), {
    petrol: trusted(9_590, seen('2026-11-20')),
  }),
  ...recordsOf(aStation({ id: '00000000000c', address: 'Strada Blocată 3' }), {
    petrol: doubtful(8_000, 'stuck', '2026-10-01'),
  }),
  ...recordsOf(aStation({ id: '00000000000d', city: 'Turda', citySlug: 'turda', lat: 46.57, lng: 23.78 }), {
    petrol: expired('2026-11-18T12:05:00Z'),
    lpg: trusted(4_600),
  }),
  ...recordsOf(aStation({ id: '00000000000e', city: '', citySlug: '', suspectCoordinates: true }), {
    petrol: trusted(9_000),
  }),
];
const given = { snapshot: aSnapshot({ records: RECORDS }) };
const listed = (text: string) => [...text.matchAll(/<span>(Strada [^<]+)<\/span>/g)].map(([, address]) => address);

describe('the page of the map', () => {
  const text = readPage('/harta', given);

  it('lists the cheapest trusted prices, and never one that does not count', () => {
    assert.deepEqual(listed(text), ['Strada Ieftină 2', 'Strada Scumpă 1']);
    assert.match(
      text,
      /<p class="lead">Pe hartă: 2 benzinării cu preț de încredere și poziție cunoscută, de la 9,59 la 9,71 lei pe litru\.<\/p>/,
    );
    assert.match(text, /<title>Preț benzină pe hartă: 2 benzinării, de la 9,59 lei \| Pompa<\/title>/);
  });

  it('selects a fuel in the words of either language, a network and a city', () => {
    for (const fuel of ['motorina', 'diesel'])
      assert.deepEqual(listed(readPage(`/harta?tip=${fuel}`, given)), ['Strada Scumpă 1']);
    const network = readPage('/en/map?retea=rompetrol', given);
    assert.deepEqual(listed(network), ['Strada Ieftină 2']);
    assert.match(network, /<option value="rompetrol" selected>Rompetrol/);
    const city = readPage('/harta?oras=turda&tip=gpl', given);
    assert.match(city, /<h1>Prețul GPL-ului pe hartă, Turda<\/h1>/);
    assert.match(city, /<input type="hidden" name="oras" value="turda">/);
    assert.match(city, /<link rel="canonical" href="https:\/\/pompa\.example\/harta">/);
    assert.match(city, /<a href="\/en\/map\?oras=turda&amp;tip=lpg" lang="en"/);
  });

  it('says so where no price counts', () => {
    assert.match(readPage('/harta?oras=turda', given), /Niciun preț de încredere pentru această alegere\./);
    assert.match(readPage('/harta?oras=nicaieri&tip=apa&retea=x', given), /<h1>Prețul benzinei pe hartă<\/h1>/);
  });

  it('has the map library and allows its style, for this page alone', () => {
    assert.match(
      text,
      /<link rel="stylesheet" href="\/b\/[0-9a-f]{12}\/leaflet\.css">\n<script defer src="\/b\/[0-9a-f]{12}\/leaflet\.js">/,
    );
    const policy = aSite(given)('/harta').headers['Content-Security-Policy'] ?? '';
    assert.match(policy, /style-src 'self';/);
    assert.doesNotMatch(policy, /trusted-types/);
    assert.doesNotMatch(readPage('/', given), /leaflet\.(js|css)"/);
  });

  it('shows a picture where no code runs, which no other browser loads', () => {
    const [, without = ''] = /<noscript>([\s\S]*?)<\/noscript>/.exec(text) ?? [];
    const [, path = ''] = / src="([^"]+)"/.exec(without) ?? [];
    assert.equal(path, '/harta/benzina.svg');
    const { contentType, body } = aSite(given)(path);
    assert.equal(contentType, 'image/svg+xml');
    assert.match(body.toString(), /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[\s\S]*>9,59</);
    assert.equal(aSite(given)('/en/map/premium-diesel-360.svg').status, 200);
    assert.equal(aSite(given)('/harta/diesel.svg').status, 404);
  });

  it('names the largest cities on the small picture of the home page, beside their prices', () => {
    const cities = loadGazetteer()
      .localities.slice(0, 30)
      .map(({ slug, name, lat, lng }, index) =>
        aCity({ slug, name, lat, lng, prices: prices({ petrol: 9_590 + 10 * index }) }),
      );
    const picture = aSite({ snapshot: aSnapshot({ cities }) })('/harta/orase-360.svg').body.toString();
    for (const name of ['București', 'Iași', 'Cluj-Napoca', 'Timișoara', 'Constanța', 'Craiova', 'Brașov'])
      assert.ok(picture.includes(`>${name}<`), name);
  });
});

describe('the file of the map', () => {
  let file: MapFile;
  let stations: MapStation[];
  before(async () => {
    file = JSON.parse(await awaitPage('/harta/statii.json', given)) as MapFile;
    stations = parseMapStations(file);
  });

  it('has every station that can be on a map, under the address of its page', () => {
    const onMap = stationLookup(given.snapshot).stations.filter(({ station }) => !station.suspectCoordinates);
    assert.deepEqual(
      stations.map(({ slug }) => slug),
      onMap.map(({ slug }) => slug),
    );
    assert.deepEqual(
      stations.map(({ place }) => place),
      ['Cluj-Napoca', 'Cluj-Napoca', 'Cluj-Napoca', 'Turda'],
    );
  });

  it('has the prices that the API has, a reason for those that do not count, nothing for what is not sold', () => {
    assert.deepEqual(
      stations.map(({ prices }) => prices),
      [
        [9_710, null, 10_400, null, null],
        [9_590, null, null, null, null],
        ['doubtful', null, null, null, null],
        ['expired', null, null, null, 4_600],
      ],
    );
    for (const [at, fuel] of ROAD_FUELS.entries()) {
      const counted = RECORDS.filter(
        (each) => each.fuel === fuel && each.verdict.kind === 'trusted' && !each.station.suspectCoordinates,
      );
      assert.equal(stations.filter(({ prices }) => typeof prices[at] === 'number').length, counted.length);
    }
  });

  it('has the age of every price that counts in days, and the page their words', () => {
    assert.deepEqual(
      stations.map(({ ages }) => ages[0]),
      [3, 0, null, Date.parse('2026-11-18T12:05:00Z') / 1000],
    );
    assert.match(
      readPage('/harta', given),
      /&quot;ages&quot;:\[&quot;azi&quot;,&quot;ieri&quot;,&quot;acum 2 zile&quot;,&quot;acum 3 zile&quot;\]/,
    );
  });

  it('is made once for all who wait for it', async () => {
    let reads = 0;
    const lat = () => {
      reads += 1;
      return 46.75;
    };
    const station = Object.defineProperty({ ...aStation() }, 'lat', { get: lat });
    const site = aWaitingSite({ snapshot: aSnapshot({ records: recordsOf(station, { petrol: trusted(9_590) }) }) });
    await Promise.all([site('/harta/statii.json'), site('/harta/statii.json')]);
    assert.equal(reads, 1);
  });

  it('is the same buffer until the snapshot changes', async () => {
    let snapshot = given.snapshot;
    const site = aWaitingSite({ snapshot: () => snapshot });
    const read = async () => (await site('/harta/statii.json')).body;
    const [first, second] = await Promise.all([read(), read()]);
    assert.equal(first, second);
    assert.equal(await read(), first);
    const outdated = read();
    snapshot = aSnapshot({ records: RECORDS.slice(1) });
    assert.notEqual(await read(), first);
    assert.equal(await outdated, first);
    assert.equal(await read(), await read());
  });

  it('is JSON without a station, too', async () => {
    const empty = await awaitPage('/harta/statii.json', { snapshot: aSnapshot({ records: [] }) });
    assert.deepEqual(JSON.parse(empty), { networks: [], places: [], stations: [] });
  });

  it('of ten times as many stations as today is made in slices: other work has turns meanwhile', async () => {
    const records = Array.from({ length: 14_000 }, (_, index) =>
      recordsOf(aStation({ id: index.toString(16).padStart(12, '0') }), { petrol: trusted(7_000 + index) }),
    ).flat();
    const making = aWaitingSite({ snapshot: aSnapshot({ records }) })('/harta/statii.json');
    let turns = 0;
    let isMade = false;
    const turn = () => {
      turns += 1;
      if (!isMade) setImmediate(turn);
    };
    turn();
    const { body } = await making;
    isMade = true;
    assert.equal(JSON.parse(body.toString()).stations.length, 14_000);
    assert.ok(turns > 5, `${turns} turns`);
  });
});

describe('the map with tiles of another service', () => {
  const mapTiles = {
    url: 'https://tiles.example.org:8443/{z}/{x}/{y}.png?key=a&b',
    origin: 'https://tiles.example.org:8443',
    attribution: '© [OpenStreetMap "contributors"](https://www.openstreetmap.org/copyright?a&b)',
  };
  const policyOf = (path: string, tiles: typeof mapTiles | null) =>
    aSite({ ...given, mapTiles: tiles })(path).headers['Content-Security-Policy'] ?? '';

  it('may load pictures from exactly that origin, on this page alone', () => {
    for (const path of ['/harta', '/en/map?tip=diesel'])
      assert.match(policyOf(path, mapTiles), /; img-src 'self' data: https:\/\/tiles\.example\.org:8443; /);
    for (const path of ['/', '/traseu', '/preturi-carburanti/cluj-napoca'])
      assert.match(policyOf(path, mapTiles), /; img-src 'self' data:; /, path);
    assert.match(policyOf('/harta', null), /; img-src 'self' data:; /);
  });

  it('tells its code the address, and the attribution as markup that is escaped', () => {
    const tilesOf = (tiles: typeof mapTiles | null) => {
      const [, settings = ''] =
        / data-settings="([^"]*)"/.exec(readPage('/harta', { ...given, mapTiles: tiles })) ?? [];
      return (
        JSON.parse(
          settings
            .replaceAll('&quot;', '"')
            .replaceAll('&#39;', "'")
            .replaceAll('&lt;', '<')
            .replaceAll('&gt;', '>')
            .replaceAll('&amp;', '&'),
        ) as { tiles: object }
      ).tiles;
    };
    const link = 'https://www.openstreetmap.org/copyright?a&amp;b';
    const attribution = `© <a href="${link}">OpenStreetMap &quot;contributors&quot;</a>`;
    assert.deepEqual(tilesOf(mapTiles), { url: mapTiles.url, attribution, maxZoom: 18, isOurs: false });
    assert.deepEqual(tilesOf(null), {
      ...{ url: '/harta/{z}/{x}/{y}.svg', attribution: 'GeoNames CC BY 4.0 · Natural Earth' },
      ...{ maxZoom: 14, isOurs: true },
    });
  });

  it('leaves our own tiles, with streets, where the operator has a file', () => {
    let maxZoom: number | null = null;
    const streets = {
      get maxZoom() {
        return maxZoom;
      },
      version: 1,
      read: async () => null,
      takeTurn: async () => () => undefined,
    };
    const read = aSite({ ...given, streets });
    assert.match(read('/harta').body.toString(), /Hartă schematică, fără străzi[\s\S]*Pe fond verde/);
    maxZoom = 15;
    const page = read('/harta').body.toString();
    assert.match(page, /&quot;maxZoom&quot;:17,&quot;isOurs&quot;:true/);
    assert.match(page, /© OpenStreetMap contributors \(ODbL\)/);
    assert.doesNotMatch(page, /fără străzi/);
    assert.match(read('/preturi-carburanti/cluj-napoca/benzina').body.toString(), /<image href="\/harta\/14\//);
  });

  it('does not call itself schematic; the picture without code still does', () => {
    const note = /Hartă schematică, fără străzi/g;
    assert.equal(readPage('/harta?oras=turda&tip=gpl', { ...given, mapTiles }).match(note)?.length, 1);
    assert.equal(readPage('/harta?oras=turda&tip=gpl', given).match(note)?.length, 2);
  });

  it('is named on the privacy page', () => {
    for (const path of ['/confidentialitate', '/en/privacy']) {
      assert.match(readPage(path, { mapTiles }), /<code>tiles\.example\.org:8443<\/code>/);
      assert.match(readPage(path, { mapTiles }), /<li>În rest, paginile nu încarcă nimic|<li>Pages load nothing else/);
      assert.match(readPage(path), /<li>Paginile nu încarcă nimic de pe alte servere\.|<li>Pages load nothing from/);
    }
  });
});

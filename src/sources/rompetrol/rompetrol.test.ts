/** Rompetrol's list, read as sent: over a real connection, and field by field. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { capturingFetch, sweepOf, sweepWithFetch } from '../../../test/fuzz/single-answer.ts';
import { createDownloader } from '../../clients/http/download.ts';
import { loadGazetteer } from '../../geodata/load-gazetteer.ts';
import {
  infoWindow,
  ROMPETROL_PATH,
  type RompetrolStation,
  rompetrolHandler,
} from '../../simulation/feeds/simulated-rompetrol.ts';
import { SourceFailed } from '../source.ts';
import { fuelOfName } from './fuels.ts';
import { readPriceText } from './infowindow.ts';
import { rompetrolSource } from './rompetrol.ts';

const FIXTURE = readFileSync(new URL('stations.fixture.json', import.meta.url));
const CLUJ: RompetrolStation = {
  id: 1,
  name: 'Rompetrol Cluj 1',
  city: 'Cluj-Napoca',
  county: 'Cluj',
  address: 'Calea Turzii 200',
  lat: 46.74,
  lng: 23.59,
  services: ['28'],
  prices: { 'Efix Benzina 95': '8.88 LEI/L', 'Efix Motorina 51': '8.99 LEI/L' },
  hours: 'Non-Stop',
  phone: '0264 123 456',
};

describe('a list in the real shape', async () => {
  const { stations, readings, rejections, units, requests } = await sweepOf(rompetrolSource(loadGazetteer()), FIXTURE);

  test('gives the stations of Romania with their texts, coordinates and services', () => {
    assert.deepEqual(stations, [
      {
        sourceId: '101',
        network: 'rompetrol',
        brand: 'Rompetrol',
        name: 'Rompetrol Cluj 1',
        address: 'Calea Turzii nr. 200, Cluj-Napoca',
        lat: 46.7401,
        lng: 23.5912,
        siruta: null,
        hours: 'Non-Stop',
        services: ['Wi-Fi', 'Restaurant', 'Compresor aer'],
        phone: '0264 123 456',
      },
      {
        sourceId: '102',
        network: 'rompetrol',
        brand: 'Rompetrol',
        name: 'Rompetrol Calafat',
        address: 'Str. 22 Decembrie, Calafat',
        lat: 43.9921,
        lng: 22.9402,
        siruta: null,
        hours: null,
        services: [],
        phone: null,
      },
      {
        sourceId: '104',
        network: 'rompetrol',
        brand: 'Rompetrol',
        name: 'Rompetrol Giurgiu',
        address: 'Sos. Bucuresti km 60, Giurgiu',
        lat: 43.9011,
        lng: 25.9689,
        siruta: null,
        hours: '06:00 - 22:00',
        services: [],
        phone: null,
      },
    ]);
  });

  test('gives the lowest price of each fuel, no date, and fuels without a price where the window shows none', () => {
    assert.deepEqual(
      readings.map(({ sourceId, fuel, price }) => [sourceId, fuel, price]),
      [
        ['101', 'petrol', 8880],
        ['101', 'petrol_premium', 9610],
        ['101', 'diesel', 8990],
        ['101', 'diesel_premium', 9740],
        ['101', 'lpg', 4190],
        ['102', 'petrol', 8790],
        ['102', 'diesel', null],
        ['102', 'adblue', 5490],
        ['104', 'petrol', null],
        ['104', 'diesel', null],
        ['104', 'lpg', null],
      ],
    );
    assert.ok(readings.every(({ observed, unit, network }) => !observed && unit === 'all' && network === 'rompetrol'));
  });

  test('counts what was left out, and reads the list in one request', () => {
    assert.deepEqual(rejections.counts(), { no_price: 1, other_country: 1, unknown_service: 1 });
    assert.deepEqual(rejections.samples().other_country, ['103: Vidin']);
    assert.deepEqual([...units], [['all', 'read']]);
    assert.equal(requests, 1);
  });
});

test('the site gets one request, for its own address, over a real connection', async () => {
  const server = createServer(rompetrolHandler(() => [CLUJ]));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const downloader = createDownloader({
    userAgent: 'Pompa test',
    timeoutMs: 20_000,
    maxBytes: 20_000_000,
    retries: 0,
    pauseMs: 0,
    parallel: 1,
    allowPrivate: true,
  });
  try {
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}${ROMPETROL_PATH}?language_id=1`;
    const sweep = await sweepWithFetch(rompetrolSource(loadGazetteer()), (target, options) =>
      downloader.download(`${base}${target}`, options),
    );
    assert.equal(downloader.sent(), 1);
    assert.equal(sweep.stations[0]?.phone, '0264 123 456');
    assert.deepEqual(
      sweep.readings.map(({ price }) => price),
      [8880, 8990],
    );
  } finally {
    await downloader.close();
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
});

test('the source sends one GET for the feed’s own address', async () => {
  const requests: Parameters<typeof capturingFetch>[0] = [];
  await assert.rejects(sweepWithFetch(rompetrolSource(loadGazetteer()), capturingFetch(requests)), SourceFailed);
  assert.deepEqual(requests, [['', { accept: 'application/json' }]]);
});

test('a list without one readable price has failed: the page has changed, the prices have not', async () => {
  const row = { ...rowOf({}), infowindow: '<div class="card"><b>Efix 95</b> 8.88</div>' };
  await assert.rejects(
    sweepOf(rompetrolSource(loadGazetteer()), [row]),
    /^Error: no price can be read at 1 stations; its infowindow must have changed$/,
  );
});

describe('whether a station is in Romania', () => {
  const lei = infoWindow('', { 'Efix 95': '8.88 LEI/L' });
  const euro = infoWindow('', { 'Efix 95': '1.29 EUR/L' });
  const cases: Record<string, [row: object, romanian: boolean]> = {
    'Bulgarian by its county, prices in lei': [{ infowindow: lei, county: 'Ruse', lat: 43.85, lng: 25.95 }, false],
    'Bulgarian by its county alone': [{ infowindow: lei, county: 'Sofia', lat: null, lng: null }, false],
    'Bulgarian by its coordinates, prices in lei': [{ infowindow: lei, county: '', lat: 42.69, lng: 23.32 }, false],
    'just beyond the Danube, prices in lei': [{ infowindow: lei, county: '', lat: 43.85, lng: 25.95 }, false],
    'prices in lei without county and coordinates': [{ infowindow: lei, county: '', lat: null, lng: null }, true],
    'a county nobody knows, in Romania, prices in lei': [
      { infowindow: lei, county: 'Sectorul 3', lat: 44.43, lng: 26.1 },
      true,
    ],
    'prices in another currency decide': [{ infowindow: euro, county: 'Cluj' }, false],
    'prices in leva too': [{ infowindow: infoWindow('', { 'Efix 95': '2.49 лв./L' }), county: '' }, false],
    'else the county': [{ infowindow: '', county: 'Județul Dolj', lat: 44.3, lng: 23.8 }, true],
    'a county of another country': [{ infowindow: '', county: 'Plovdiv', lat: 44.4, lng: 26.1 }, false],
    'a county in Cyrillic': [{ infowindow: '', county: 'Видин', lat: 43.99, lng: 22.87 }, false],
    'else the coordinates': [{ infowindow: '', county: '', lat: 44.43, lng: 26.1 }, true],
    'coordinates far in Bulgaria': [{ infowindow: '', county: '', lat: 42.69, lng: 23.32 }, false],
    'nothing at all': [{ infowindow: '', county: null, lat: null, lng: null }, false],
  };
  for (const [title, [change, romanian]] of Object.entries(cases)) {
    test(title, async () => {
      const { stations } = await sweepOf(rompetrolSource(loadGazetteer()), [
        rowOf({}),
        { ...rowOf({}), ...change, id: 2 },
      ]);
      assert.equal(stations.length, romanian ? 2 : 1);
    });
  }
});

describe('products', () => {
  const NAMES: Record<string, string | null> = {
    'Efix Benzina 95': 'petrol',
    'Benzina Standard 95 Efix': 'petrol',
    'Efix 95': 'petrol',
    'BENZINĂ FĂRĂ PLUMB 95': 'petrol',
    'Benzina Efix S 98': 'petrol_premium',
    'Efix 98': 'petrol_premium',
    'Efix Motorina 51': 'diesel',
    'Efix Diesel 51': 'diesel',
    'Motorină Efix': 'diesel',
    'Motorina Euro 5': 'diesel',
    'Motorina Efix S 55': 'diesel_premium',
    'Efix S Diesel 55': 'diesel_premium',
    GPL: 'lpg',
    'GPL Auto': 'lpg',
    AdBlue: 'adblue',
    'AD-BLUE': 'adblue',
    Efix: null,
    'Efix S 95': null,
    'Motorina agricola': null,
    'Calor Extra': null,
    constructor: null,
    '': null,
  };
  for (const [name, fuel] of [...Object.entries(NAMES), ['__proto__', null] as const]) {
    test(`"${name}" is ${fuel ?? 'not guessed at'}`, () => assert.equal(fuelOfName(name), fuel));
  }
});

describe('prices as shown', () => {
  const SHOWN: Record<string, string> = {
    '8.88 LEI/L': 'ron 8.88',
    '8,88 lei/l': 'ron 8.88',
    '8.888LEI / L': 'ron 8.888',
    '8 Ron/litru': 'ron 8',
    '-8.88 LEI/L': 'ron -8.88',
    '1.29 EUR/L': 'other_currency',
    '2,49 лв./L': 'other_currency',
    '8.88 LEI/KG': 'other_quantity',
    '8.88': 'price_not_understood',
    '1.234,56 LEI/L': 'price_not_understood',
    '8.8.8 LEI/L': 'price_not_understood',
    '1e3 LEI/L': 'price_not_understood',
    '８.８８ LEI/L': 'price_not_understood',
    'NaN LEI/L': 'price_not_understood',
    'de la 8.88 LEI/L': 'price_not_understood',
    '': 'no_price',
    '-': 'no_price',
    'LEI/L': 'no_price',
  };
  for (const [text, expected] of Object.entries(SHOWN)) {
    test(`"${text}" is ${expected}`, () => {
      const read = readPriceText(text);
      assert.equal(read.kind === 'ron' ? `ron ${read.amount}` : read.kind, expected);
    });
  }
});

function rowOf(change: object): object {
  const { prices, hours, phone, ...station } = CLUJ;
  return { ...station, infowindow: infoWindow(station.name, prices, hours, phone), ...change };
}

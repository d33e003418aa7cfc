import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { distanceKm } from '../../domain/point.ts';
import { EPOCH, exampleCountry, stationOf, stationsWithAnomaly, unitCodes } from '../country/example-country.ts';
import { BUCHAREST } from '../country/placement.ts';
import { SIMULATED_NETWORKS } from '../country/simulated-networks.ts';
import { bucharestTime, priceAt, registerQuote } from '../country/simulated-prices.ts';
import { countryContents } from './country-contents.ts';
import { RegisterAnswers } from './register-answers.ts';
import { encodeAnswer } from './register-encoding.ts';

type Items = {
  Stations: { id: string; updatedate: string; network: { id: string }; addr: { uatid: string } }[];
  Products: { stationid: string; price?: number; distance: number }[];
  services: { stationid: string }[];
  area: { Points: unknown[] };
};

const country = exampleCountry();
const answers = new RegisterAnswers(countryContents(country));
const NOW = bucharestTime(EPOCH);
const IDS = { petrol: '11', petrol_premium: '12', diesel: '21', diesel_premium: '22', lpg: '31' } as const;
const CENTRE = { lat: 44.43225, lng: 26.10626 };

const answer = (method: string, parameters: Record<string, string | number> = {}) => {
  const query = new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]));
  const { status, body } = encodeAnswer(answers.answerTo(`${method}?${query}`, NOW));
  return { status, json: body.toString() };
};
const inUnit = (uatid: number | string, product: string, networks = '') =>
  answer('getgasitemsbyuat', { uatid, csvgascatalogproductids: product, csvgasnetworkids: networks, orderby: 'dist' });
const around = (lat: number, lon: number, buffer: number) =>
  answer('getgasitemsbylatlon', { lat, lon, buffer, csvgascatalogproductids: '11', orderby: 'dist' });
const items = ({ json }: { json: string }): Items => JSON.parse(json);
const list = (method: string, parameters = {}) => JSON.parse(answer(method, parameters).json).Items;

describe('simulated register: items of a unit', () => {
  it('are 50 of the 77 in Bucharest, the nearest to its centre first', () => {
    const { Stations, Products } = items(inUnit(BUCHAREST, '11'));
    assert.equal(Stations.length, 50);
    assert.equal(Products.length, 50);
    const distances = Products.map(({ distance }) => distance);
    assert.deepEqual(
      distances,
      distances.toSorted((a, b) => a - b),
    );
    const own = country.stations.filter(({ siruta }) => siruta === BUCHAREST).map((s) => distanceKm(s, CENTRE));
    assert.ok(Math.abs((distances[49] ?? 0) - (own.sort((a, b) => a - b)[49] ?? 0)) < 1e-5);
  });

  it('are all 77 when asked network by network, and a list of networks works too', () => {
    const found = new Set<string>();
    for (const { id } of SIMULATED_NETWORKS) {
      const { Stations } = items(inUnit(BUCHAREST, '11', id));
      assert.ok(Stations.length < 50 && Stations.every(({ network }) => network.id === id));
      for (const station of Stations) found.add(station.id);
    }
    assert.equal(found.size, 77);
    assert.equal(items(inUnit(BUCHAREST, '11', 'PETROM,OMV')).Stations.length, 35);
  });

  it('are every row of the country, each once, over all units and fuels', () => {
    const found = new Set<string>();
    let rows = 0;
    for (const siruta of unitCodes.filter((code) => code !== BUCHAREST)) {
      for (const id of Object.values(IDS)) {
        const reply = inUnit(siruta, id);
        if (reply.status !== 200) continue;
        const { Stations, Products, services } = items(reply);
        assert.ok(Stations.length < 50 && Stations.every(({ addr }) => addr.uatid === String(siruta)));
        const ids = new Set(Stations.map((station) => station.id));
        assert.ok([...Products, ...services].every(({ stationid }) => ids.has(stationid)));
        for (const { stationid } of Products) found.add(`${stationid} ${id}`);
        rows += Products.length;
      }
    }
    const ill = new Set(stationsWithAnomaly(country, 'ill-unit'));
    const expected = country.stations
      .filter((station) => station.siruta !== BUCHAREST && !ill.has(station))
      .flatMap((station) =>
        station.fuels.filter((fuel) => registerQuote(country, station, fuel, NOW).kind !== 'absent'),
      );
    assert.equal(found.size, expected.length);
    assert.equal(rows, expected.length + stationsWithAnomaly(country, 'two-products').length);
  });

  it('carry the current price and the date of the last report', () => {
    const station = country.stations.find(({ network, anomalies }) => network === 'MOL' && anomalies.length === 0);
    assert.ok(station);
    const { Stations, Products } = items(inUnit(station.siruta, '21'));
    assert.match(Stations.find(({ id }) => id === station.id)?.updatedate ?? '', /^20\/11\/2026 22:\d\d $/);
    const price = Products.find(({ stationid }) => stationid === station.id)?.price;
    assert.equal(price, (priceAt(country, station, 'diesel', EPOCH) ?? 0) / 1000);
  });

  it('are a 500 with the three fields for every query that matches no station', () => {
    const without = country.units.find(
      ({ siruta }) => !country.stations.some((s) => s.siruta === siruta && s.fuels.includes('lpg')),
    );
    assert.ok(without);
    for (const [siruta, product] of [
      [without.siruta, '31'],
      [1, '11'],
      [BUCHAREST, '41'],
      [BUCHAREST, '99'],
    ] as const) {
      const { status, json } = inUnit(siruta, product);
      assert.equal(status, 500);
      assert.deepEqual(Object.keys(JSON.parse(json)), ['Message', 'ExceptionMessage', 'ExceptionType']);
    }
  });

  it('refuse a list of fuels with the recorded error', () => {
    const { status, json } = inUnit(BUCHAREST, '11,21');
    assert.equal(status, 500);
    assert.deepEqual(JSON.parse(json), {
      Message: 'An error has occurred.',
      ExceptionMessage: '22P02: invalid input syntax for type integer: "11,21"',
      ExceptionType: 'Npgsql.PostgresException',
    });
    assert.match(inUnit('București', '11').json, /22P02/);
  });

  it('are a bare empty list when a parameter is missing', () => {
    const noBuffer = answer('getgasitemsbylatlon', { lat: 44, lon: 26, csvgascatalogproductids: '11' });
    for (const { status, json } of [answer('getgasitemsbyuat', { uatid: 179132 }), noBuffer]) {
      assert.deepEqual([status, json], [200, '[]']);
    }
  });

  it('are 503 in the failing unit', () => {
    const [ill] = stationsWithAnomaly(country, 'ill-unit');
    assert.ok(ill);
    assert.equal(inUnit(ill.siruta, '11').status, 503);
  });

  it('show the injected prices: none, zero, two products with the lower one last', () => {
    for (const kind of ['price-missing', 'price-zero', 'two-products'] as const) {
      for (const { station: key, fuel, siruta } of country.anomalies.filter((anomaly) => anomaly.kind === kind)) {
        assert.ok(fuel);
        const { id } = stationOf(country, key);
        const { Products } = items(inUnit(siruta, IDS[fuel]));
        const prices = Products.filter(({ stationid }) => stationid === id).map(({ price }) => price);
        if (kind === 'price-missing') assert.deepEqual(prices, [undefined]);
        else if (kind === 'price-zero') assert.deepEqual(prices, [0]);
        else assert.ok(prices.length === 2 && (prices[0] ?? 0) > (prices[1] ?? 0));
      }
    }
  });
});

describe('simulated register: items around a point', () => {
  it('are those within the buffer, nearest first, at most 50, whatever the unit', () => {
    const { Products, area } = items(around(CENTRE.lat, CENTRE.lng, 3_000));
    const expected = country.stations.filter((s) => distanceKm(s, CENTRE) <= 3).map(({ id }) => id);
    assert.ok(expected.length > 10);
    assert.deepEqual(Products.map(({ stationid }) => stationid).sort(), expected.sort());
    assert.ok(Products.every(({ distance }) => distance <= 3));
    assert.ok(area.Points.length > 100);
    assert.ok(items(around(CENTRE.lat, CENTRE.lng, 5_000)).Products.length <= 50);
  });

  it('are an empty envelope beyond 5,000 m, and where no station is', () => {
    for (const reply of [around(CENTRE.lat, CENTRE.lng, 5_001), around(43.2, 28, 5_000)]) {
      assert.equal(reply.status, 200);
      const { Stations, Products, services } = items(reply);
      assert.deepEqual([Stations, Products, services], [[], [], []]);
    }
  });

  it('use the declared place: a station without one is never found, a misplaced one is found there', () => {
    for (const { declared, id } of stationsWithAnomaly(country, 'wrong-county')) {
      assert.ok(declared);
      assert.ok(items(around(declared.lat, declared.lng, 500)).Stations.some((station) => station.id === id));
    }
    for (const { lat, lng, id } of stationsWithAnomaly(country, 'no-coordinates')) {
      assert.ok(items(around(lat, lng, 500)).Stations.every((station) => station.id !== id));
    }
  });
});

describe('simulated register: lists', () => {
  it('name the networks, fuels and services', () => {
    const names = (method: string) => list(method).map(({ id, name }: Record<string, string>) => `${id} ${name}`);
    assert.deepEqual(names('getgasnetworks'), [
      'PETROM PETROM',
      'OMV OMV',
      'ROMPETROL Rompetrol',
      'LUKOIL LUKOIL România S.R.L.',
      'MOL MOL România Petroleum Products',
      'SOCAR SOCAR',
      'GAZPROM Gazprom Petrol Stations',
    ]);
    assert.deepEqual(names('getgasproductsfromcatalog'), [
      '11 Benzină standard',
      '12 Benzină premium',
      '21 Motorină standard',
      '22 Motorină premium',
      '31 GPL',
      '41 Încărcare Electrică',
    ]);
    assert.equal(list('getgasservicesfromcatalog').length, 4);
  });

  it('find units by name, cedilla or plain, and give 20 cities without one', () => {
    const [pitesti] = list('getuatbyname', { uatname: 'Piteşti' });
    assert.equal(pitesti.id, '13169');
    assert.equal(pitesti.name, 'Municipiul Piteşti, Argeş');
    assert.match(pitesti.wkt, /^POLYGON\(\((?:[\d.]+ [\d.]+,){4}[\d.]+ [\d.]+\)\)$/);
    assert.equal(list('getuatbyname', { uatname: 'Pitesti' })[0].id, '13169');
    assert.equal(list('getuatbyname').length, 20);
    assert.deepEqual(list('getuatbyname', { uatname: 'Nicaieri' }), []);
  });

  it('are 404 for what never existed, and 500 for the route search, broken since April 2026', () => {
    for (const method of ['getgasstation', '', 'getgasitemsbyuat/']) assert.equal(answer(method).status, 404);
    assert.equal(answer('getgasitemsbyroute', { startroutepointid: '2218' }).status, 500);
  });
});

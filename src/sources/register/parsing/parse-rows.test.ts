import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dayNumber } from '../../../domain/days.ts';
import { DEFAULT_RANGES } from '../../../domain/fuel.ts';
import { itemsBody } from '../../../simulation/register/register-rows.ts';
import { sampleProductRow, sampleServiceRow, sampleStationRow } from '../../../simulation/register/sample-rows.ts';
import type { RegisterItems } from './parse-json.ts';
import { isUnreadable, parseRows } from './parse-rows.ts';

const PLACE = { id: 'R1009', network: 'PETROM', unit: 179132, lat: 44.43328, lng: 26.09273 };

describe('a station and its price', () => {
  test('are parsed completely from the register’s shape', () => {
    const station = sampleStationRow(PLACE, {
      name: ' MIHAI\u0000 VODA ',
      updatedate: '10/06/2026 20:05 ',
      addr: { ...address(), contactdetails: 'Non-Stop; Blueline: 0800 0800 11' },
    });
    const services = [
      sampleServiceRow('R1009', '7', 'Plati facturi, reincarcare electronica'),
      sampleServiceRow('R1009', '2', 'Restaurant'),
      sampleServiceRow('R1009', '1', 'Magazin'),
      sampleServiceRow('R1009', '11', 'Spalatorie'),
      sampleServiceRow('R1009', '1', 'Magazin'),
      sampleServiceRow('elsewhere', '5', 'Peaj'),
    ];
    const read = readBody(itemsBody([station], [sampleProductRow('R1009', 'PETROM', 'petrol', 9.12)], services));

    assert.deepEqual(read.stations, [
      {
        sourceId: 'R1009',
        network: 'petrom',
        brand: 'Petrom',
        name: 'MIHAI VODA',
        address: 'Spl. Independentei, nr. 26, Sect 5',
        lat: 44.43328,
        lng: 26.09273,
        siruta: 179132,
        hours: 'Non-Stop',
        phone: '0800 0800 11',
        services: ['Magazin', 'Restaurant', 'Plati facturi, reincarcare electronica', 'Spalatorie'],
      },
    ]);
    assert.deepEqual(
      read.prices.map(({ price, observed }) => ({ price, observed })),
      [{ price: 9120, observed: { day: '2026-06-10', at: null, text: '10/06/2026 20:05 ' } }],
    );
    assert.deepEqual(read.rejections, []);
  });

  test('an independent network is kept as its own, and its name is used if there is no id', () => {
    const networks = [
      { id: 'ZORI OIL' },
      { name: 'LUKOIL România S.R.L.' },
      { id: '7', name: 'OMV' },
      'Gazprom Petrol Stations',
    ];
    const stations = networks.map((network, i) => sampleStationRow({ ...PLACE, id: `${i}` }, { network }));
    const read = readBody(itemsBody(stations, []));
    assert.deepEqual(
      read.stations.map(({ network }) => network),
      ['zori-oil', 'lukoil', 'omv', 'gazprom'],
    );
  });

  test('long, dirty and mistyped texts come out short and clean, or empty', () => {
    const station = sampleStationRow(PLACE, {
      name: 'Stația\u202e 😀 \ud800'.repeat(100),
      addr: { ...address(), addrstring: { a: 1 } },
    });
    const [read] = readBody(itemsBody([station], [])).stations;
    assert.ok(read && read.name.length <= 200 && read.name.isWellFormed() && !read.name.includes('\u202e'));
    assert.equal(read.address, '');
  });
});

describe('a price', () => {
  for (const [sent, price, reason] of [
    [9.12, 9120, null],
    [5.5, 5500, null],
    [12, 12000, null],
    ['9.12', 9120, null],
    [5.49, 5490, 'out_of_range'],
    [12.01, 12010, 'out_of_range'],
    [0, null, 'no_price'],
    ['', null, 'no_price'],
    [null, null, 'no_price'],
    [undefined, null, 'no_price'],
    [-1, null, 'price_negative'],
    [1e9, null, 'out_of_range'],
    ['7,25', null, 'price_not_a_number'],
    ['7.25 lei', null, 'price_not_a_number'],
    ['0x1F', null, 'price_not_a_number'],
    ['1e1', null, 'price_not_a_number'],
    [true, null, 'price_not_a_number'],
    [[9.12], null, 'price_not_a_number'],
    [{ value: 9.12 }, null, 'price_not_a_number'],
  ] as const) {
    test(`of ${JSON.stringify(sent) ?? 'nothing'} is ${price}${reason ? `, rejected as ${reason}` : ''}`, () => {
      const read = readProducts(sampleProductRow('R1009', 'PETROM', 'petrol', sent));
      assert.deepEqual(
        read.prices.map((fact) => fact.price),
        [price],
      );
      assert.deepEqual(
        read.rejections.map((rejection) => rejection.reason),
        reason ? [reason] : [],
      );
    });
  }

  test('is the lowest in range of several products of the fuel', () => {
    const read = readProducts(
      ...[9.5, 0, 5.49, '7,25', 9.12, 12.01].map((price) => sampleProductRow('R1009', 'PETROM', 'petrol', price)),
    );
    assert.deepEqual(
      read.prices.map(({ price }) => price),
      [9120],
    );
    assert.deepEqual(read.rejections.map(({ reason }) => reason).sort(), [
      'no_price',
      'out_of_range',
      'out_of_range',
      'price_not_a_number',
    ]);
  });

  test('is the lowest number when none is in range: still a fact', () => {
    const read = readProducts(...[0, 13.5, 12.5].map((price) => sampleProductRow('R1009', 'PETROM', 'petrol', price)));
    assert.deepEqual(
      read.prices.map(({ price }) => price),
      [12500],
    );
  });
});

describe('a row that cannot be assigned is dropped and counted', () => {
  for (const [title, body, reason] of [
    ['a station without id', () => itemsBody([sampleStationRow(PLACE, { id: ' ' })], []), 'no_station_id'],
    ['a station that is no object', () => itemsBody(['R1009'], []), 'no_station_id'],
    ['a station without network', () => itemsBody([sampleStationRow(PLACE, { network: {} })], []), 'no_network'],
    ['a product without station id', () => withStation(sampleProductRow('', 'PETROM', 'petrol', 9)), 'no_station_id'],
    ['a product that is no object', () => withStation(null), 'no_station_id'],
    ['a product of no station', () => withStation(sampleProductRow('R1', 'PETROM', 'petrol', 9)), 'unknown_station'],
    ['a product of another fuel', () => withStation(sampleProductRow('R1009', 'PETROM', 'diesel', 9)), 'other_fuel'],
  ] as const) {
    test(title, () => {
      const read = readBody(body());
      assert.deepEqual(read.prices, []);
      assert.deepEqual(
        read.rejections.map((rejection) => rejection.reason),
        [reason],
      );
      assert.ok(isUnreadable(read));
    });
  }

  test('the first of two stations with one id counts, and one price', () => {
    const twice = [sampleStationRow(PLACE), sampleStationRow(PLACE, { name: 'Other' })];
    const read = readBody(itemsBody(twice, [sampleProductRow('R1009', 'PETROM', 'petrol', 9)]));
    assert.deepEqual(
      read.stations.map(({ name }) => name),
      ['Statia R1009'],
    );
    assert.equal(read.prices.length, 1);
    assert.deepEqual(
      read.rejections.map(({ reason }) => reason),
      ['duplicate_station'],
    );
  });

  test('one bare number at two networks is two stations, each with its own price', () => {
    const stations = ['SOCAR', 'ZORI'].map((network) => sampleStationRow({ ...PLACE, id: '39', network }));
    const products = [
      sampleProductRow('39', 'ZORI', 'petrol', 8),
      sampleProductRow('39', 'SOCAR', 'petrol', 9),
      sampleProductRow('39', '', 'petrol', 7),
    ];
    const read = readBody(itemsBody(stations, products));
    assert.deepEqual(
      read.prices.map(({ station, price }) => [station.network, price]),
      [
        ['socar', 9000],
        ['zori', 8000],
      ],
    );
    assert.deepEqual(
      read.rejections.map(({ reason }) => reason),
      ['unknown_station'],
    );
  });

  test('a product without a catalogue entry is of the requested fuel', () => {
    const read = readProducts(sampleProductRow('R1009', 'PETROM', 'petrol', 9, { catprod: undefined }));
    assert.equal(read.prices.length, 1);
  });
});

describe('coordinates', () => {
  for (const [title, addr, point, reasons] of [
    ['as numbers', { location: { Lat: 44.4, Lon: 26.1 } }, [44.4, 26.1], []],
    ['as texts', { location: { Lat: '44.4', Lon: '26.1' } }, [44.4, 26.1], []],
    ['swapped are kept as given', { location: { Lat: 26.1, Lon: 44.4 } }, [26.1, 44.4], []],
    ['abroad are kept as given', { location: { Lat: 48.85, Lon: 2.35 } }, [48.85, 2.35], []],
    ['from the text form', { location: {}, wkt: 'POINT(26.1 44.4)' }, [44.4, 26.1], []],
    ['0,0', { location: { Lat: 0, Lon: 0 }, wkt: 'POINT(0 0)' }, [null, null], ['bad_coordinates']],
    ['beyond the poles', { location: { Lat: 444.4, Lon: 26.1 }, wkt: '' }, [null, null], ['bad_coordinates']],
    ['with a decimal comma', { location: { Lat: '44,4', Lon: '26,1' }, wkt: 3 }, [null, null], ['bad_coordinates']],
    ['missing', { location: null, wkt: null }, [null, null], ['bad_coordinates']],
  ] as const) {
    test(title, () => {
      const read = readBody(itemsBody([sampleStationRow(PLACE, { addr: { ...address(), ...addr } })], []));
      assert.deepEqual([read.stations[0]?.lat, read.stations[0]?.lng], point);
      assert.deepEqual(
        read.rejections.map(({ reason }) => reason),
        reasons,
      );
    });
  }

  test('an administrative unit that is no number is unknown', () => {
    const read = readBody(itemsBody([sampleStationRow(PLACE, { addr: { ...address(), uatid: 'B' } })], []));
    assert.equal(read.stations[0]?.siruta, null);
    assert.deepEqual(
      read.rejections.map(({ reason }) => reason),
      ['bad_unit'],
    );
  });

  test('an unreadable report time leaves the price without observation', () => {
    const station = sampleStationRow(PLACE, { updatedate: 'ieri' });
    const read = readBody(itemsBody([station], [sampleProductRow('R1009', 'PETROM', 'petrol', 9)]));
    assert.deepEqual(
      read.prices.map(({ observed, price }) => [observed, price]),
      [[null, 9000]],
    );
    assert.deepEqual(
      read.rejections.map(({ reason }) => reason),
      ['bad_date'],
    );
  });
});

function readBody(body: Readonly<Record<string, unknown>>) {
  const items = {
    stations: body.Stations,
    products: body.Products,
    services: body.services,
    area: [],
  } as RegisterItems;
  return parseRows(items, { fuel: 'petrol', ranges: DEFAULT_RANGES, today: dayNumber('2026-11-20') });
}

function withStation(...products: unknown[]) {
  return itemsBody([sampleStationRow(PLACE)], products);
}

function readProducts(...products: unknown[]) {
  return readBody(withStation(...products));
}

function address() {
  return {
    addrstring: 'Spl. Independentei, nr. 26, Sect 5',
    zipcode: '50082',
    location: { Lat: 44.43328, Lon: 26.09273 },
    wkt: 'POINT(26.09273 44.43328)',
    uatid: '179132',
  };
}

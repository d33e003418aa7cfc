import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  fixtures,
  mapOf,
  NOW,
  type PriceListCase,
  priceLines,
  readListInProcess,
  sweepContext,
} from '../../../test/fuzz/price-lists.ts';
import { NoResponse, type ReceivedResponse } from '../../clients/http/response.ts';
import { loadGazetteer } from '../../geodata/load-gazetteer.ts';
import { SourceFailed } from '../source.ts';
import { priceListSource } from './price-list.ts';

const HEADER = 'brand,station,fuel,price,observed_at';
const PLACED = `${HEADER},name,address,city,county,lat,lng`;

/** A CSV list in our words. */
const csv = (lines: readonly string[], header = HEADER, name = 'ours'): PriceListCase => ({
  name,
  contentType: 'text/csv',
  body: Buffer.from([header, ...lines].join('\n')),
  map: null,
});
const rejected = async (list: PriceListCase) => (await readListInProcess(list)).rejections.counts();
const fixture = (wanted: string) => fixtures().find(({ name }) => name === wanted) as PriceListCase;

describe('the lists of the fixtures', () => {
  test('a CSV in our words: network-wide prices, and a station of its own', async () => {
    const sweep = await readListInProcess(fixture('socar'));
    assert.deepEqual(priceLines(sweep), [
      'socar RO-017 lpg 4390 2026-11-20',
      'socar * petrol 8790 2026-11-20T04:00:00.000Z',
      'socar * diesel 9190 2026-11-20T04:00:00.000Z',
    ]);
    assert.deepEqual([...sweep.units], [['all', 'read']]);
    assert.deepEqual(sweep.rejections.counts(), {});
  });

  test('a wide CSV with ; and decimal commas, its brand given by the name of the source', async () => {
    const sweep = await readListInProcess(fixture('oscar'));
    assert.deepEqual(priceLines(sweep), [
      'oscar OS-01 diesel 8990 2026-11-20',
      'oscar OS-01 diesel_premium 9390 2026-11-20',
      'oscar OS-01 adblue 4500 2026-11-20',
      'oscar OS-02 diesel 9050 2026-11-20',
      'oscar OS-02 adblue 4500 2026-11-20',
      'oscar OS-03 diesel 9020 2026-11-19',
      'oscar OS-03 diesel_premium 9420 2026-11-19',
    ]);
    assert.deepEqual(sweep.rejections.counts(), {});
    assert.deepEqual(sweep.stations[1], {
      sourceId: 'OS-02',
      network: 'oscar',
      brand: 'Oscar',
      name: 'Oscar Brașov',
      address: '',
      lat: 45.658,
      lng: 25.6012,
      siruta: null,
      locality: 'brasov',
      hours: null,
      services: [],
      phone: null,
    });
    assert.equal(sweep.readings.at(-1)?.observed?.text, '19.11.2026 18:30');
  });

  test('a JSON with its rows within, paths, and fuels of its own', async () => {
    const sweep = await readListInProcess(fixture('blkoil'));
    assert.deepEqual(priceLines(sweep), [
      'blk-oil 101 petrol 8650 2026-11-20T05:30:00.000Z',
      'blk-oil 101 petrol_premium 9050 2026-11-20T05:30:00.000Z',
      'blk-oil 102 diesel 8950 -',
    ]);
    assert.deepEqual(sweep.rejections.counts(), { unknown_fuel: 1 });
    assert.deepEqual([sweep.stations[0]?.name, sweep.stations[0]?.lat], ['Dărmănești', 46.3703]);
  });

  test('an HTML page by selectors, entities and attributes', async () => {
    const sweep = await readListInProcess(fixture('dhr'));
    assert.deepEqual(priceLines(sweep), ['dhr dhr-1 petrol 8720 2026-11-20', 'dhr dhr-1 diesel 9080 2026-11-20']);
    assert.deepEqual([sweep.stations.length, sweep.stations[0]?.lng], [1, 23.585]);
    assert.deepEqual(sweep.rejections.counts(), {});
  });
});

describe('a row', () => {
  test('without a station is the price of the whole network, and is rejected if it describes a place', async () => {
    const places = ['Unu,,,,,', ',Str. 1,,,,', ',,Cluj-Napoca,,,', ',,,CJ,,', ',,,,46.77,', ',,,,,23.6'];
    const list = csv(['ALD,,gpl,4.19,,,,,,,', ...places.map((place) => `ALD,,gpl,4.01,,${place}`)], PLACED);
    const sweep = await readListInProcess(list);
    assert.deepEqual(priceLines(sweep), ['ald * lpg 4190 -']);
    assert.deepEqual(sweep.rejections.counts(), { no_station: places.length });
  });

  test('needs a brand, a known fuel, and a valid station id', async () => {
    const counts = await rejected(
      csv([
        ',1,gpl,4.19,',
        '***,1,gpl,4.19,',
        'ALD,1,GPL auto,4.19,',
        'ALD,1,,4.19,',
        `ALD,${'9'.repeat(65)},gpl,4.19,`,
        'ALD,\u0007,gpl,4.19,',
        'ALD,2,gpl,4.19,',
      ]),
    );
    assert.deepEqual(counts, { bad_station: 2, no_brand: 2, unknown_fuel: 2 });
  });

  test('of another brand is rejected in a list that is named after a network', async () => {
    const lines = ['Socar,1,gpl,4.19,', 'SOCAR Petroleum SA,2,gpl,4.2,', 'Petrom,3,gpl,4.21,', ',4,gpl,4.22,'];
    const named = await readListInProcess(csv(lines, HEADER, 'socar'));
    assert.deepEqual(priceLines(named), ['socar 1 lpg 4190 -', 'socar 2 lpg 4200 -']);
    assert.deepEqual(named.rejections.counts(), { no_brand: 1, other_brand: 1 });
    assert.equal(priceLines(await readListInProcess(csv(lines, HEADER, 'all-three'))).length, 3);
  });

  test('may omit the brand if the list has no such column and is named after a network', async () => {
    const list = csv(['1,gpl,4.19'], 'station,fuel,price', 'oscar');
    assert.deepEqual(priceLines(await readListInProcess(list)), ['oscar 1 lpg 4190 -']);
    await assert.rejects(
      readListInProcess({ ...list, name: 'ald' }),
      /^Error: the list has no brand; it has station, fuel, price$/,
    );
  });

  test('keeps a missing price and a price out of range as facts', async () => {
    const sweep = await readListInProcess(csv(['ALD,1,gpl,0,', 'ALD,2,gpl,,', 'ALD,3,gpl,9.99,', 'ALD,4,gpl,4.1949,']));
    assert.deepEqual(priceLines(sweep), [
      'ald 1 lpg null -',
      'ald 2 lpg null -',
      'ald 3 lpg 9990 -',
      'ald 4 lpg 4195 -',
    ]);
    assert.deepEqual(sweep.rejections.counts(), { no_price: 2, out_of_range: 1 });
  });

  test('with a city and a county is placed there; an unknown city is counted', async () => {
    const sweep = await readListInProcess(
      csv(
        [
          'ALD,1,gpl,4.19,,,,Târgu Mureș,MS,,',
          'ALD,2,gpl,4.19,,,,TG. MURES,Mures,,',
          'ALD,3,gpl,4.19,,,,Clij,CJ,,',
          'ALD,4,gpl,4.19,,,,Cluj-Napoca,Atlantis,,',
          'ALD,5,gpl,4.19,,,,Cluj-Napoca,,,',
        ],
        PLACED,
      ),
    );
    assert.deepEqual(
      sweep.stations.map(({ locality }) => locality),
      ['targu-mures', 'targu-mures', null, null, null],
    );
    assert.deepEqual(sweep.rejections.counts(), { bad_city: 2 });
  });

  test('with impossible coordinates is a station without coordinates', async () => {
    const points = ['46.77,23.6', '0,0', '91,23', '46.77,', 'x,23.6', '"46,77","23,6"'];
    const sweep = await readListInProcess(
      csv(
        points.map((point, id) => `ALD,${id},gpl,4.19,,,,,,${point}`),
        PLACED,
      ),
    );
    assert.deepEqual(
      sweep.stations.map(({ lat }) => lat),
      [46.77, null, null, null, null, null],
    );
    assert.deepEqual(sweep.rejections.counts(), { bad_coordinates: 5 });
  });

  test('that is repeated: the later observation counts, then the lowest price in range, in any order', async () => {
    const lines = [
      'ALD,1,gpl,4.50,2026-11-20T09:00:00+02:00',
      'ALD,1,gpl,4.40,2026-11-20T09:00:00+02:00',
      'ALD,1,gpl,0.40,2026-11-20T09:00:00+02:00',
      'ALD,1,gpl,,2026-11-20T09:00:00+02:00',
      'ALD,1,gpl,3.10,2026-11-20T08:59:59+02:00',
      'ALD,1,gpl,3.20,2026-11-20',
      'ALD,1,gpl,3.30,',
    ];
    for (const order of [lines, lines.toReversed(), [...lines.slice(3), ...lines.slice(0, 3)]]) {
      const sweep = await readListInProcess(csv(order));
      assert.deepEqual(priceLines(sweep), ['ald 1 lpg 4400 2026-11-20T07:00:00.000Z']);
      // A row counts once, by its first reason: `0.40` is out of range and the empty price is none.
      const { duplicate_row = 0, out_of_range, no_price } = sweep.rejections.counts();
      assert.deepEqual([out_of_range, no_price], [1, 1]);
      assert.ok(duplicate_row === lines.length - 3 || duplicate_row === lines.length - 2);
    }
    const brand = await readListInProcess(csv(['ALD,,gpl,4.50,2026-11-19', 'ALD,,gpl,4.60,2026-11-20']));
    assert.deepEqual(priceLines(brand), ['ald * lpg 4600 2026-11-20']);
  });

  test('adds to the earlier description of the station; an empty field changes nothing', async () => {
    const [station] = (
      await readListInProcess(
        csv(['ALD,1,gpl,4.19,,Unu,Str. 1,Cluj-Napoca,CJ,46.77,23.6', 'ALD,1,adblue,4.5,,,Str. 2,,,,'], PLACED),
      )
    ).stations;
    assert.deepEqual(
      [station?.name, station?.address, station?.locality, station?.lat],
      ['Unu', 'Str. 2', 'cluj-napoca', 46.77],
    );
  });

  test('may have unknown columns', async () => {
    const list = csv(['ALD,1,gpl,4.19,2026-11-20,yes', 'ALD,2,gpl,4.19,,'], `${HEADER},loyalty card`);
    assert.deepEqual([priceLines(await readListInProcess(list)).length, await rejected(list)], [2, {}]);
  });
});

describe('the time of a price', () => {
  const read = async (text: string, map: PriceListCase['map'] = null) => {
    const sweep = await readListInProcess({ ...csv([`ALD,1,gpl,4.19,${text}`]), map });
    return { observed: priceLines(sweep)[0]?.split(' ')[4] ?? null, counts: sweep.rejections.counts() };
  };

  test('is accepted up to ten minutes ahead; beyond that the row is rejected', async () => {
    assert.equal((await read('2026-11-20T12:10:00+02:00')).observed, '2026-11-20T10:10:00.000Z');
    const ahead = { observed: null, counts: { future_date: 1 } };
    assert.deepEqual(await read('2026-11-20T12:10:01+02:00'), ahead);
    assert.deepEqual(await read('2026-11-21'), ahead);
  });

  test('given as a day is a day in Bucharest', async () => {
    const night = Date.parse('2026-11-21T00:05:00+02:00');
    assert.equal(priceLines(await readListInProcess(csv(['ALD,1,gpl,4.19,2026-11-21']), night)).length, 1);
    const early = Date.parse('2026-11-20T23:45:00+02:00');
    assert.equal(priceLines(await readListInProcess(csv(['ALD,1,gpl,4.19,2026-11-21']), early)).length, 0);
  });

  test('leaves a price of unknown age if it is invalid', async () => {
    for (const text of [
      'ieri',
      '2026-02-30',
      '2026-11-20T10:00:00',
      '20.11.2026',
      '1795168800',
      '0001-01-01',
      '1970-01-01T00:00:00Z',
    ])
      assert.deepEqual(await read(text), { observed: '-', counts: { bad_date: 1 } }, text);
  });

  test('may be in Romanian format in a list with a map', async () => {
    const map = mapOf({});
    assert.equal((await read('20.11.2026', map)).observed, '2026-11-20');
    assert.equal((await read('9/11/2026 18:30', map)).observed, '2026-11-09');
    assert.deepEqual((await read('21.11.2026', map)).counts, { future_date: 1 });
    assert.deepEqual((await read('21.12.2026', map)).counts, { future_date: 1 });
    assert.deepEqual((await read('31.02.2026', map)).counts, { bad_date: 1 });
  });
});

describe('the source', () => {
  const list = fixture('socar');
  const source = (name = 'prices:socar', limits?: { timeMs: number; memoryMb: number }) =>
    priceListSource({ name, map: list.map, gazetteer: loadGazetteer(), ...(limits && { limits }) });
  const answer = (change: Partial<ReceivedResponse> = {}): ReceivedResponse => ({ status: 200, ...list, ...change });
  const failure = (change: Partial<ReceivedResponse>) => source().sweep(sweepContext(async () => answer(change)));

  test('makes one request, for the list itself, and reads it whole', async () => {
    const asked: string[] = [];
    const fetch = async (target: string) => {
      asked.push(target);
      return answer();
    };
    const sweep = await source().sweep({ ...sweepContext(async () => answer()), fetch });
    assert.deepEqual(
      [asked, sweep.requests, priceLines(sweep)],
      [[''], 1, priceLines(await readListInProcess(list, NOW))],
    );
  });

  test('fails as a whole, with a sentence, if there is no list', async () => {
    for (const status of [404, 403, 500, 204])
      await assert.rejects(
        failure({ status }),
        new SourceFailed(`the request for the list was answered with status ${status}`),
      );
    await assert.rejects(
      failure({ body: Buffer.alloc(20_000_001) }),
      new SourceFailed('the list is larger than 20 MB'),
    );
    await assert.rejects(failure({ body: Buffer.alloc(0) }), new SourceFailed('the list is empty'));
    const silent = sweepContext(() => Promise.reject(new NoResponse('no answer from example.org')));
    await assert.rejects(source().sweep(silent), new SourceFailed('no answer from example.org'));
  });

  test('accepts rows of its own network only', async () => {
    const sweep = await source('prices:petrom').sweep(sweepContext(async () => answer()));
    assert.deepEqual([priceLines(sweep), sweep.rejections.counts()], [[], { other_brand: 3 }]);
  });

  test('stops when the run is aborted', async () => {
    const end = new AbortController();
    const sweeping = source().sweep(sweepContext(async () => answer(), end.signal));
    end.abort();
    await assert.rejects(sweeping, new SourceFailed('reading the list was stopped'));
  });
});

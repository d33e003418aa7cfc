import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { distanceKm } from '../../src/domain/point.ts';
import { aNetwork, manyRecords } from '../support/builders/snapshot-builders.ts';
import { TestService } from '../support/service/test-service.ts';
import { TURZII, world } from '../support/worlds/contract-world.ts';

const PATH = '/api/v1/statii';
type Item = Record<string, unknown> & { id: string; tip: string; lat: number; lng: number; distanta_km: number };
const UNIVERSITATE = { lat: 44.4268, lng: 26.1025 };

describe('GET /api/v1/statii → 200: the record', () => {
  let service: TestService;
  let items: Item[];
  before(async () => {
    service = await TestService.start();
    items = (await service.ask(PATH)).json.statii;
  });
  after(() => service.api.close());
  const item = (brand: string, tip: string) =>
    items.find((each) => each.brand === brand && each.tip === tip) ?? assert.fail(`no ${tip} of ${brand}`);

  test('a trusted price with all that the source gives', () => {
    assert.deepEqual(item('Petrom', 'benzina_standard'), {
      id: TURZII,
      brand: 'Petrom',
      oras: 'Cluj-Napoca',
      judet: 'Cluj',
      adresa: 'Calea Turzii 178',
      lat: 46.75,
      lng: 23.59,
      tip: 'benzina_standard',
      pret: 7.45,
      pret_masurat_la: '19.11.2026',
      program: 'Luni-Duminică 00:00-24:00',
      servicii: 'Magazin, Spălătorie',
      telefon: '+40 264 000 000',
      observat_la: '2026-11-19',
    });
  });

  test('an instant is returned as an instant, and null if the source gives no time', () => {
    assert.equal(item('Petrom', 'motorina_standard').observat_la, '2026-11-20T07:00:00+00:00');
    assert.equal(item('Petrom', 'adblue').observat_la, null);
    assert.ok(!Object.hasOwn(item('Petrom', 'adblue'), 'pret_masurat_la'));
  });

  test('each doubt has its code and its day', () => {
    const doubt = (tip: string) => {
      const { pret, nesigur, motiv_nesigur, nesigur_din } = item('OMV', tip);
      return [pret, nesigur, motiv_nesigur, nesigur_din];
    };
    assert.deepEqual(doubt('benzina_standard'), [7.399, true, 'blocat', '2026-11-01']);
    assert.deepEqual(doubt('motorina_standard'), [7.799, true, 'observatie_veche', '2026-11-10']);
    assert.deepEqual(doubt('gpl'), [3.719, true, 'orfan_anpc', null]);
  });

  test('a withdrawn price is null, gives the reason, and has no time', () => {
    const expired = item('Rompetrol', 'benzina_standard');
    assert.deepEqual([expired.pret, expired.pret_expirat, expired.observat_la], [null, true, null]);
    const incoherent = item('Petrom', 'benzina_premium');
    assert.deepEqual([incoherent.pret, incoherent.pret_incoerent, incoherent.observat_la], [null, true, null]);
    const unknown = item('Rompetrol', 'motorina_standard');
    assert.equal(unknown.pret, null);
    for (const flag of ['pret_expirat', 'pret_incoerent', 'nesigur']) assert.ok(!Object.hasOwn(unknown, flag), flag);
  });

  test('flags and details are present only if they say something', () => {
    const manual = item('Rompetrol', 'benzina_standard');
    assert.deepEqual([manual.nume, manual.franciza, manual.coord_suspecta], ['Rompetrol Copou', true, true]);
    assert.equal(manual.nota_pret, 'Rețeaua nu publică prețul acestei stații.');
    assert.equal(item('MOL', 'benzina_standard').approximate_coords, true);
    for (const field of ['nume', 'franciza', 'nota_pret', 'coord_suspecta', 'approximate_coords', 'distanta_km']) {
      assert.ok(!Object.hasOwn(item('Petrom', 'adblue'), field), field);
    }
  });

  test('neither zeros nor the declaration of the convention', async () => {
    const { json } = await service.ask(`${PATH}?zeros=da`);
    assert.ok(!Object.hasOwn(json, 'preturi_lipsa'));
    assert.ok(json.statii.some(({ pret }: Item) => pret === null));
  });

  test('nothing truncated: no note and no number of available records', () => {
    return service.ask(PATH).then(({ json }) => {
      assert.equal(json.total, 11);
      assert.deepEqual(Object.keys(json), ['status', 'data', 'actualizat_la', 'total', 'statii']);
    });
  });
});

describe('GET /api/v1/statii → 200: filters', () => {
  let service: TestService;
  before(async () => {
    service = await TestService.start();
  });
  after(() => service.api.close());
  const found = async (query: string): Promise<Item[]> => (await service.ask(`${PATH}?${query}`)).json.statii;

  test('a brand by name or slug in any case, with spaces around', async () => {
    for (const brand of ['OMV', 'omv', 'Omv', '+omv+']) assert.equal((await found(`brand=${brand}`)).length, 3, brand);
  });

  test('an unknown brand gives an empty list, an empty one does not filter', async () => {
    const { json } = await service.ask(`${PATH}?brand=Atlantida`);
    assert.deepEqual([json.total, json.statii], [0, []]);
    assert.equal((await found('brand=&tip=')).length, 11);
  });

  test('one fuel, also adblue, and both filters together', async () => {
    assert.ok((await found('tip=motorina_standard')).every(({ tip }) => tip === 'motorina_standard'));
    assert.equal((await found('tip=adblue')).length, 1);
    assert.equal((await found('tip=gpl&brand=mol')).length, 0);
    assert.equal((await found('tip=gpl&brand=omv')).length, 1);
  });
});

describe('GET /api/v1/statii → 200: the public sample', () => {
  const records = manyRecords(700, { network: aNetwork('OMV') });
  let service: TestService;
  before(async () => {
    service = await TestService.start({ snapshot: world({ records }) });
  });
  after(() => service.api.close());

  test('record ⌊i·n/150⌋ of the order, and how many there are', async () => {
    const { json } = await service.ask(PATH);
    assert.deepEqual([json.total, json.total_disponibil, json.statii.length], [150, 1400, 150]);
    assert.match(json.nota, /150.*1400/);
    json.statii.forEach(({ id, tip }: Item, i: number) => {
      const index = Math.floor((i * 1400) / 150);
      const expected = [records[index]?.station.id, index % 2 === 0 ? 'benzina_standard' : 'motorina_standard'];
      assert.deepEqual([id, tip], expected);
    });
  });

  test('the sample of a filtered set is spread over the filtered order', async () => {
    const { json } = await service.ask(`${PATH}?tip=motorina_standard&brand=omv`);
    assert.deepEqual([json.total, json.total_disponibil], [150, 700]);
    assert.equal(json.statii[149].id, records[2 * Math.floor((149 * 700) / 150)]?.station.id);
  });

  test('with the geo filter, the nearest 150, nearest first', async () => {
    const { json } = await service.ask(`${PATH}?lat=44.4268&lon=26.1025&raza=50`);
    const nearest = records
      .map(({ station }) => distanceKm(UNIVERSITATE, station))
      .filter((km) => km <= 50)
      .sort((a, b) => a - b);
    assert.deepEqual([json.total, json.total_disponibil], [150, nearest.length]);
    assert.deepEqual(
      json.statii.map(({ distanta_km }: Item) => distanta_km),
      nearest.slice(0, 150).map((km) => Math.round(km * 100) / 100),
    );
  });
});

describe('GET /api/v1/statii → 200: the geo filter', () => {
  let service: TestService;
  before(async () => {
    service = await TestService.start({ snapshot: world({ records: manyRecords(200) }) });
  });
  after(() => service.api.close());
  const near = (query: string) => service.ask(`${PATH}?${query}`);

  test('only stations within the radius, 10 km by default, `lng` is an alias of `lon`', async () => {
    const { json } = await near('lat=44.4268&lng=26.1025');
    assert.ok(json.total > 0);
    for (const { lat, lng, distanta_km } of json.statii as Item[]) {
      const km = distanceKm(UNIVERSITATE, { lat, lng });
      assert.ok(km <= 10);
      assert.equal(distanta_km, Math.round(km * 100) / 100);
    }
    assert.deepEqual((await near('lat=44.4268&lon=26.1025&raza=10')).json, json);
  });

  test('a station exactly at the radius is inside, decided on the unrounded distance', async () => {
    const exact = distanceKm(UNIVERSITATE, { lat: 44.4368, lng: 26.1025 });
    assert.equal((await near(`lat=44.4268&lon=26.1025&raza=${exact}`)).json.total, 6);
    assert.equal((await near(`lat=44.4268&lon=26.1025&raza=${exact - 1e-6}`)).json.total, 4);
  });

  test('the radius is clamped to 0.1 and 50 km', async () => {
    const within = async (raza: string) => (await near(`lat=44.4268&lon=26.1025&raza=${raza}`)).json;
    assert.deepEqual(await within('-7'), await within('0.1'));
    assert.deepEqual(await within('0'), await within('0.1'));
    assert.deepEqual(await within('1000000'), await within('50'));
  });

  test('equally distant stations come in the contract’s order', async () => {
    const { json } = await near('lat=44.4268&lon=26.1025&raza=0.1');
    assert.deepEqual(
      json.statii.map(({ id, tip }: Item) => [id, tip]),
      [
        ['000000000000', 'benzina_standard'],
        ['000000000000', 'motorina_standard'],
      ],
    );
  });

  test('filters apply within the radius too; far from everything the list is empty', async () => {
    const { json } = await near('lat=44.4268&lon=26.1025&raza=2&tip=motorina_standard&brand=petrom');
    assert.ok(json.total > 0 && json.statii.every(({ tip }: Item) => tip === 'motorina_standard'));
    assert.deepEqual((await near('lat=0&lon=0')).json.statii, []);
    assert.deepEqual((await near('lat=-90&lon=180')).json.statii, []);
  });
});

describe('GET /api/v1/statii → 400', () => {
  let service: TestService;
  before(async () => {
    service = await TestService.start();
  });
  after(() => service.api.close());

  for (const query of [
    'tip=diesel',
    'tip=BENZINA_STANDARD',
    'tip=%20',
    'lat=44',
    'lon=26',
    'lng=26',
    'lat=44&lon=26&lng=26',
    'lon=26&lon=26&lat=44',
    'lat=nan&lon=26',
    'lat=44&lon=inf',
    'lat=1e999&lon=26',
    'lat=1e1&lon=26',
    'lat=0x1F&lon=26',
    'lat=&lon=26',
    'lat=%2044&lon=26',
    'lat=+44&lon=26',
    'lat=%2B44&lon=26',
    'lat=44,4&lon=26',
    'lat=44.&lon=26',
    'lat=.4&lon=26',
    'lat=90.01&lon=26',
    'lat=44&lon=-180.5',
    `lat=${'9'.repeat(400)}&lon=26`,
    'raza=abc',
    'raza=',
    'raza=NaN',
    'raza=Infinity',
    `raza=${'9'.repeat(400)}`,
    'raza=1&raza=1',
    'brand=a&brand=b',
  ]) {
    test(query.slice(0, 60), async () => {
      const { status, json } = await service.ask(`${PATH}?${query}`);
      assert.equal(status, 400);
      assert.match(json.message, /(tip|lat|lon|lng|raza|brand)/, 'the parameter is named');
    });
  }

  test('the message shows what was sent, truncated and sanitized', async () => {
    const { json } = await service.ask(`${PATH}?tip=${encodeURIComponent(`<b>\u202E\n${'x'.repeat(500)}`)}`);
    assert.match(json.message, /„<b> {2}x+…”/);
    assert.ok(json.message.length < 300);
    assert.match(json.message, /benzina_standard, benzina_premium/);
  });
});

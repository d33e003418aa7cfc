import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { csvHeader } from '../../src/api/contract/station-csv.ts';
import { distanceKm } from '../../src/domain/point.ts';
import { aNetwork, aStation, manyRecords, recordsOf, trusted } from '../support/builders/snapshot-builders.ts';
import { TestService } from '../support/service/test-service.ts';
import { TURZII, world } from '../support/worlds/contract-world.ts';

const PATH = '/api/v1/statii';
const UNIVERSITATE = { lat: 44.4268, lng: 26.1025 };
type Item = Record<string, unknown> & { id: string; brand: string; tip: string; pret: number | null };

let service: TestService;
before(async () => {
  service = await TestService.start();
});
after(() => service.api.close());
const ask = async (query: string) => (await service.ask(`${PATH}?${query}`)).json;
const found = async (query: string): Promise<Item[]> => (await ask(query)).statii;
const pumps = (items: readonly Item[]) => items.map(({ brand, tip }) => `${brand} ${tip}`);

describe('GET /api/v1/statii → 200: stations by id', () => {
  test('only those, in the contract’s order, each once; an unknown one is left out', async () => {
    const [omv] = await found('brand=omv');
    const all = await found('');
    const items = await found(`id=${omv?.id},${TURZII},ffffffffffff,${TURZII}`);
    assert.deepEqual(
      items,
      all.filter(({ id }) => id === TURZII || id === omv?.id),
    );
    assert.equal(items.length, 7);
    assert.deepEqual(await found('id=ffffffffffff'), []);
  });

  test('spaces and empty parts do not count, and a list of none finds none', async () => {
    assert.deepEqual(await found(`id=,+${TURZII}+,`), await found(`id=${TURZII}`));
    assert.deepEqual(await found('id='), []);
    assert.deepEqual(await found('id=+'), []);
    assert.deepEqual(await found('id=,'), []);
  });

  test('a hundred at most', async () => {
    const ids = (count: number) => Array.from({ length: count }, (_, i) => i.toString(16).padStart(12, '0')).join(',');
    assert.equal((await service.ask(`${PATH}?id=${ids(100)}`)).status, 200);
    assert.equal((await service.ask(`${PATH}?id=${ids(100)},,${ids(20)}`)).status, 200, 'each value counts once');
    const { status, json } = await service.ask(`${PATH}?id=${ids(101)}`);
    assert.equal(status, 400);
    assert.match(json.message, /„id”.*cel mult 100 de valori/);
  });
});

describe('GET /api/v1/statii → 200: places', () => {
  test('a county by name or plate code', async () => {
    for (const judet of ['Cluj', 'cluj', 'CJ', 'cj']) {
      assert.deepEqual(
        new Set(pumps(await found(`judet=${judet}&tip=benzina_standard`))),
        new Set(['Petrom benzina_standard']),
        judet,
      );
    }
    assert.equal((await found('judet=Mure%C8%99')).length, 2);
    assert.equal((await found('judet=Arad')).length, 0);
    assert.equal((await found('judet=+')).length, 11);
  });

  test('an unknown county is 404 and says what would be right', async () => {
    const { status, json } = await service.ask(`${PATH}?judet=Atlantida`);
    assert.equal(status, 404);
    assert.match(json.message, /Județ necunoscut.*CJ/);
  });

  test('a city by name, slug, or name and county, in any spelling', async () => {
    for (const oras of ['Targu+Mures', 'T%C3%A2rgu+Mure%C8%99', 'targu-mures', 'TARGU%20MURES', 'Targu+Mures,+Mures']) {
      assert.deepEqual(new Set((await found(`oras=${oras}`)).map(({ brand }) => brand)), new Set(['MOL']), oras);
    }
    assert.deepEqual(await found('oras=Targu+Mures&judet=CJ'), []);
    assert.equal((await found('oras=+')).length, 11);
  });

  test('a city as people call it: by plate code, with its rank, by its largest part, or in another language', async () => {
    const inMures = await found('oras=targu-mures');
    for (const oras of ['Targu+Mures,+MS', 'Municipiul+Targu+Mures', 'Targu+Mures+Romania']) {
      assert.deepEqual(await found(`oras=${oras}`), inMures, oras);
    }
    assert.deepEqual(await found('oras=Cluj'), await found('oras=cluj-napoca'));
  });

  test('a village is its city, since its stations are listed there', async () => {
    assert.deepEqual(await found('oras=Remetea,+Mures'), await found('oras=targu-mures'));
  });

  test('a city without stations is an empty list', async () => {
    assert.deepEqual(await found('oras=Aiud'), []);
  });

  test('an unknown city is 404, and the message suggests what was meant', async () => {
    for (const oras of ['Targu+Muresh', 'Targu+Mures,+Cluj', 'Atlantida&judet=CJ']) {
      const { status, json } = await service.ask(`${PATH}?oras=${oras}`);
      assert.equal(status, 404, oras);
      assert.match(json.message, oras.startsWith('Targu') ? /Ați vrut să spuneți: Târgu Mureș/ : /„Atlantida” nu a fost/);
    }
  });

  test('a slug means one city, a name all cities called so, and a county chooses among them', async (t) => {
    const inCounty = (county: string, countyName: string, citySlug: string, id: string) =>
      recordsOf(aStation({ id, city: 'Fantanele', citySlug, county, countyName }), { petrol: trusted(7_450) });
    const records = [
      ...inCounty('MS', 'Mures', 'fantanele', '00000000000a'),
      ...inCounty('SV', 'Suceava', 'fantanele-suceava', '00000000000b'),
    ];
    const named = await TestService.start({ snapshot: world({ records }) });
    t.after(() => named.api.close());
    for (const [oras, ids] of [
      ['oras=fantanele', 'a'],
      ['oras=fantanele-suceava', 'b'],
      ['oras=Fantanele', 'ab'],
      ['oras=F%C3%A2nt%C3%A2nele', 'ab'],
      ['oras=F%C3%A2nt%C3%A2nele&judet=SV', 'b'],
      ['oras=Fantanele,+Mures', 'a'],
      ['oras=fantanele&judet=SV', ''],
    ] as const) {
      const { json } = await named.ask(`${PATH}?${oras}`);
      assert.equal(json.statii.map(({ id }: Item) => id.at(-1)).join(''), ids, oras);
    }
  });

  test('near a point, every filter still holds, and the nearest stand first', async () => {
    const point = 'lat=46.75&lon=23.59&raza=50';
    const near = await found(point);
    const turzii = near.filter(({ id }) => id === TURZII);
    assert.equal(turzii.length, 4);
    const far = (await found('brand=MOL'))[0]?.id;
    assert.deepEqual(await found(`${point}&id=${far},${TURZII}`), turzii);
    assert.deepEqual(await found(`${point}&judet=CJ`), near);
    assert.deepEqual(await found(`${point}&judet=MS`), []);
    assert.deepEqual(await found(`${point}&oras=cluj-napoca`), near);
    assert.deepEqual(await found(`${point}&oras=targu-mures`), []);
    assert.deepEqual(await found(`${point}&bbox=23.59,46.75,23.59,46.75`), turzii);
    assert.deepEqual(await found(`${point}&bbox=24,46,25,47`), []);
  });

  test('a box, its edges included, with the order of GeoJSON', async () => {
    assert.deepEqual(await found('bbox=23.59,46.75,23.59,46.75'), await found(`id=${TURZII}`));
    assert.deepEqual(await found('bbox=23.5901,46.7,24,47'), []);
    assert.equal((await found('bbox=20,43,30,49')).length, 11);
    assert.equal((await found('bbox=')).length, 11);
    assert.equal((await found('bbox=+20,+43+,30,%2049')).length, 11);
  });
});

describe('GET /api/v1/statii → 200: prices', () => {
  test('with a price only', async () => {
    const items = await found('cu_pret=1');
    assert.equal(items.length, 8);
    assert.ok(items.every(({ pret }) => pret !== null));
  });

  test('without doubtful ones, which says nothing about missing ones', async () => {
    const items = await found('fara_nesigure=da');
    assert.equal(items.length, 8);
    assert.ok(!items.some(({ nesigur }) => nesigur));
    assert.equal((await found('fara_nesigure=true&cu_pret=yes')).length, 5);
  });

  test('a switch that is off, empty or wrong', async () => {
    for (const off of ['0', 'false', 'no', 'nu', '']) assert.equal((await found(`cu_pret=${off}`)).length, 11, off);
    assert.match(
      (await ask('cu_pret=DA')).message,
      /„cu_pret” are valoarea „DA”; se așteaptă una dintre valorile 1, true/,
    );
  });

  test('observed within so many calendar days, today being 0', async () => {
    assert.deepEqual(pumps(await found('varsta_max=0')), ['Petrom motorina_standard']);
    const yesterday = await found('varsta_max=1');
    assert.ok(yesterday.length > 1 && yesterday.every(({ observat_la }) => String(observat_la) >= '2026-11-19'));
    assert.deepEqual(await found('varsta_max=9999999999'), await found('varsta_max=365'));
    assert.ok((await found('varsta_max=365')).every(({ observat_la }) => observat_la !== null));
  });
});

describe('GET /api/v1/statii → 200: order and number', () => {
  test('by price: trusted ones, then doubtful ones, then none', async () => {
    const items = await found('sort=pret&tip=benzina_standard');
    assert.deepEqual(
      items.map(({ brand, pret }) => [brand, pret]),
      [
        ['MOL', 7.429],
        ['Petrom', 7.45],
        ['OMV', 7.399],
        ['Rompetrol', null],
      ],
    );
  });

  test('the first of the order, and the total is what is returned', async () => {
    const json = await ask('sort=pret&tip=benzina_standard&limita=2');
    assert.deepEqual([json.total, json.statii.length, Object.hasOwn(json, 'total_disponibil')], [2, 2, false]);
    assert.deepEqual(pumps(json.statii), ['MOL benzina_standard', 'Petrom benzina_standard']);
    assert.deepEqual(await found('limita=3'), (await found('')).slice(0, 3));
    for (const most of ['999999999', '9999999999', '9'.repeat(400)]) {
      assert.equal((await found(`limita=${most}`)).length, 11);
    }
  });

  describe('in a larger country', () => {
    /** Forty prices, so that many records have the same. */
    const records = manyRecords(700, { network: aNetwork('OMV') }).map((record, index) => ({
      ...record,
      verdict: trusted(7_000 + (Math.floor(index / 2) % 40)),
    }));
    let large: TestService;
    before(async () => {
      large = await TestService.start({ snapshot: world({ records }) });
    });
    after(() => large.api.close());
    const near = 'lat=44.4268&lon=26.1025&raza=50';
    const distance = (item: Item) => Math.round(100 * distanceKm(UNIVERSITATE, item as never)) / 100;

    test('the cheapest within a radius: at the same price the nearest', async () => {
      const { json } = await large.ask(`${PATH}?${near}&sort=pret&tip=benzina_standard&limita=120`);
      const items: Item[] = json.statii;
      assert.equal(items.length, 120);
      assert.ok(new Set(items.map(({ pret }) => pret)).size < 40);
      for (const [at, item] of items.entries()) {
        assert.equal(item.distanta_km, distance(item));
        const before = items[at - 1];
        if (before === undefined) continue;
        const [a, b] = [before.pret as number, item.pret as number];
        assert.ok(a < b || (a === b && (before.distanta_km as number) <= (item.distanta_km as number)), `${at}`);
      }
    });

    test('by distance is the order that a point has anyway', async () => {
      const { json } = await large.ask(`${PATH}?${near}&sort=distanta`);
      assert.deepEqual(json.statii, (await large.ask(`${PATH}?${near}`)).json.statii);
    });

    test('without a key the public subset bounds what a limit asks for', async () => {
      for (const query of ['limita=500', 'sort=pret', `${near}&limita=151`]) {
        const { json } = await large.ask(`${PATH}?${query}`);
        assert.equal(json.total, 150, query);
        assert.ok(json.total_disponibil > 150 && json.nota !== undefined, query);
      }
      const { json } = await large.ask(`${PATH}?limita=150`);
      assert.deepEqual([json.total, json.nota], [150, undefined]);
      assert.deepEqual(
        json.statii.map(({ id }: Item) => id),
        records.slice(0, 150).map(({ station }) => station.id),
      );
    });

    test('a filter alone leaves the sample spread over the order', async () => {
      const { json } = await large.ask(`${PATH}?cu_pret=1`);
      assert.equal(json.statii[149].id, records[Math.floor((149 * 1400) / 150)]?.station.id);
    });
  });
});

describe('GET /api/v1/statii → 200: campuri=extins', () => {
  test('the age of each price in calendar days, null if its source gives no date', async () => {
    const items = await found('campuri=extins&cu_pret=1');
    const age = (brand: string, tip: string) => items.find((item) => item.brand === brand && item.tip === tip)?.vechime;
    assert.equal(age('Petrom', 'motorina_standard'), 0);
    assert.equal(age('Petrom', 'benzina_standard'), 1);
    assert.equal(age('Petrom', 'adblue'), null);
    assert.ok(items.every((item) => !Object.hasOwn(item, 'stare')));
  });

  test('why a price is missing', async () => {
    const items = await found('campuri=extins');
    const states = items.filter(({ pret }) => pret === null).map(({ brand, tip, stare }) => [brand, tip, stare]);
    assert.deepEqual(states, [
      ['Petrom', 'benzina_premium', 'incoerent'],
      ['Rompetrol', 'benzina_standard', 'expirat'],
      ['Rompetrol', 'motorina_standard', 'fara_pret_publicat'],
    ]);
    assert.ok(items.every((item) => Object.hasOwn(item, 'vechime') === (item.pret !== null)));
  });

  test('stations named by id also tell what they do not sell', async () => {
    const items = await found(`campuri=extins&id=${TURZII}`);
    assert.deepEqual(
      items.map(({ tip, stare }) => [tip, stare]),
      [
        ['benzina_standard', undefined],
        ['benzina_premium', 'incoerent'],
        ['motorina_standard', undefined],
        ['motorina_premium', 'nu_se_vinde'],
        ['gpl', 'nu_se_vinde'],
        ['adblue', undefined],
      ],
    );
    const { pret, observat_la, adresa } = items[4] as Item;
    assert.deepEqual([pret, observat_la, adresa], [null, null, 'Calea Turzii 178']);
    assert.deepEqual(await found(`campuri=extins&id=${TURZII}&tip=gpl&cu_pret=1`), []);
    assert.equal((await found(`campuri=extins&id=${TURZII}&tip=gpl&sort=pret`)).length, 1);
  });

  test('a fuel that only a locator names is sold, but nobody publishes its price', async (t) => {
    const locatorFuels = new Map([[TURZII, new Set(['lpg'] as const)]]);
    const known = await TestService.start({ snapshot: world({ locatorFuels }) });
    t.after(() => known.api.close());
    const { json } = await known.ask(`${PATH}?campuri=extins&id=${TURZII}`);
    assert.deepEqual(
      json.statii.slice(3, 5).map(({ tip, stare }: Item) => [tip, stare]),
      [
        ['motorina_premium', 'nu_se_vinde'],
        ['gpl', 'fara_pret_publicat'],
      ],
    );
  });

  test('without it, nothing is added', async () => {
    for (const item of await found(`id=${TURZII}`)) {
      assert.ok(!Object.hasOwn(item, 'stare') && !Object.hasOwn(item, 'vechime'));
    }
  });
});

describe('GET /api/v1/statii → 200: format=geojson', () => {
  test('a point for each record, which is its properties, with the fields of the list beside', async () => {
    const { headers, json } = await service.ask(`${PATH}?format=geojson`);
    assert.equal(headers['content-type'], 'application/geo+json');
    const { type, features, ...around } = json;
    const { statii, ...list } = await ask('');
    assert.deepEqual([type, around], ['FeatureCollection', list]);
    assert.deepEqual(
      features,
      statii.map((item: Item) => ({
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [item.lng, item.lat] },
        properties: item,
      })),
    );
  });

  test('with a point and extended fields, also where nothing is found', async () => {
    const query = 'lat=46.75&lon=23.59&raza=1&campuri=extins';
    const { features } = await ask(`format=geojson&${query}`);
    assert.deepEqual(
      features.map(({ properties }: { properties: Item }) => properties),
      await found(query),
    );
    assert.deepEqual((await ask('format=geojson&lat=0&lon=0')).features, []);
  });
});

describe('GET /api/v1/statii → 200: format=csv', () => {
  const read = async (query: string) => {
    const { headers, text } = await service.ask(`${PATH}?format=csv&${query}`);
    assert.equal(headers['content-type'], 'text/csv; charset=utf-8; header=present');
    assert.match(String(headers.link), /rel="license"/);
    const [head = '', ...lines] = text.split('\r\n');
    return { head: head.split(','), lines: lines.slice(0, -1), text };
  };

  test('a header of the contract’s words, then a row per record', async () => {
    const { head, lines, text } = await read('');
    assert.equal(`${head.join(',')}\r\n`, csvHeader(false));
    assert.equal(lines.length, 11);
    assert.ok(text.endsWith('\r\n'));
    const turzii = lines.find((line) => line.startsWith(`${TURZII},`) && line.includes('benzina_standard'));
    assert.equal(
      turzii,
      `${TURZII},Petrom,Cluj-Napoca,Cluj,Calea Turzii 178,46.75,23.59,benzina_standard,7.45,,,,,19.11.2026,,,,,Luni-Duminică 00:00-24:00,"Magazin, Spălătorie",+40 264 000 000,,,2026-11-19,`,
    );
  });

  test('every field of a record has its column', async () => {
    const { head } = await read('campuri=extins');
    for (const item of await found('campuri=extins&lat=46.75&lon=23.59')) {
      for (const field of Object.keys(item)) assert.ok(head.includes(field), field);
    }
    for (const item of await found('campuri=extins')) {
      for (const field of Object.keys(item)) assert.ok(head.includes(field), field);
    }
  });

  test('the distance and the extended fields fill their columns', async () => {
    const { head, lines } = await read(`campuri=extins&lat=46.7501&lon=23.59&id=${TURZII}`);
    assert.deepEqual(head.slice(-3), ['distanta_km', 'stare', 'vechime']);
    assert.deepEqual(
      lines.map((line) => line.split(',').slice(-3)),
      [
        ['0.01', '', '1'],
        ['0.01', 'incoerent', ''],
        ['0.01', '', '0'],
        ['0.01', 'nu_se_vinde', ''],
        ['0.01', 'nu_se_vinde', ''],
        ['0.01', '', ''],
      ],
    );
  });

  test('a refusal stays JSON', async () => {
    const { status, headers, json } = await service.ask(`${PATH}?format=csv&limita=0`);
    assert.equal(status, 400);
    assert.equal(headers['content-type'], 'application/json; charset=utf-8');
    assert.match(json.message, /„limita”/);
  });
});

describe('GET /api/v1/statii → 400: filters', () => {
  for (const query of [
    'limita=0',
    'limita=-1',
    'limita=1.5',
    'limita=',
    'varsta_max=-1',
    'varsta_max=x',
    'sort=pret_minim',
    'sort=distanta',
    'sort=PRET',
    'format=xml',
    'campuri=toate',
    'bbox=1,2,3',
    'bbox=1,2,3,4,5',
    'bbox=1,2,,4',
    'bbox=26,44,25,45',
    'bbox=25,45,26,44',
    'bbox=-181,44,26,45',
    'bbox=25,44,26,91',
    'bbox=a,b,c,d',
    'cu_pret=poate',
    'fara_nesigure=2',
    'id=a&id=b',
    'oras=a&oras=b',
  ]) {
    test(query, async () => {
      const { status, json } = await service.ask(`${PATH}?${query}`);
      assert.equal(status, 400);
      const name = query === 'sort=distanta' ? 'lat' : query.slice(0, query.indexOf('='));
      assert.match(json.message, new RegExp(`„${name}”`), 'the parameter is named');
    });
  }
});

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { dayNumber } from '../../src/domain/days.ts';
import { aCity, anEmptySnapshot } from '../support/builders/snapshot-builders.ts';
import { TestService } from '../support/service/test-service.ts';
import { world } from '../support/worlds/contract-world.ts';

const PATH = '/api/v1/preturi';

describe('GET /api/v1/preturi → 200', () => {
  let service: TestService;
  before(async () => {
    const many = Array.from({ length: 23 }, (_, index) =>
      aCity({ name: `Oras ${index}`, county: index < 21 ? 'CJ' : 'MS' }),
    );
    service = await TestService.start({ snapshot: world({ cities: many }) });
  });
  after(() => service.api.close());

  test('without a key, the first 20 cities, all networks, and a note that says so', async () => {
    const { json } = await service.ask(PATH);
    assert.equal(json.total, 20);
    assert.deepEqual(json.rezultate.map(({ oras }: { oras: string }) => oras)[19], 'Oras 19');
    assert.deepEqual(
      json.retele.map(({ slug }: { slug: string }) => slug),
      ['mol', 'omv', 'petrom', 'rompetrol'],
    );
    assert.match(json.nota, /20.*23/);
    assert.equal(json.preturi_lipsa, 'null');
    assert.equal(json.data, '2026-11-20');
    assert.equal(json.actualizat_la, '2026-11-20T07:30:00+00:00');
  });

  test('the county filter applies before truncation, by name, alias or plate code', async () => {
    for (const county of ['CJ', 'cluj', 'Județul Cluj', 'CLUJ']) {
      const { json } = await service.ask(`${PATH}?judet=${encodeURIComponent(county)}`);
      assert.deepEqual([json.total, json.rezultate[0].oras], [20, 'Oras 0'], county);
    }
    const { json } = await service.ask(`${PATH}?judet=Mure%C8%99`);
    assert.deepEqual(
      json.rezultate.map(({ slug }: { slug: string }) => slug),
      ['oras-21', 'oras-22'],
    );
    const whole = 'Fără cheie API sunt returnate cel mult 20 de orașe; răspunsul le cuprinde pe toate (2).';
    assert.equal(json.nota, whole, 'without a key there is always a note');
  });

  test('an empty list for a county without a priced city', async () => {
    const { json } = await service.ask(`${PATH}?judet=B`);
    assert.deepEqual([json.total, json.rezultate], [0, []]);
    assert.doesNotMatch(json.nota, /primele|cu o cheie/i, 'a key would give nothing more');
    assert.equal(json.retele.length, 4);
  });

  test('a plus sign means a space, `%2B` a plus', async () => {
    assert.equal((await service.ask(`${PATH}?judet=Municipiul+Bucure%C8%99ti`)).status, 200);
    assert.equal((await service.ask(`${PATH}?judet=Satu%2BMare`)).status, 200, 'punctuation in names is ignored');
  });

  test('an empty county does not filter, unknown parameters are ignored', async () => {
    assert.equal((await service.ask(`${PATH}?judet=`)).json.total, 20);
    assert.equal((await service.ask(`${PATH}?_=123&_=4&x`)).json.total, 20);
  });

  test('a missing price is null, and 0 only with exactly 1, true, yes or da', async () => {
    for (const value of ['1', 'true', 'yes', 'da']) {
      const { json } = await service.ask(`${PATH}?zeros=${value}`);
      assert.equal(json.preturi_lipsa, 'zero');
      assert.equal(json.rezultate[0].gpl, 0);
      assert.equal(json.retele[1].benzina, 0);
    }
    for (const value of ['', '0', 'TRUE', 'Da', '1%20', 'false', 'nan']) {
      const { json } = await service.ask(`${PATH}?zeros=${value}`);
      assert.deepEqual(
        [json.preturi_lipsa, json.rezultate[0].gpl, json.retele[1].benzina],
        ['null', null, null],
        value,
      );
    }
  });
});

describe('GET /api/v1/preturi → 200: the legacy zeros', () => {
  test('affect only prices: `total`, coordinates and texts stay the same', async (t) => {
    const service = await TestService.during(t);
    const plain = (await service.ask(PATH)).text;
    const legacy = (await service.ask(`${PATH}?zeros=da`)).text;
    assert.equal(
      plain
        .replace('"preturi_lipsa":"null"', '"preturi_lipsa":"zero"')
        .replaceAll(/("(benzina|motorina|gpl)\w*"):null/g, '$1:0'),
      legacy,
    );
  });
});

describe('GET /api/v1/preturi → 200 after midnight', () => {
  test('`data` is the day in Bucharest even if it is still yesterday in UTC', async (t) => {
    const now = Date.parse('2026-11-20T22:30:00Z');
    const service = await TestService.during(t, { snapshot: world({ now, today: dayNumber('2026-11-21') }) });
    assert.equal((await service.ask(PATH)).json.data, '2026-11-21');
  });
});

describe('GET /api/v1/preturi → 200 on a fresh machine', () => {
  test('everything answers, empty and null', async (t) => {
    const service = await TestService.during(t, { snapshot: anEmptySnapshot() });
    const { json } = await service.ask(PATH);
    assert.deepEqual([json.total, json.rezultate, json.retele, json.actualizat_la], [0, [], [], null]);
  });
});

describe('GET /api/v1/preturi → 400 and 404', () => {
  let service: TestService;
  before(async () => {
    service = await TestService.start();
  });
  after(() => service.api.close());

  test('refuses a known parameter sent twice, by name', async () => {
    for (const query of ['judet=CJ&judet=CJ', 'zeros=1&zeros=1', 'judet&judet=']) {
      const { status, json } = await service.ask(`${PATH}?${query}`);
      assert.equal(status, 400, query);
      assert.match(json.message, /(judet|zeros)/);
    }
  });

  test('refuses a query whose percent-encoding is not UTF-8', async () => {
    for (const query of ['judet=%', 'judet=%zz', 'judet=%ff', '%e0=1', 'x=%C8']) {
      assert.equal((await service.ask(`${PATH}?${query}`)).status, 400, query);
    }
  });

  test('answers an unknown county with 404', async () => {
    assert.equal((await service.ask(`${PATH}?judet=Atlantida`)).status, 404);
    assert.equal((await service.ask(`${PATH}?judet=%00`)).status, 404);
  });
});

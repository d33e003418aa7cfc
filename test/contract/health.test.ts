import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import { anEmptySnapshot, NOON } from '../support/builders/snapshot-builders.ts';
import { TestService } from '../support/service/test-service.ts';
import { world } from '../support/worlds/contract-world.ts';

const PATH = '/api/v1/health';
const DAY = 86_400_000;
let now = NOON;
let service: TestService;
before(async () => {
  service = await TestService.start({ clock: () => now });
});
after(() => service.api.close());

describe('GET /api/v1/health → 200', () => {
  test('the 12 fields of a healthy service', async () => {
    assert.deepEqual((await service.ask(PATH)).json, {
      status: 'ok',
      actualizat_la: '2026-11-20T07:30:00+00:00',
      vechime_secunde: 1800,
      vechime_maxima_secunde: 1800,
      vechime_maxima_descarcare_secunde: 1800,
      observatie_cea_mai_veche: '2026-11-19',
      preturi_fara_data_observatie: 1,
      statii_cu_pret: 8,
      inregistrari_total: 11,
      preturi_disponibile: 8,
      statii_total: 4,
      statii_cu_pret_unice: 3,
    });
  });

  test('also with a source that is exactly 24 hours old', async () => {
    now = NOON - 30 * 60_000 + DAY;
    const { status, json } = await service.ask(PATH);
    assert.deepEqual([status, json.vechime_maxima_secunde], [200, 86_400]);
    now = NOON;
  });
});

describe('GET /api/v1/health → 503', () => {
  test('with a source older than 24 hours, even without a publication in between', async () => {
    now = NOON - 30 * 60_000 + DAY + 1000;
    const { status, json, headers } = await service.ask(PATH);
    assert.deepEqual([status, json.status, json.vechime_maxima_secunde], [503, 'degraded', 86_401]);
    assert.equal(headers['cache-control'], 'no-store');
    now = NOON;
  });

  const served = async (t: TestContext, snapshot: ReturnType<typeof world>) =>
    (await TestService.during(t, { snapshot })).ask(PATH);

  test('a fresh source does not make up for a dead one', async (t) => {
    const sources = [
      { name: 'register', deliveredAt: NOON - 1000, downloadedAt: NOON - 1000 },
      { name: 'rompetrol', deliveredAt: NOON - 2 * DAY, downloadedAt: NOON - 5000 },
    ];
    const { status, json } = await served(t, world({ sources }));
    assert.equal(status, 503);
    assert.deepEqual([json.vechime_maxima_secunde, json.vechime_maxima_descarcare_secunde], [172_800, 5]);
    assert.equal(json.vechime_secunde, 1800);
  });

  test('a source that never delivered makes the maximum ages unknown', async (t) => {
    const sources = [
      { name: 'register', deliveredAt: NOON - 1000, downloadedAt: NOON - 1000 },
      { name: 'rompetrol', deliveredAt: null, downloadedAt: NOON - 5000 },
    ];
    const { status, json } = await served(t, world({ sources }));
    assert.deepEqual([status, json.vechime_maxima_secunde, json.vechime_maxima_descarcare_secunde], [503, null, null]);
  });

  test('without a source in service, and without any price', async (t) => {
    assert.equal((await served(t, world({ sources: [] }))).status, 503);
    assert.equal((await served(t, world({ records: [] }))).status, 503);
    const { status, json } = await served(t, anEmptySnapshot());
    assert.deepEqual(
      [status, json.actualizat_la, json.vechime_secunde, Object.keys(json).length],
      [503, null, null, 12],
    );
  });
});

describe('GET /livez, /readyz → 200', () => {
  test('also while the data are bad', async (t) => {
    const other = await TestService.during(t, { snapshot: anEmptySnapshot() });
    for (const path of ['/livez', '/readyz']) {
      const { status, json } = await other.ask(path);
      assert.deepEqual([status, json], [200, { status: 'ok' }]);
    }
  });

  test('but 503 at /readyz until the process knows the prices', async (t) => {
    let isReady = false;
    const other = await TestService.during(t, { snapshot: anEmptySnapshot(), isReady: () => isReady });
    const answers = async () => {
      const [alive, ready] = [await other.ask('/livez'), await other.ask('/readyz')];
      return [alive.status, ready.status, ready.json];
    };
    assert.deepEqual(await answers(), [200, 503, { status: 'starting' }]);
    isReady = true;
    assert.deepEqual(await answers(), [200, 200, { status: 'ok' }]);
  });

  test('and 503 at /readyz again once a stop is requested', async (t) => {
    const other = await TestService.during(t, { snapshot: anEmptySnapshot(), isStopping: () => true });
    const { status, json } = await other.ask('/readyz');
    assert.deepEqual([status, json], [503, { status: 'stopping' }]);
    assert.equal((await other.ask('/livez')).status, 200);
  });
});

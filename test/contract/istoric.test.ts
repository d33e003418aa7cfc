import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { dayNumber, dayText } from '../../src/domain/days.ts';
import { aHistory } from '../support/builders/snapshot-builders.ts';
import { TestService } from '../support/service/test-service.ts';
import { TURZII, world } from '../support/worlds/contract-world.ts';

const path = (id: string, query = '') => `/api/v1/statie/${id}/istoric${query}`;
const OLD = '0123456789ab';
const DROP = 'aaaaaaaaaaaa';
const GAPS = 'bbbbbbbbbbbb';

let service: TestService;
before(async () => {
  const histories = {
    ...Object.fromEntries([[TURZII, world().history(TURZII) ?? aHistory('2026-11-20', {})]]),
    [OLD]: aHistory('2025-01-01', { petrol: { '2025-01-01': 7_000, '2026-08-23': 7_100, '2026-08-22': 7_200 } }),
    [GAPS]: aHistory('2026-11-16', { petrol: { '2026-11-17': 7_000, '2026-11-19': 7_300 } }),
    [DROP]: aHistory('2026-11-19', { lpg: { '2026-11-19': 3_719, '2026-11-20': 3_704 } }),
  };
  service = await TestService.start({ snapshot: world({ histories }) });
});
after(() => service.api.close());

describe('GET /api/v1/statie/{station_id}/istoric → 200', () => {
  test('all days from the first known one to today, gaps as null, fuels in the contract’s order', async () => {
    const { json } = await service.ask(path(TURZII));
    assert.deepEqual(json.labels, ['15.11', '16.11', '17.11', '18.11', '19.11', '20.11']);
    assert.deepEqual(json.series, {
      benzina_standard: [7.495, 7.48, null, 7.47, 7.45, 7.45],
      motorina_standard: [null, null, null, null, null, 7.89],
    });
    assert.equal(json.station_id, TURZII);
  });

  test('the change is the last minus the first known price, 2 decimals, only if two days are known', async () => {
    assert.deepEqual((await service.ask(path(TURZII))).json.variatie, { benzina_standard: -0.05 });
    assert.deepEqual((await service.ask(path(DROP))).json.variatie, { gpl: -0.02 });
    assert.deepEqual((await service.ask(path(TURZII, '?days=2'))).json.variatie, { benzina_standard: 0 });
    assert.deepEqual((await service.ask(path(TURZII, '?days=1'))).json.variatie, {});
  });

  test('the change skips days without a price, also at either end of the window', async () => {
    const { json } = await service.ask(path(GAPS));
    assert.deepEqual(json.series, { benzina_standard: [null, 7, null, 7.3, null] });
    assert.deepEqual(json.variatie, { benzina_standard: 0.3 });
  });

  test('30 days by default, today included, 90 at most', async () => {
    const labels = async (query: string) => (await service.ask(path(OLD, query))).json.labels;
    assert.equal((await labels('')).length, 30);
    for (const [days, length] of [
      ['1', 1],
      ['7', 7],
      ['90', 90],
      ['91', 90],
      [`1${'0'.repeat(30)}`, 90],
    ] as const) {
      const window = await labels(`?days=${days}`);
      assert.deepEqual([window.length, window.at(-1)], [length, '20.11'], days);
    }
    const first = dayText(dayNumber('2026-11-20') - 89);
    assert.equal((await labels('?days=90'))[0], `${first.slice(8)}.${first.slice(5, 7)}`);
  });

  test('only nulls and no change if all known days are before the window', async () => {
    const { json } = await service.ask(path(OLD, '?days=3'));
    assert.deepEqual([json.series, json.variatie], [{ benzina_standard: [null, null, null] }, {}]);
  });
});

describe('GET /api/v1/statie/{station_id}/istoric → 400', () => {
  for (const days of ['0', '-3', '1.5', 'abc', '', '1e2', '0x10', '%2030', 'nan', '7&days=7']) {
    test(`days=${days}`, async () => {
      const { status, json } = await service.ask(path(TURZII, `?days=${days}`));
      assert.equal(status, 400);
      assert.match(json.message, /days/);
    });
  }
});

describe('GET /api/v1/statie/{station_id}/istoric → 404', () => {
  test('an unknown id, or a station without history', async () => {
    for (const id of ['ffffffffffff', 'x', '__proto__', 'constructor', '%F0%9F%9A%97']) {
      const { status, json } = await service.ask(path(id));
      assert.deepEqual([status, Object.keys(json)], [404, ['status', 'message']], id);
    }
  });

  test('a wrong `days` is refused before an unknown station, as both are known from memory', async () => {
    assert.equal((await service.ask(path('x', '?days=0'))).status, 400);
  });

  test('an empty id is another path', async () => {
    assert.ok((await service.ask(path(''))).json.docs);
  });
});

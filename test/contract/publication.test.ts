import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { aCity, aNetwork, manyRecords, NOON, prices } from '../support/builders/snapshot-builders.ts';
import { TestService } from '../support/service/test-service.ts';
import { world } from '../support/worlds/contract-world.ts';

/** Publication n: n cities, 10·n stations named after it, published n minutes after noon. */
function publication(n: number): Snapshot {
  return world({
    version: n,
    updatedAt: NOON + n * 60_000,
    cities: Array.from({ length: n }, () => aCity({ prices: prices({ petrol: 7_000 + n }) })),
    networks: [{ network: aNetwork(), prices: prices({ petrol: 7_000 + n }) }],
    records: manyRecords(10 * n, { address: `publicarea ${n}` }),
  });
}

const numberOf = (json: { actualizat_la: string }) => (Date.parse(json.actualizat_la) - NOON) / 60_000;

describe('a new publication', () => {
  let service: TestService;
  before(async () => {
    service = await TestService.start({ snapshot: publication(1) });
  });
  after(() => service.api.close());

  test('never mixes with another in one answer: time, totals and records agree, and time never goes back', async () => {
    let done = false;
    const reader = async <J>(path: string, agree: (n: number, json: J) => void) => {
      let last = 0;
      while (!done) {
        const { json } = await service.ask(path, { headers: { 'Accept-Encoding': 'br' } });
        const n = numberOf(json);
        assert.ok(n >= last, `${path}: ${n} after ${last}`);
        last = n;
        agree(n, json);
      }
      return last;
    };
    type Cities = { total: number; rezultate: { benzina: number }[]; retele: { benzina: number }[] };
    type Stations = { total: number; total_disponibil?: number; statii: { adresa: string }[] };
    const cities = (n: number, { total, rezultate, retele }: Cities) => {
      assert.deepEqual([total, rezultate.length, retele[0]?.benzina], [n, n, (7_000 + n) / 1000]);
      assert.ok(rezultate.every(({ benzina }) => benzina === (7_000 + n) / 1000));
    };
    const stations = (n: number, { total, total_disponibil, statii }: Stations, among = 20 * n) => {
      assert.deepEqual([total_disponibil ?? total, statii.length], [among, total]);
      assert.ok(statii.every(({ adresa }) => adresa === `publicarea ${n}`));
    };
    const readers = [
      reader('/api/v1/preturi', cities),
      reader('/api/v1/preturi?x', cities),
      reader('/api/v1/statii', stations),
      reader('/api/v1/statii?tip=', stations),
      reader('/api/v1/statii?lat=44.9&lon=26.1&raza=50', (n, json: Stations) =>
        stations(n, json, json.total_disponibil ?? json.total),
      ),
    ];
    const publish = async () => {
      for (let n = 2; n <= 15; n += 1) await service.api.refresh(publication(n));
    };
    const [, ...lasts] = await Promise.all([publish().finally(() => (done = true)), ...readers]);
    for (const last of lasts) assert.ok(last >= 14);
    assert.equal(numberOf((await service.ask('/api/v1/preturi')).json), 15);
  });

  test('is served at every path at once: once one path shows it, all do', async (t) => {
    const service = await TestService.during(t, { snapshot: publication(1) });
    let done = false;
    const read = async () => {
      while (!done) {
        const routed = numberOf((await service.ask('/api/v1/preturi?x')).json);
        const ready = numberOf((await service.ask('/api/v1/preturi')).json);
        assert.ok(ready >= routed, `${routed} was served, and then ${ready}`);
      }
    };
    const publish = async () => {
      for (let n = 2; n <= 15; n += 1) await service.api.refresh(publication(n));
    };
    await Promise.all([publish().finally(() => (done = true)), read(), read(), read()]);
  });

  test('is served in the end if it is the last of several concurrent ones', async () => {
    await Promise.all([16, 17, 18].map((n) => service.api.refresh(publication(n))));
    assert.equal(numberOf((await service.ask('/api/v1/retele')).json), 18);
  });

  test('leaves the previous one in place if it cannot be rendered, and the next one works', async () => {
    const broken = { ...publication(19), networks: null } as unknown as Snapshot;
    await assert.rejects(service.api.refresh(broken));
    assert.equal(numberOf((await service.ask('/api/v1/retele')).json), 18);
    await service.api.refresh(publication(20));
    assert.equal(numberOf((await service.ask('/api/v1/retele')).json), 20);
  });
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { NoResponse } from '../../../clients/http/response.ts';
import { DEFAULT_RANGES } from '../../../domain/fuel.ts';
import type { Sweep } from '../../../domain/reports/sweep.ts';
import {
  BUCHAREST,
  badParameter,
  jsonAnswer,
  notFound,
  ProgrammableRegister,
  type ProgrammableStation,
} from '../../../simulation/register/programmable-register.ts';
import { itemsBody } from '../../../simulation/register/register-rows.ts';
import { NETWORK_IDS } from '../parsing/register-ids.ts';
import { registerSource } from '../register.ts';
import { byUnit, NETWORKS_TARGET } from '../requests/targets.ts';

const UNIT = 54975;
const CLUJ = { lat: 46.77, lng: 23.59 };

describe('a unit with many stations loses none', () => {
  for (const count of [1, 48, 49, 50, 51, 77, 120, 300]) {
    test(`${count} stations of the seven networks`, async () => {
      const register = new ProgrammableRegister().add(...stations(count, (i) => NETWORK_IDS[i % 7] ?? ''));
      const sweep = await read(register);
      assertAll(sweep, count);
    });
  }

  test('49 stations are one answer; 50 may be a cut one and are requested again by network', async () => {
    const whole = new ProgrammableRegister().add(...stations(49, (i) => NETWORK_IDS[i % 7] ?? ''));
    await read(whole);
    assert.equal(whole.requestCountOf('CSVGasNetworkIDS'), 0);
    const capped = new ProgrammableRegister().add(...stations(50, (i) => NETWORK_IDS[i % 7] ?? ''));
    await read(capped);
    assert.equal(capped.requestCountOf('CSVGasNetworkIDS'), 7);
    assert.equal(capped.requestCountOf('GetGasItemsByLatLon'), 0);
  });

  for (const count of [49, 50, 51, 120]) {
    test(`${count} stations of one network, within a unit of 51 more`, async () => {
      const register = new ProgrammableRegister().add(
        ...stations(count, () => 'PETROM'),
        ...stations(51, (i) => NETWORK_IDS[1 + (i % 6)] ?? '', 'O'),
      );
      const sweep = await read(register);
      assertAll(sweep, count + 51);
      assert.equal(register.requestCountOf('GetGasItemsByLatLon') > 0, count >= 50);
    });
  }

  test('50 products of 25 stations count as a full answer too', async () => {
    const register = new ProgrammableRegister().add(...stations(60, () => 'PETROM'));
    const usual = register.fetch;
    register.fetch = async (target) => {
      const answer = await usual(target);
      if (!target.includes(`UatId=${UNIT}&`)) return answer;
      const body = JSON.parse(answer.body.toString());
      if (body.Stations === undefined) return answer;
      const nearest = body.Products.slice(0, 25);
      const ids = new Set(nearest.map(({ stationid }: { stationid: string }) => stationid));
      const stations = body.Stations.filter(({ id }: { id: string }) => ids.has(id));
      return jsonAnswer(
        itemsBody(
          stations,
          nearest.flatMap((one: object) => [one, one]),
        ),
      );
    };
    assertAll(await read(register), 60);
  });

  test('an unknown network, all of it beyond the first 50, is found through the register’s list of networks', async () => {
    const far = stations(5, () => 'NOU', 'N').map((one) => ({ ...one, lat: one.lat + 0.1 }));
    const register = new ProgrammableRegister().add(...stations(60, (i) => NETWORK_IDS[i % 7] ?? ''), ...far);
    assertAll(await read(register), 65);
  });

  test('without that list a network seen elsewhere in the run is requested', async () => {
    const far = stations(5, () => 'NOU', 'N').map((one) => ({ ...one, lat: one.lat + 0.1 }));
    const register = new ProgrammableRegister().add(...stations(60, (i) => NETWORK_IDS[i % 7] ?? ''), ...far, {
      ...BUCHAREST,
      id: 'X',
      network: 'NOU',
      unit: 179132,
      prices: { petrol: 9 },
    });
    register.script(NETWORKS_TARGET, notFound);
    assertAll(await read(register), 65);
  });

  test('a network filter that does not filter is detected: the search uses tiles', async () => {
    const register = new ProgrammableRegister().add(...stations(60, (i) => NETWORK_IDS[i % 2] ?? ''));
    for (const network of NETWORK_IDS)
      register.script(byUnit(UNIT, 'petrol', network), () => jsonAnswer(itemsBody([], [])));
    assertAll(await read(register), 60);
  });

  test('stations scattered one by one over 30 km are found by widening the search', async () => {
    const line = stations(90, () => 'PETROM').map((one, i) => ({ ...one, lat: CLUJ.lat, lng: CLUJ.lng + i * 0.004 }));
    assertAll(await read(new ProgrammableRegister().add(...line)), 90);
  });

  test('the outline drawn by the register is searched to its corners', async () => {
    const corner = { lat: CLUJ.lat + 0.15, lng: CLUJ.lng + 0.15 };
    const register = new ProgrammableRegister().add(...stations(60, () => 'PETROM'), {
      ...corner,
      id: 'FAR',
      network: 'PETROM',
      unit: UNIT,
      prices: { petrol: 9 },
    });
    register.outline(UNIT, [CLUJ, corner, { ...CLUJ, lng: corner.lng }]);
    assertAll(await read(register), 61);
  });

  test('a station given in another country does not send the search there', async () => {
    const register = new ProgrammableRegister().add(...stations(60, () => 'PETROM'));
    register.add({ id: 'SWAPPED', network: 'OMV', unit: UNIT, lat: CLUJ.lng, lng: CLUJ.lat, prices: { petrol: 9 } });
    const sweep = await read(register);
    assertAll(sweep, 61);
    assert.ok(sweep.requests < 200, `${sweep.requests} requests`);
  });

  test('any placement of any networks, up to 300 stations', async () => {
    await fc.assert(
      fc.asyncProperty(towns, async ({ placed, outline }) => {
        const register = new ProgrammableRegister().add(...placed).outline(UNIT, outline);
        assertAll(await read(register), placed.length);
      }),
      { numRuns: 60 },
    );
  });
});

describe('stations of other units that a search comes across', () => {
  test('are kept as their own unit’s rows, and do not mark that unit as read', async () => {
    const register = new ProgrammableRegister().add(
      ...stations(60, () => 'PETROM'),
      { ...CLUJ, id: 'NEIGHBOUR', network: 'OMV', unit: 55008, prices: { petrol: 9 } },
      { ...CLUJ, id: 'UNSWEPT', network: 'OMV', unit: 999, prices: { petrol: 9 } },
    );
    register.scriptUnit(55008, 'petrol', () => {
      throw new NoResponse('time-out');
    });
    const sweep = await read(register, [55008]);
    const unitOf = (id: string) => sweep.readings.find(({ sourceId }) => sourceId === id)?.unit;
    assert.equal(unitOf('NEIGHBOUR'), '55008:petrol');
    assert.equal(unitOf('UNSWEPT'), `${UNIT}:petrol`);
    assert.equal(sweep.units.get('55008:petrol'), 'failed');
    assert.equal(sweep.units.has('999:petrol'), false);
  });

  test('yield to the rows of their own unit', async () => {
    const register = new ProgrammableRegister().add(...stations(60, () => 'PETROM'), {
      ...CLUJ,
      id: 'NEIGHBOUR',
      network: 'OMV',
      unit: 55008,
      prices: { petrol: 9 },
    });
    const usual = register.fetch;
    register.fetch = async (target) => {
      const answer = await usual(target);
      const changed = answer.body.toString().replaceAll('"price":9,', '"price":8.5,');
      return target.includes('ByLatLon') ? { ...answer, body: Buffer.from(changed) } : answer;
    };
    const sweep = await read(register, [55008]);
    assert.deepEqual(
      sweep.readings.filter(({ sourceId }) => sourceId === 'NEIGHBOUR').map(({ price, unit }) => [price, unit]),
      [[9000, '55008:petrol']],
    );
  });
});

describe('a unit that could not be read whole', () => {
  const failing = [
    [
      'a network not answered',
      (register: ProgrammableRegister) => register.script(byUnit(UNIT, 'petrol', 'MOL'), () => noAnswer()),
    ],
    [
      'a network answered in another shape',
      (register: ProgrammableRegister) => register.script(byUnit(UNIT, 'petrol', 'MOL'), () => jsonAnswer({})),
    ],
    [
      '50 stations at one place',
      (register: ProgrammableRegister) =>
        register.add(...stations(60, () => 'PETROM', 'P').map((one) => ({ ...one, ...CLUJ }))),
    ],
  ] as const;
  for (const [title, spoil] of failing) {
    test(`has failed, so that it orphans nothing, but its rows are used: ${title}`, async () => {
      const register = new ProgrammableRegister().add(...stations(60, (i) => NETWORK_IDS[i % 7] ?? ''));
      spoil(register);
      const sweep = await read(register);
      assert.equal(sweep.units.get(`${UNIT}:petrol`), 'failed');
      assert.equal(sweep.rejections.counts().unit_cut_off, 1);
      assert.ok(sweep.readings.filter(({ unit }) => unit === `${UNIT}:petrol`).length >= 50);
    });
  }

  test('the search of one unit ends after 600 requests, whatever the register answers', async () => {
    const register = new ProgrammableRegister().add(...stations(60, () => 'PETROM'));
    const usual = register.fetch;
    let asked = 0;
    register.fetch = (target) => {
      if (!target.includes('ByLatLon')) return usual(target);
      asked += 1;
      // As full as the unit itself, down to circles of half a kilometre.
      return usual(Number(/buffer=(\d+)/i.exec(target)?.[1]) > 500 ? byUnit(UNIT, 'petrol') : target);
    };
    assert.equal((await read(register)).units.get(`${UNIT}:petrol`), 'failed');
    assert.equal(asked, 600);
  });

  test('a place with 50 stations is searched no further than a street', async () => {
    const register = new ProgrammableRegister().add(
      ...stations(60, () => 'PETROM').map((one) => ({ ...one, ...CLUJ })),
    );
    assert.equal((await read(register)).units.get(`${UNIT}:petrol`), 'failed');
    const asked = register.requestCountOf('GetGasItemsByLatLon');
    assert.ok(asked < 100, `${asked} searches`);
  });

  test('a search around a point that is refused fails the unit', async () => {
    const register = new ProgrammableRegister().add(...stations(60, () => 'PETROM'));
    const usual = register.fetch;
    register.fetch = (target) => (target.includes('ByLatLon') ? Promise.resolve(badParameter()) : usual(target));
    assert.equal((await read(register)).units.get(`${UNIT}:petrol`), 'failed');
  });
});

const places = fc.record({
  up: fc.double({ min: 0, max: 1, noNaN: true }),
  right: fc.double({ min: 0, max: 1, noNaN: true }),
});
/** A unit of up to 30 × 30 km with its stations in up to six clusters, from one street to the whole unit wide. */
const towns = fc
  .record({
    size: fc.double({ min: 0.01, max: 0.27, noNaN: true }),
    clusters: fc.array(
      fc.record({
        at: places,
        spread: fc.constantFrom(0.01, 0.1, 0.5, 1),
        networks: fc.array(fc.constantFrom(...NETWORK_IDS, 'NOU 1', 'INDEPENDENT & FIII'), {
          minLength: 1,
          maxLength: 4,
        }),
        stations: fc.array(places, { minLength: 1, maxLength: 100 }),
      }),
      { minLength: 1, maxLength: 6 },
    ),
  })
  .map(({ size, clusters }) => {
    const at = (up: number, right: number) => ({ lat: CLUJ.lat + up * size, lng: CLUJ.lng + right * size * 1.4 });
    const placed = clusters.flatMap((cluster, c) =>
      cluster.stations.map(({ up, right }, i): ProgrammableStation => {
        const inside = (middle: number, share: number) =>
          Math.min(1, Math.max(0, middle + (share - 0.5) * cluster.spread));
        const network = cluster.networks[i % cluster.networks.length] ?? 'MOL';
        return {
          // No more than a few at one and the same place: a street apart, as pumps are.
          ...at(inside(cluster.at.up, up) + i * 0.0005, inside(cluster.at.right, right)),
          id: `S${c}-${i}`,
          network,
          unit: UNIT,
          prices: { petrol: 9 },
        };
      }),
    );
    return { placed: placed.slice(0, 300), outline: [at(0, 0), at(1.06, 1)] };
  });

function stations(count: number, network: (i: number) => string, prefix = 'S'): ProgrammableStation[] {
  return Array.from({ length: count }, (_, i) => ({
    id: `${prefix}${i}`,
    network: network(i),
    unit: UNIT,
    // A spiral, so that none is where another is.
    lat: CLUJ.lat + Math.cos(i) * i * 0.0004,
    lng: CLUJ.lng + Math.sin(i) * i * 0.0005,
    prices: { petrol: 9 },
  }));
}

async function read(register: ProgrammableRegister, others: readonly number[] = []): Promise<Sweep> {
  const { fetch } = register;
  return registerSource({ units: [179132, UNIT, ...others] }).sweep({
    fetch,
    parallel: 2,
    now: Date.parse('2026-11-20T08:00:00Z'),
    ranges: DEFAULT_RANGES,
    unitsWithRows: new Set(),
    extraUnits: [],
    onProgress: () => undefined,
    signal: new AbortController().signal,
  });
}

function assertAll(sweep: Sweep, count: number): void {
  const found = sweep.readings.filter(({ unit }) => unit === `${UNIT}:petrol`);
  assert.deepEqual(sweep.rejections.samples(), {});
  assert.equal(found.length, count);
  assert.equal(sweep.units.get(`${UNIT}:petrol`), 'read');
}

function noAnswer(): never {
  throw new NoResponse('time-out');
}

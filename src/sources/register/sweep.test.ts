import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NoResponse } from '../../clients/http/response.ts';
import { DEFAULT_RANGES } from '../../domain/fuel.ts';
import type { Sweep } from '../../domain/reports/sweep.ts';
import {
  badParameter,
  everyFuel,
  htmlAnswer,
  jsonAnswer,
  ProgrammableRegister,
} from '../../simulation/register/programmable-register.ts';
import { itemsBody } from '../../simulation/register/register-rows.ts';
import { sampleProductRow, sampleServiceRow, sampleStationRow } from '../../simulation/register/sample-rows.ts';
import { type Fetch, type Progress, SourceFailed, type SweepContext } from '../source.ts';
import { registerSource } from './register.ts';
import { byUnit } from './requests/targets.ts';

const CLUJ = { id: 'R1', network: 'PETROM', unit: 54975, lat: 46.77, lng: 23.59 };
const NOW = Date.parse('2026-11-20T08:00:00Z');

describe('a complete sweep', () => {
  test('requests each unit for each fuel once, and returns each station once and one reading per fuel', async () => {
    const register = new ProgrammableRegister().add({ ...CLUJ, prices: { petrol: 9.1, diesel: 9.3 } });
    const sweep = await read(register, { units: [179132, 54975] });

    assert.deepEqual(
      sweep.stations.map(({ sourceId }) => sourceId),
      ['R1', '041B11'],
    );
    assert.deepEqual(
      sweep.readings.filter(({ sourceId }) => sourceId === 'R1'),
      [reading('petrol', 9100), reading('diesel', 9300)],
    );
    assert.deepEqual(Object.fromEntries([...sweep.units].filter(([key]) => key.startsWith('54975'))), {
      '54975:petrol': 'read',
      '54975:petrol_premium': 'empty',
      '54975:diesel': 'read',
      '54975:diesel_premium': 'empty',
      '54975:lpg': 'empty',
    });
    assert.equal(new Set(register.requestedTargets).size, 10);
    // The canary's answer serves as its unit's, and is asked for again only because there were 500s.
    assert.equal(sweep.requests, 11);
    assert.equal(register.requestedTargets.length, 11);
  });

  test('covers the 366 known units and those learned since, each once', async () => {
    const sweep = await read(new ProgrammableRegister(), { extraUnits: [4, 179132, 4] });
    assert.equal(sweep.units.size, (366 + 1) * 5);
  });

  test('reports its progress unit by unit', async () => {
    const steps: Progress[] = [];
    await read(new ProgrammableRegister(), { units: [179132], onProgress: (step) => steps.push(step) });
    assert.deepEqual(
      steps.map(({ done, total }) => `${done}/${total}`),
      ['1/5', '2/5', '3/5', '4/5', '5/5'],
    );
  });

  test('returns the same result whatever the order of the answers', async () => {
    const register = new ProgrammableRegister();
    for (let unit = 1; unit <= 20; unit += 1) {
      register.add(
        { ...CLUJ, id: `R${unit}`, unit, prices: everyFuel(9) },
        { ...CLUJ, id: 'SHARED', unit, prices: everyFuel(9 + unit / 100) },
      );
    }
    const units = Array.from({ length: 20 }, (_, i) => i + 1);
    const inOrder = await read(register, { units, parallel: 1 });
    const shuffled: Fetch = async (target) => {
      const answer = await register.fetch(target);
      for (let i = register.requestedTargets.length % 7; i > 0; i -= 1) await Promise.resolve();
      return answer;
    };
    const outOfOrder = await read(register, { units, parallel: 8, fetch: shuffled });
    assert.deepEqual(outOfOrder.readings, inOrder.readings);
    assert.deepEqual(outOfOrder.stations, inOrder.stations);
  });

  test('merges a station from the answers for different fuels: the last one wins, except for its empty fields', async () => {
    const register = new ProgrammableRegister();
    const answerWith = (fuel: 'petrol' | 'diesel', change: object, services: unknown[]) =>
      register.scriptUnit(54975, fuel, () =>
        jsonAnswer(
          itemsBody([sampleStationRow(CLUJ, change as never)], [sampleProductRow('R1', 'PETROM', fuel, 9)], services),
        ),
      );
    answerWith('petrol', { name: 'Cluj' }, [sampleServiceRow('R1', '1', 'Magazin')]);
    answerWith('diesel', { name: 'Cluj 1', addr: { uatid: '54975' } }, []);
    const sweep = await read(register, { units: [179132, 54975] });
    const station = sweep.stations.find(({ sourceId }) => sourceId === 'R1');
    assert.deepEqual([station?.name, station?.lat, station?.services], ['Cluj 1', 46.77, ['Magazin']]);
  });

  test('trusts a station’s own unit more than another one that lists it too', async () => {
    const register = new ProgrammableRegister().add({ ...CLUJ, prices: { petrol: 9 } });
    register.scriptUnit(60000, 'petrol', () =>
      jsonAnswer(itemsBody([sampleStationRow(CLUJ)], [sampleProductRow('R1', 'PETROM', 'petrol', 8)])),
    );
    const sweep = await read(register, { units: [179132, 54975, 60000] });
    assert.deepEqual(
      sweep.readings.filter(({ sourceId }) => sourceId === 'R1'),
      [reading('petrol', 9000)],
    );
  });

  test('never has more concurrent requests than allowed', async () => {
    const register = new ProgrammableRegister();
    let open = 0;
    let most = 0;
    const fetch: Fetch = async (target) => {
      open += 1;
      most = Math.max(most, open);
      await new Promise(setImmediate);
      open -= 1;
      return register.fetch(target);
    };
    await read(register, { units: [179132, 1, 2, 3, 4, 5], parallel: 3, fetch });
    assert.equal(most, 3);
  });
});

describe('"no such station" (500)', () => {
  test('means an empty unit if there never were rows', async () => {
    const sweep = await read(new ProgrammableRegister(), { units: [179132, 54975] });
    assert.equal(sweep.units.get('54975:petrol'), 'empty');
  });

  test('for a unit with rows is requested again at the end, and is a refusal if it persists', async () => {
    const register = new ProgrammableRegister().add({ ...CLUJ, id: 'R2', unit: 60000, prices: { petrol: 9 } });
    const sweep = await read(register, { units: [179132, 54975, 60000], unitsWithRows: new Set(['54975:petrol']) });
    assert.equal(sweep.units.get('54975:petrol'), 'not-found');
    const target = byUnit(54975, 'petrol');
    assert.deepEqual(
      [
        register.requestCountOf(target),
        register.requestedTargets.lastIndexOf(target) > register.requestedTargets.indexOf(byUnit(60000, 'lpg')),
      ],
      [2, true],
    );
  });

  test('for a unit with rows is ignored if the second answer is good, even a capped one', async () => {
    const register = new ProgrammableRegister();
    for (let i = 0; i < 60; i += 1)
      register.add({ ...CLUJ, id: `R${i}`, network: i % 2 ? 'OMV' : 'MOL', prices: { petrol: 9 } });
    register.scriptUnit(54975, 'petrol', (times) => (times === 1 ? badParameter() : null));
    const sweep = await read(register, { units: [179132, 54975], unitsWithRows: new Set(['54975:petrol']) });
    assert.equal(sweep.units.get('54975:petrol'), 'read');
    assert.equal(sweep.readings.filter(({ unit }) => unit === '54975:petrol').length, 60);
  });

  test('does not count if the register fails by the end', async () => {
    const register = new ProgrammableRegister().scriptUnit(179132, 'petrol', (times) =>
      times > 1 ? badParameter() : null,
    );
    await fails(read(register, { units: [179132, 54975] }), /the register is unhealthy: .* status 500/);
  });

  test('for everything fails the register', async () => {
    const register = new ProgrammableRegister();
    await fails(read(register, { fetch: async () => badParameter() }), /the register is unhealthy/);
  });
});

describe('the canary', () => {
  for (const [title, answer, words] of [
    ['forbidden', () => htmlAnswer(403), /status 403/],
    ['HTML with 200', () => htmlAnswer(200), /it gave an HTML page/],
    ['a bare empty list', () => jsonAnswer([]), /an empty list/],
    ['an empty envelope', () => jsonAnswer(itemsBody([], [])), /no price/],
    ['rows whose price has another name', () => jsonAnswer(renamedPrice()), /no price that can be parsed/],
    [
      'no answer',
      () => Promise.reject(new NoResponse('no answer from register.example: it answered 503')),
      /it answered 503/,
    ],
  ] as const) {
    test(`with ${title} ends the run immediately`, async () => {
      const register = new ProgrammableRegister().scriptUnit(179132, 'petrol', () => answer());
      await fails(read(register), words);
      assert.equal(register.requestedTargets.length, 1);
    });
  }

  test('is requested again after a single 500', async () => {
    const register = new ProgrammableRegister().scriptUnit(179132, 'petrol', (times) =>
      times === 1 ? badParameter() : null,
    );
    assert.equal((await read(register, { units: [179132] })).units.get('179132:petrol'), 'read');
  });
});

describe('one bad answer among many', () => {
  for (const [title, answer, outcome, reason] of [
    ['a bare []', () => jsonAnswer([]), 'not-found', 'bare_empty_list'],
    ['an empty envelope', () => jsonAnswer(itemsBody([], [])), 'empty', null],
    ['403', () => htmlAnswer(403), 'failed', 'unit_status_403'],
    ['HTML with 200', () => htmlAnswer(200), 'failed', 'unit_wrong_shape'],
    [
      'a truncated body',
      () => ({ ...jsonAnswer({}), body: Buffer.from('{"Stations":[{"id"') }),
      'failed',
      'unit_wrong_shape',
    ],
    ['an object of another kind', () => jsonAnswer({ Message: 'x' }), 'failed', 'unit_wrong_shape'],
    [
      'rows without stations',
      () => jsonAnswer({ Products: [sampleProductRow('R1', 'PETROM', 'petrol', 9)] }),
      'failed',
      'unit_wrong_shape',
    ],
    ['rows without products', () => jsonAnswer({ Stations: [sampleStationRow(CLUJ)] }), 'failed', 'unit_wrong_shape'],
    ['a time-out', () => Promise.reject(new NoResponse('time-out')), 'failed', 'unit_no_answer'],
  ] as const) {
    test(`${title}: the unit is ${outcome}, the others are read`, async () => {
      const register = new ProgrammableRegister().scriptUnit(54975, 'petrol', () => answer());
      const sweep = await read(register, { units: [179132, 54975, 60000], unitsWithRows: new Set(['54975:petrol']) });
      assert.equal(sweep.units.get('54975:petrol'), outcome);
      assert.equal(sweep.units.get('179132:petrol'), 'read');
      if (reason) assert.equal(sweep.rejections.counts()[reason], 1);
    });
  }

  test('a bug of ours is not mistaken for a bad answer', async () => {
    const register = new ProgrammableRegister().scriptUnit(54975, 'petrol', () => Promise.reject(new TypeError('bug')));
    await assert.rejects(read(register, { units: [179132, 54975] }), TypeError);
  });
});

describe('the register as a whole fails', () => {
  test('when everything after the canary fails: soon', async () => {
    const register = new ProgrammableRegister();
    const usual = register.fetch;
    const fetch: Fetch = async (target) => {
      const answer = await usual(target);
      if (target === byUnit(179132, 'petrol')) return answer;
      throw new NoResponse('no answer from register.example: the connection was refused');
    };
    await fails(read(register, { fetch }), /20 of the first 20 units, last: .*the connection was refused/);
    assert.ok(register.requestedTargets.length <= 23, `${register.requestedTargets.length} questions`);
  });

  test('when more than a tenth of all units fail', async () => {
    const register = new ProgrammableRegister();
    for (let unit = 1; unit <= 100; unit += 1) {
      register.add({ ...CLUJ, id: `R${unit}`, unit, prices: everyFuel(9) });
      if (unit <= 51 && unit > 40)
        for (const fuel of ['petrol', 'petrol_premium', 'diesel', 'diesel_premium', 'lpg'] as const)
          register.scriptUnit(unit, fuel, () => htmlAnswer(403));
    }
    const units = Array.from({ length: 100 }, (_, i) => i + 1);
    await fails(read(register, { units }), /the register fails: 51 of the first 251 units/);
  });

  test('when more than a tenth of the answers have another shape, however few the units', async () => {
    const register = new ProgrammableRegister()
      .scriptUnit(54975, 'petrol', () => htmlAnswer(200))
      .scriptUnit(54975, 'diesel', () => htmlAnswer(200));
    await fails(read(register, { units: [179132, 54975] }), /another shape: 2 of 10 units/);
    register.scriptUnit(54975, 'diesel', () => jsonAnswer([]));
    assert.equal((await read(register, { units: [179132, 54975] })).units.get('54975:petrol'), 'failed');
  });

  test('when its deadline passes, even if a request is never answered', async () => {
    const register = new ProgrammableRegister();
    const stop = new AbortController();
    const hanging: Fetch = (target) => {
      if (target === byUnit(179132, 'petrol')) return register.fetch(target);
      stop.abort(new Error('no result within 20 minutes'));
      return new Promise(() => undefined);
    };
    await fails(
      read(register, { fetch: hanging, signal: stop.signal }),
      /stopped after 2 requests: no result within 20 minutes/,
    );
  });

  test('when it is stopped before it began', async () => {
    await fails(
      read(new ProgrammableRegister(), { signal: AbortSignal.abort(new Error('shutting down')) }),
      /after 0 requests: shutting down/,
    );
  });
});

test('refused rows are counted by reason and sampled, only once for rows in several parts of a unit', async () => {
  const register = new ProgrammableRegister();
  for (let i = 0; i < 60; i += 1)
    register.add({ ...CLUJ, id: `R${i}`, network: i % 2 ? 'OMV' : 'MOL', prices: { petrol: i === 0 ? '7,25' : 9 } });
  const sweep = await read(register, { units: [179132, 54975] });
  assert.deepEqual(sweep.rejections.counts(), { price_not_a_number: 1 });
  assert.deepEqual(sweep.rejections.samples(), { price_not_a_number: ['{"stationid":"R0","price":"7,25"}'] });
  assert.equal(sweep.readings.find(({ sourceId }) => sourceId === 'R0')?.price, null);
});

type Changes = Partial<SweepContext> & { units?: readonly number[] };

function read(register: ProgrammableRegister, { units, ...changes }: Changes = {}): Promise<Sweep> {
  return registerSource(units ? { units } : {}).sweep({
    fetch: register.fetch,
    parallel: 2,
    now: NOW,
    ranges: DEFAULT_RANGES,
    unitsWithRows: new Set(),
    extraUnits: [],
    onProgress: () => undefined,
    signal: new AbortController().signal,
    ...changes,
  });
}

function reading(fuel: string, price: number) {
  const observed = { day: '2026-11-20', at: null, text: '20/11/2026 07:30 ' };
  return { sourceId: 'R1', network: 'petrom', fuel, price, observed, unit: `54975:${fuel}` };
}

function renamedPrice() {
  return itemsBody(
    [sampleStationRow({ ...CLUJ, unit: 179132 })],
    [{ ...sampleProductRow('R1', 'PETROM', 'petrol', 9), price: undefined, Pret: 9 }],
  );
}

async function fails(sweep: Promise<Sweep>, words: RegExp): Promise<void> {
  await assert.rejects(sweep, (error: Error) => {
    assert.ok(error instanceof SourceFailed, `${error.stack}`);
    assert.match(error.message, words);
    return true;
  });
}

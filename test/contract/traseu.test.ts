import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { JourneyPlanner } from '../../src/api/endpoints/journey.ts';
import { createJourneyPlanner } from '../../src/app/routing-service.ts';
import { loadGazetteer } from '../../src/geodata/load-gazetteer.ts';
import { type PricedStation, PricedStations } from '../../src/snapshot/priced-stations.ts';
import { newAddress } from '../support/builders/client-addresses.ts';
import { aStation, doubtful, recordsOf, trusted } from '../support/builders/snapshot-builders.ts';
import { GuardedServices } from '../support/service/guarded-services.ts';
import { type Reply, TestService } from '../support/service/test-service.ts';
import { world } from '../support/worlds/contract-world.ts';

const PATH = '/api/v1/traseu/custom';

/** Stations on and off the road from Cluj-Napoca to Turda, 46.77/23.60 to 46.57/23.78. */
const near = (id: string, lat: number, lng: number, price: number) =>
  recordsOf(aStation({ id: id.padEnd(12, '0'), lat, lng }), { petrol: trusted(price) });
const records = [
  ...near('a', 46.668, 23.69, 7_500),
  ...near('b', 46.57, 23.78, 7_400),
  ...near('c', 46.72, 23.62, 7_400),
  ...near('d', 45.0, 25.0, 7_000),
  ...recordsOf(aStation({ id: 'e'.padEnd(12, '0'), lat: 46.57, lng: 23.78 }), {
    petrol: doubtful(6_000, 'stuck', '2026-11-01'),
    diesel: trusted(7_900, { fuel: 'diesel' }),
  }),
];

let service: TestService;
before(async () => {
  service = await TestService.start({ snapshot: world({ records }) });
});
after(() => service.api.close());

const post = (body: unknown, headers: Record<string, string> = {}, to = service) =>
  to.ask(PATH, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  });

describe('POST /api/v1/traseu/custom → 200', () => {
  test('the route, and the stations with a trusted price along it: cheapest first, then nearest', async () => {
    const { status, json } = await post({ start: 'Cluj', end: 'Turda, CJ', raza: 15 });
    assert.equal(status, 200);
    const { statii, waypoints, km, duration_min, start, end, ...rest } = json;
    assert.deepEqual(rest, { ok: true, tip: 'benzina_standard', total_statii: 3 });
    assert.deepEqual([start.name, end.name], ['Cluj-Napoca', 'Turda']);
    assert.ok(km > 25 && km < 40, km);
    assert.ok(duration_min > 20 && duration_min < 60 && Number.isInteger(duration_min), duration_min);
    assert.deepEqual(
      statii.map(({ pret }: { pret: number }) => pret),
      [7.4, 7.4, 7.5],
    );
    assert.ok(statii[0].dist_ruta <= statii[1].dist_ruta);
    assert.deepEqual(Object.keys(statii[0]), ['adresa', 'brand', 'oras', 'lat', 'lng', 'tip', 'pret', 'dist_ruta']);
    assert.deepEqual(waypoints[0], [start.lat, start.lng]);
    assert.deepEqual(waypoints.at(-1), [end.lat, end.lng]);
    assert.ok(waypoints.length <= 200);
  });

  test('another fuel, a narrower corridor, and one that is too wide', async () => {
    const route = { start: 'Cluj-Napoca', end: 'Turda' };
    assert.equal((await post({ ...route, tip: 'motorina_standard' })).json.total_statii, 1);
    assert.equal((await post({ ...route, tip: 'gpl' })).json.total_statii, 0);
    const wide = await post({ ...route, raza: 500 });
    assert.deepEqual(wide.json, (await post({ ...route, raza: 15 })).json);
    assert.ok((await post({ ...route, raza: 0.001 })).json.total_statii < 3);
  });

  test('unknown fields and spaces around a name are ignored', async () => {
    const { status } = await post('{"__proto__":{"raza":"x"},"start":" Cluj ","end":"Turda","x":[[]]}');
    assert.equal(status, 200);
  });

  test('at most 50 stations are shown, all are counted', async (t) => {
    const many = Array.from({ length: 60 }, (_, i) => near(`f${i}`, 46.6 + i / 1000, 23.75, 7_000 + i)).flat();
    const full = await TestService.during(t, { snapshot: world({ records: many }) });
    const { json } = await post({ start: 'Cluj', end: 'Turda', raza: 15 }, {}, full);
    assert.deepEqual([json.statii.length, json.total_statii], [50, 60]);
  });
});

describe('POST /api/v1/traseu/custom → 400', () => {
  const bad: [string, unknown][] = [
    ['no object', []],
    ['no object', 'null'],
    ['no object', '"text"'],
    ['no object', '7'],
    ['no JSON', '{'],
    ['no body', ''],
    ['no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
    ['a missing field', { start: 'Cluj' }],
    ['a field of another type', { start: 7, end: 'Turda' }],
    ['a field of another type', { start: ['Cluj'], end: 'Turda' }],
    ['an empty name', { start: ' ', end: 'Turda' }],
    ['a fuel of another type', { start: 'Cluj', end: 'Turda', tip: null }],
    ['an unknown fuel', { start: 'Cluj', end: 'Turda', tip: 'apa' }],
    ['a fuel without roads', { start: 'Cluj', end: 'Turda', tip: 'adblue' }],
    ['a radius that is text', { start: 'Cluj', end: 'Turda', raza: '5' }],
    ['a radius that is null', { start: 'Cluj', end: 'Turda', raza: null }],
    ['an infinite radius', '{"start":"Cluj","end":"Turda","raza":1e999}'],
    ['no radius', { start: 'Cluj', end: 'Turda', raza: 0 }],
    ['a negative radius', { start: 'Cluj', end: 'Turda', raza: -1 }],
    ['the same place twice', { start: 'Cluj', end: 'cluj-napoca' }],
    ['a depth of arrays', `{"start":${'['.repeat(7_000)}`],
    ['a place beyond the water', { start: 'Tulcea', end: 'Sulina' }],
  ];
  for (const [what, body] of bad) {
    test(`${what}: ${Buffer.isBuffer(body) ? 'bytes' : JSON.stringify(body).slice(0, 60)}`, async () => {
      const { status, json } = await post(body);
      assert.equal(status, 400);
      assert.deepEqual([json.ok, typeof json.msg, Object.keys(json).length], [false, 'string', 2]);
    });
  }

  test('names an unknown place and suggests similar ones', async () => {
    const { json } = await post({ start: 'Cluj', end: 'Trda' });
    assert.match(json.msg, /„Trda”.*Turda/);
  });

  test('stops suggesting to an address that keeps guessing, before any limit; others still get suggestions', async () => {
    const searched: string[] = [];
    const gazetteer = loadGazetteer();
    const suggestPlaces = (text: string) => {
      searched.push(text);
      return gazetteer.suggestPlaces(text);
    };
    const clientOf: Parameters<typeof createJourneyPlanner>[2] = ({ headers }) => String(headers['x-forwarded-for']);
    const journeys = createJourneyPlanner({ ...gazetteer, suggestPlaces }, null, clientOf);
    const own = await TestService.start({ journeys });
    try {
      const guess = (name: string, address: string) =>
        post({ start: name, end: 'Turda' }, { 'X-Forwarded-For': address }, own);
      const replies: Reply[] = [];
      for (let at = 0; at < 60; at += 1) replies.push(await guess(`Turd${at}`, '6.6.6.6'));
      assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([400]));
      const [helped, refused] = [true, false].map((is) => replies.filter(({ json }) => is === /Turda/.test(json.msg)));
      assert.equal(helped?.length, searched.length);
      for (const { json } of refused ?? []) assert.match(json.msg, /^Localitatea „Turd\d+” nu a fost găsită\.$/);
      assert.ok(searched.length < 60, `${searched.length} searches`);
      assert.match((await guess('Trda', '7.7.7.7')).json.msg, /„Trda”.*Turda/);
    } finally {
      await own.api.close();
    }
  });
});

describe('POST /api/v1/traseu/custom → 413, 415, 405', () => {
  test('in the format of journey errors', async () => {
    const large = await post({ start: 'x'.repeat(17_000), end: 'Turda' });
    assert.deepEqual([large.status, large.json.ok], [413, false]);
    const text = await post({ start: 'Cluj', end: 'Turda' }, { 'Content-Type': 'text/plain' });
    assert.deepEqual([text.status, text.json.ok], [415, false]);
    const coded = await post({ start: 'Cluj', end: 'Turda' }, { 'Content-Encoding': 'gzip' });
    assert.deepEqual([coded.status, coded.json.ok], [415, false]);
    for (const [type, status] of [
      ['application/json; charset=UTF-8', 200],
      ['application/json; charset=utf8', 200],
      ['application/json; a=b; charset="utf-8" ;', 200],
      ['application/json; charset=iso-8859-2', 415],
      ['application/json; a=b; charset=latin1', 415],
      ['application/json; charset=utf-8; charset=utf-16', 415],
    ] as const) {
      const journey = await post({ start: 'Cluj', end: 'Turda' }, { 'Content-Type': type });
      assert.equal(journey.status, status, type);
    }
    const got = await service.ask(PATH);
    assert.deepEqual([got.status, got.headers.allow, got.json.status], [405, 'POST, OPTIONS', 'error']);
    const options = await service.ask(PATH, { method: 'OPTIONS' });
    assert.deepEqual([options.status, options.headers.allow], [204, 'POST, OPTIONS']);
  });
});

describe('POST /api/v1/traseu/custom: limits', () => {
  test('once a week without a key, and only a journey that was found counts', async (t) => {
    const guarded = await GuardedServices.during(t);
    const from = { 'X-Forwarded-For': newAddress() };
    const turda = { start: 'Cluj', end: 'Turda' };
    assert.equal((await post({ start: 'Tulcea', end: 'Sulina' }, from, guarded.service)).status, 400);
    assert.equal((await post(turda, from, guarded.service)).status, 200);
    const capped = await post(turda, from, guarded.service);
    assert.deepEqual([capped.status, capped.json.status, 'next_allowed' in capped.json], [429, 'error', true]);
    assert.equal((await post({ start: 7 }, from, guarded.service)).status, 400, 'before the limit');
    const { key } = await guarded.key({ quota: 9 });
    const keyed = await post(turda, { 'X-Api-Key': key }, guarded.service);
    assert.deepEqual([keyed.status, keyed.headers['x-ratelimit-remaining']], [200, '8']);
    const refused = await post('{', { 'X-Api-Key': key }, guarded.service);
    assert.deepEqual([refused.status, refused.json.ok, refused.headers['x-ratelimit-remaining']], [400, false, '8']);
    const bad = await post('{', { 'X-Api-Key': 'x' }, guarded.service);
    assert.deepEqual([bad.status, bad.json.status], [401, 'error'], 'the key is checked before the body');
  });

  test('an impossible route and an internal error cost neither quota nor the weekly request', async (t) => {
    const { findRoute, ...places } = createJourneyPlanner(loadGazetteer());
    const ways: JourneyPlanner['findRoute'][] = [async () => 'no_route', () => Promise.reject(new Error('a bug'))];
    const journeys: JourneyPlanner = { ...places, findRoute: (...asks) => (ways[asked++] ?? findRoute)(...asks) };
    let asked = 0;
    const guarded = await GuardedServices.start(1, null, () => ({ journeys }));
    t.after(() => guarded.close());
    const { key } = await guarded.key({ quota: 9 });
    const headersSeen: (string | undefined)[][] = [];
    for (const sender of [{ 'X-Forwarded-For': newAddress() }, { 'X-Api-Key': key }]) {
      asked = 0;
      for (let time = 0; time < 3; time += 1) {
        const { status, headers } = await post({ start: 'Cluj', end: 'Turda' }, sender, guarded.service);
        headersSeen.push([String(status), headers['x-ratelimit-remaining'] as string | undefined]);
      }
    }
    const visitor = ['400', '500', '200'].map((status) => [status, undefined]);
    assert.deepEqual(headersSeen, [...visitor, ['400', '9'], ['500', '9'], ['200', '8']]);
  });
});

test('the cheapest station along a route comes first, of equally cheap ones the nearest', () => {
  const beside = [
    ...near('a', 46.67, 23.6, 7_500),
    ...near('b', 46.67, 23.64, 7_400),
    ...near('c', 46.67, 23.62, 7_400),
  ];
  const priced = new PricedStations(world({ records: beside }).records);
  const line = [
    [46.77, 23.6],
    [46.57, 23.6],
  ] as const;
  assert.deepEqual(
    priced.along(line, 'petrol', 15).map(({ place }) => place.station.id[0]),
    ['c', 'b', 'a'],
  );
});

test('the stations of a fuel are collected once per publication', () => {
  const priced = new PricedStations(world({ records }).records);
  const line = [
    [46.77, 23.6],
    [46.57, 23.78],
  ] as const;
  const [first, again] = [1, 2].map(() => priced.along(line, 'petrol', 15).map(({ place }) => place));
  assert.ok(first?.every((place: PricedStation, index) => place === again?.[index]));
});

import assert from 'node:assert/strict';
import http from 'node:http';
import { describe, type TestContext, test } from 'node:test';
import { MAX_WAITS } from '../../src/api/changes/change-feed.ts';
import { ChangeLog, FEED_DAYS } from '../../src/api/changes/change-log.ts';
import type { ToldChange } from '../../src/store/changes/read-feed.ts';
import { NOON } from '../support/builders/snapshot-builders.ts';
import { EPOCH, ToldFeed } from '../support/changes/told-changes.ts';
import { allowAll, SOME_KEY } from '../support/service/open-access.ts';
import { TestService } from '../support/service/test-service.ts';
import { TURZII, world } from '../support/worlds/contract-world.ts';

const PATH = '/api/v1/modificari';
const DAY = 86_400_000;
const ELSEWHERE: Partial<ToldChange> = {
  ...{ station: 'ffffffffffff', fuel: 'diesel', county: 'IS', city: 'iasi', network: 'mol' },
};

async function serve(t: TestContext, feed = new ToldFeed()) {
  const service = await TestService.during(t, { accessControl: allowAll(SOME_KEY), changes: feed.log });
  const ask = (query = '', headers = {}) => service.ask(`${PATH}${query}`, { headers });
  const prices = async (query = '') =>
    (await ask(query)).json.modificari.map(({ pret_nou }: { pret_nou: number }) => pret_nou);
  return { feed, service, ask, prices };
}

describe('GET /api/v1/modificari → 200', () => {
  test('tells each change once, in order, and where to go on', async (t) => {
    const { feed, ask } = await serve(t);
    feed.tell([
      {
        kind: 'station added',
        fuel: null,
        before: { price: null, reason: null },
        after: { price: null, reason: null },
        source: null,
        observed: null,
      },
      {},
    ]);
    feed.tell([
      {
        kind: 'withdrawn',
        before: { price: 7_020, reason: 'stuck' },
        after: { price: null, reason: 'expired' },
        source: null,
        observed: null,
      },
    ]);
    const { json } = await ask();
    assert.deepEqual(json.modificari[1], {
      cursor: `${EPOCH}.2`,
      fel: 'pret',
      statie_id: TURZII,
      tip: 'benzina_standard',
      pret_vechi: 7.01,
      pret_nou: 7.02,
      motiv_vechi: null,
      motiv: null,
      sursa: 'register',
      observat_la: '2026-11-20',
      vazut_la: '2026-11-20T08:01:00+00:00',
    });
    assert.deepEqual(
      json.modificari.map(({ fel, tip, motiv_vechi, motiv }: Record<string, string>) => [fel, tip, motiv_vechi, motiv]),
      [
        ['statie_noua', null, null, null],
        ['pret', 'benzina_standard', null, null],
        ['retras', 'benzina_standard', 'blocat', 'expirat'],
      ],
    );
    assert.deepEqual([json.urmatorul, json.la_zi, json.data], [`${EPOCH}.3`, true, '2026-11-20']);
    const rest = await ask(`?dupa=${json.urmatorul}`);
    assert.deepEqual([rest.json.modificari, rest.json.urmatorul, rest.json.la_zi], [[], `${EPOCH}.3`, true]);
  });

  test('comes in pages of at most 1,000, each going on where the one before ended', async (t) => {
    const { feed, ask } = await serve(t);
    feed.tellSome(2_500);
    const seen: string[] = [];
    const sizes: number[] = [];
    for (let dupa = '', done = false; !done; ) {
      const { json } = await ask(`?dupa=${dupa}&limita=5000`);
      for (const { cursor } of json.modificari) seen.push(cursor);
      sizes.push(json.modificari.length);
      dupa = json.urmatorul;
      done = json.la_zi;
    }
    assert.deepEqual(sizes, [1_000, 1_000, 500]);
    assert.deepEqual(
      seen,
      Array.from({ length: 2_500 }, (_, index) => `${EPOCH}.${(index + 1).toString(36)}`),
    );
    assert.equal((await ask('?limita=1')).json.modificari.length, 1);
  });

  test('filters by fuel, county, city, network and station, and moves over what it leaves out', async (t) => {
    const { feed, ask, prices } = await serve(t);
    feed.tell([{}, ELSEWHERE, {}, ELSEWHERE]);
    for (const query of [
      'tip=benzina_standard',
      'judet=Cluj',
      'oras=Cluj-Napoca',
      'oras=Cluj',
      'brand=petrom',
      `statie=${TURZII},x`,
    ])
      assert.deepEqual(await prices(`?${query}`), [7.01, 7.03], query);
    assert.deepEqual(await prices('?judet=IS&tip=motorina_standard&oras=iasi&brand=mol'), [7.02, 7.04]);
    const { json } = await ask('?judet=CJ&limita=1');
    assert.deepEqual([json.urmatorul, json.la_zi], [`${EPOCH}.1`, false]);
    for (const query of ['statie=nobody', 'statie=']) {
      const none = (await ask(`?${query}`)).json;
      assert.deepEqual([none.modificari, none.urmatorul, none.la_zi], [[], `${EPOCH}.4`, true], query);
    }
  });

  test('refuses a place that nobody knows, and suggests what was meant', async (t) => {
    const { ask } = await serve(t);
    const city = await ask('?oras=Cluj-Napocca');
    assert.equal(city.status, 404);
    assert.match(city.json.message, /Ați vrut să spuneți: Cluj-Napoca/);
    assert.equal((await ask('?judet=Atlantida')).status, 404);
  });

  test('goes through a bounded part of the feed, whatever the filter', async (t) => {
    const { feed, ask } = await serve(t);
    feed.tellSome(20_001);
    const { json } = await ask('?statie=nobody');
    assert.deepEqual([json.urmatorul, json.la_zi], [`${EPOCH}.${(20_000).toString(36)}`, false]);
  });

  test('begins at the oldest change kept, or with `acum` after the last', async (t) => {
    const { feed, ask } = await serve(t);
    feed.tellSome(3);
    assert.equal((await ask('?dupa=')).json.modificari.length, 3);
    assert.equal((await ask('?dupa=acum')).json.urmatorul, `${EPOCH}.3`);
  });

  test('is the same bytes from every process, whenever it began to read', async (t) => {
    const one = await serve(t);
    one.feed.tellSome(10);
    one.feed.tell([ELSEWHERE], { from: NOON + 10 * DAY });
    one.feed.tellSome(5);
    const late = new ToldFeed(new ChangeLog());
    late.tellSome(10);
    late.tell([ELSEWHERE], { from: NOON + 10 * DAY });
    late.tellSome(5);
    const other = await serve(t, late);
    for (const query of ['', '?limita=3', `?dupa=${EPOCH}.5&tip=motorina_standard`, '?dupa=acum'])
      assert.deepEqual((await one.ask(query)).raw, (await other.ask(query)).raw, query);
  });
});

describe('If-None-Match', () => {
  test('gives 304 without a body until something follows', async (t) => {
    const { feed, ask } = await serve(t);
    feed.tellSome(2);
    const { headers } = await ask(`?dupa=${EPOCH}.2`);
    const again = () => ask(`?dupa=${EPOCH}.2`, { 'If-None-Match': headers.etag });
    const unchanged = await again();
    assert.deepEqual([unchanged.status, unchanged.raw.length, unchanged.headers.etag], [304, 0, headers.etag]);
    feed.tell([]);
    assert.equal((await again()).status, 304, 'a publication without a change');
    feed.tellSome(1);
    const changed = await again();
    assert.deepEqual([changed.status, changed.json.modificari.length], [200, 1]);
  });
});

describe('a wait', () => {
  test('ends with the first change that passes the filter', async (t) => {
    const { feed, ask } = await serve(t);
    const waiting = ask(`?dupa=${EPOCH}.0&asteapta=25&judet=CJ`);
    await waits(t, feed.log, 1);
    feed.tell([ELSEWHERE]);
    feed.tell([{}]);
    assert.deepEqual((await waiting).json.modificari.length, 1);
  });

  test('is left out when something follows already', async (t) => {
    const { feed, ask } = await serve(t);
    feed.tellSome(1);
    assert.equal((await ask('?asteapta=25')).json.modificari.length, 1);
  });

  test('ends with 410 when the past is rewritten meanwhile', async (t) => {
    const { feed, ask } = await serve(t);
    const waiting = ask(`?dupa=${EPOCH}.0&asteapta=25`);
    await waits(t, feed.log, 1);
    feed.tell([], { epoch: 'epoch_02' });
    const { status, json } = await waiting;
    assert.deepEqual([status, json.reia_de_la], [410, 'epoch_02.0']);
  });

  test('ends at once when the service stops', async (t) => {
    const { feed, service, ask } = await serve(t);
    const waiting = ask('?dupa=acum&asteapta=25');
    await waits(t, feed.log, 1);
    await service.api.close();
    assert.deepEqual((await waiting).json.modificari, []);
  });

  test(`is for ${MAX_WAITS.perKey} requests of a key at a time; one whose client leaves makes room`, async (t) => {
    const { feed, service, ask } = await serve(t);
    const query = '?dupa=acum&asteapta=25';
    const requests = Array.from({ length: MAX_WAITS.perKey }, () =>
      http
        .get({ port: service.port, host: '127.0.0.1', path: `${PATH}${query}`, agent: false })
        .on('error', () => undefined),
    );
    await waits(t, feed.log, MAX_WAITS.perKey);
    const refused = await ask(query);
    assert.deepEqual([refused.status, refused.headers['retry-after'], refused.json.retry_after_seconds], [429, '5', 5]);
    assert.match(refused.json.message, /asteapta.*cel mult 8/);
    requests[0]?.destroy();
    await waits(t, feed.log, MAX_WAITS.perKey - 1);
    const next = ask(query);
    await waits(t, feed.log, MAX_WAITS.perKey);
    feed.tellSome(1);
    assert.equal((await next).status, 200);
    for (const request of requests) request.destroy();
  });
});

describe('a cursor', () => {
  test('that is none is 400, and the message says what would be one', async (t) => {
    const { ask } = await serve(t);
    for (const dupa of [
      'x',
      '-1',
      `${EPOCH}.`,
      `${EPOCH}.01`,
      `${EPOCH}.1.2`,
      `${EPOCH}.1.2.3.4.5`,
      `${EPOCH}.A`,
      'ACUM',
      'a'.repeat(5_000),
    ]) {
      const { status, json } = await ask(`?dupa=${dupa}`);
      assert.equal(status, 400, dupa);
      assert.match(json.message, /„dupa”.*„urmatorul”.*Pompa-Cursor.*„acum”/);
    }
  });

  test('of another epoch is 410 with where to begin again', async (t) => {
    const { feed, ask } = await serve(t);
    feed.tellSome(3);
    feed.tell([{}], { epoch: 'epoch_02' });
    const { status, json } = await ask(`?dupa=${EPOCH}.2`);
    assert.deepEqual([status, json.reia_de_la], [410, 'epoch_02.3']);
    assert.match(json.message, /\/api\/v1\/statii.*Pompa-Cursor/);
    assert.equal((await ask(`?dupa=${json.reia_de_la}`)).json.modificari.length, 1);
  });

  test(`is good for ${FEED_DAYS} days`, async (t) => {
    const { feed, ask } = await serve(t);
    feed.tellSome(3);
    feed.tell([{}], { from: NOON + FEED_DAYS * DAY });
    assert.equal((await ask(`?dupa=${EPOCH}.0`)).status, 200);
    feed.tell([{}], { from: NOON + (FEED_DAYS + 1) * DAY });
    const { status, json } = await ask(`?dupa=${EPOCH}.2`);
    assert.deepEqual([status, json.reia_de_la], [410, `${EPOCH}.3`]);
    assert.equal((await ask(`?dupa=${EPOCH}.3`)).status, 200);
  });

  test('may be of a change that this process has not read yet', async (t) => {
    const { feed, ask } = await serve(t);
    feed.tellSome(3);
    const { json } = await ask(`?dupa=${EPOCH}.5`);
    assert.deepEqual([json.modificari, json.urmatorul, json.la_zi], [[], `${EPOCH}.5`, true]);
  });
});

describe('a bad request', () => {
  test('is told what is wrong with it', async (t) => {
    const { ask } = await serve(t);
    for (const [query, status, message] of [
      ['?limita=0', 400, /„limita”.*cel puțin 1/],
      ['?limita=1e3', 400, /„limita”/],
      ['?asteapta=-1', 400, /„asteapta”.*cel puțin 0/],
      ['?tip=kerosen', 400, /„tip”.*benzina_standard/],
      [`?statie=${Array.from({ length: 101 }, (_, index) => index).join()}`, 400, /„statie”.*cel mult 100/],
      ['?judet=Atlantida', 404, /Județ necunoscut/],
      ['?dupa=acum&dupa=acum', 400, /de mai multe ori/],
    ] as const) {
      const { status: got, json } = await ask(query);
      assert.equal(got, status, query);
      assert.match(json.message, message);
    }
  });

  test('is 401 without a key', async (t) => {
    const service = await TestService.during(t, { changes: new ToldFeed().log });
    for (const path of [PATH, `${PATH}/flux`]) {
      const { status, json } = await service.ask(path);
      assert.equal(status, 401, path);
      assert.match(json.message, /X-Api-Key/);
    }
  });

  test('is 503 while nothing has been told, and a list of stations has no cursor', async (t) => {
    const service = await TestService.during(t, { accessControl: allowAll(SOME_KEY) });
    for (const path of [PATH, `${PATH}/flux`]) {
      const { status, headers, json } = await service.ask(path);
      assert.deepEqual([status, headers['retry-after'], json.retry_after_seconds], [503, '5', 5], path);
    }
    assert.equal((await service.ask('/api/v1/statii')).headers['pompa-cursor'], undefined);
  });
});

describe('Pompa-Cursor', () => {
  const shown = world({ version: 3, nextChangeAt: NOON + 5 });

  /** The states 1 to 3, of which the last began at `from` with the changes of the publication before it. */
  async function serveStations(t: TestContext, from: number) {
    const feed = new ToldFeed();
    feed.tellSome(1);
    feed.tell([{}], { from });
    const service = await TestService.during(t, {
      accessControl: allowAll(SOME_KEY),
      changes: feed.log,
      snapshot: shown,
    });
    const cursor = async (query = '') => (await service.ask(`/api/v1/statii${query}`)).headers['pompa-cursor'];
    return { feed, service, cursor };
  }

  test('is that of the state that the answer shows, in each format', async (t) => {
    const { cursor } = await serveStations(t, NOON + 4);
    for (const query of ['', '?format=csv', '?format=geojson', '?limita=1&tip=gpl'])
      assert.equal(await cursor(query), `${EPOCH}.2`, query);
  });

  test('is not sent without a key', async (t) => {
    const feed = new ToldFeed();
    const service = await TestService.during(t, {
      changes: feed.log,
      snapshot: world({ version: 1 }),
      accessControl: allowAll(null),
    });
    assert.equal((await service.ask('/api/v1/statii')).headers['pompa-cursor'], undefined);
  });

  test('of what was not told yet leads on once it is, and is 410 if it never is', async (t) => {
    const feed = new ToldFeed();
    feed.tellSome(1);
    const options = { accessControl: allowAll(SOME_KEY), changes: feed.log };
    const service = await TestService.during(t, { ...options, snapshot: shown });
    const { headers } = await service.ask('/api/v1/statii');
    const cursor = String(headers['pompa-cursor']);
    assert.match(cursor, new RegExp(`^${EPOCH}\\.1\\.3\\.`));
    const page = async (dupa: string) => service.ask(`${PATH}?dupa=${dupa}`);
    const early = (await page(cursor)).json;
    assert.equal(early.urmatorul, cursor, 'it stays marked');
    feed.tell([{}], { from: NOON + 4 });
    const { json } = await page(cursor);
    assert.deepEqual([json.modificari.length, json.urmatorul], [1, `${EPOCH}.2`]);

    const skipping = new ToldFeed();
    skipping.tellSome(1);
    skipping.tell([{}], { from: NOON + 5 });
    const other = await TestService.during(t, { ...options, changes: skipping.log, snapshot: shown });
    const skipped = await other.ask(`${PATH}?dupa=${cursor}`);
    assert.equal(skipped.status, 410);
  });
});

/** Resolves once so many listen for more. */
async function waits(t: TestContext, log: ChangeLog, count: number): Promise<void> {
  await t.waitFor(() => assert.equal(log.listeners, count), { interval: 2, timeout: 5_000 });
}

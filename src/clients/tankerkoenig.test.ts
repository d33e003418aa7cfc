import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { aGermanList, aGermanRow, GermanSourceDouble, json } from '../../test/support/simulators/german-source.ts';
import { createTankerkoenig, type GermanSource } from './tankerkoenig.ts';
import { readTankerkoenig } from './tankerkoenig-answer.ts';

/** With signs that are written otherwise in an address. */
const KEY = '0a1b+2c3d/secret';
const BERLIN = { lat: 52.5219, lng: 13.4132, radiusKm: 5 };

let upstream: GermanSourceDouble;
let source: GermanSource;
beforeEach(async () => {
  upstream = await GermanSourceDouble.start();
  source = createTankerkoenig({ url: upstream.url, apiKey: KEY, userAgent: 'Pompa test', allowPrivate: true });
});
afterEach(async () => {
  await source.close();
  await upstream.close();
});

async function failure(withinMs = 4_000): Promise<string> {
  const reading = await source.ask(BERLIN, withinMs);
  assert.ok('failed' in reading, JSON.stringify(reading));
  return reading.failed;
}

/** The stations that an answer with these rows gives, and what was dropped. */
function read(rows: readonly unknown[]) {
  const reading = readTankerkoenig({
    status: 200,
    contentType: 'application/json',
    body: Buffer.from(JSON.stringify(aGermanList(rows))),
  });
  assert.ok('stations' in reading, JSON.stringify(reading));
  return reading;
}

const station = (parts: Readonly<Record<string, unknown>>) => read([aGermanRow(parts)]).stations[0];

describe('a request', () => {
  test('is sent once, with the parameters of the source’s own examples and our User-Agent', async () => {
    await source.ask(BERLIN, 4_000);
    assert.deepEqual(
      upstream.queries.map((query) => Object.fromEntries(query)),
      [{ lat: '52.5219', lng: '13.4132', rad: '5', sort: 'dist', type: 'all', apikey: KEY }],
    );
    assert.deepEqual(upstream.userAgents, ['Pompa test']);
  });
});

describe('an answer', () => {
  test('becomes stations, nearest first', () => {
    const { stations, dropped } = read([aGermanRow({ dist: 2.5, name: 'Far' }), aGermanRow()]);
    assert.deepEqual(dropped, {});
    assert.deepEqual(stations, [
      {
        name: 'ARAL Tankstelle',
        brand: 'ARAL',
        address: 'Lindenallee 12/14',
        city: 'Berlin',
        postcode: 10_178,
        lat: 52.5241,
        lng: 13.4102,
        distanceKm: 0.6,
        e5: 1_789,
        e10: 1_729,
        diesel: 1_659,
        open: true,
      },
      { ...stations[0], name: 'Far', distanceKm: 2.5 },
    ]);
  });

  for (const [coding, pack] of [
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ] as const) {
    test(`is parsed when compressed with ${coding}`, async () => {
      upstream.answer = json(pack(JSON.stringify(aGermanList())), { 'content-encoding': coding });
      const reading = await source.ask(BERLIN, 4_000);
      assert.ok('stations' in reading && reading.stations.length === 1);
    });
  }

  test('without stations is valid', () => assert.deepEqual(read([]), { stations: [], dropped: {} }));

  test('has no price for false, 0, null and absent, and one for one to three decimals', () => {
    const prices = (sent: Record<string, unknown>) => {
      const { e5, e10, diesel } = station(sent) ?? {};
      return [e5, e10, diesel];
    };
    assert.deepEqual(prices({ e5: false, e10: 0, diesel: null }), [null, null, null]);
    assert.deepEqual(prices({ e5: undefined, e10: 1.7, diesel: 2 }), [null, 1_700, 2_000]);
  });

  test('joins and trims street and number, even if one is missing', () => {
    const address = (street: unknown, houseNumber: unknown) => station({ street, houseNumber })?.address;
    assert.equal(address('Am Hang ', ' 3 '), 'Am Hang 3');
    assert.equal(address('B 96', ' '), 'B 96');
    assert.equal(address('B 96', null), 'B 96');
    assert.equal(address(undefined, '7'), '7');
    assert.equal(address(null, ''), '');
  });

  test('has a numeric postcode even if it lost its zero or is a string', () => {
    assert.equal(station({ postCode: 1_067 })?.postcode, 1_067);
    assert.equal(station({ postCode: '01067' })?.postcode, 1_067);
  });

  test('has no control characters or lone surrogates in texts', () => {
    assert.equal(station({ name: ' A\u0000B\n \ud800' })?.name, 'A B  \ufffd');
  });
});

describe('an invalid row is dropped and counted, and the others stay', () => {
  const BAD: readonly (readonly [reason: string, row: unknown])[] = [
    ['no_object', 'ARAL'],
    ['no_object', null],
    ['no_object', [aGermanRow()]],
    ['bad_text', aGermanRow({ name: 7 })],
    ['bad_text', aGermanRow({ street: { de: 'x' } })],
    ['bad_text', aGermanRow({ place: 'x'.repeat(301) })],
    ['bad_postcode', aGermanRow({ postCode: null })],
    ['bad_postcode', aGermanRow({ postCode: 10_178.5 })],
    ['bad_postcode', aGermanRow({ postCode: 'PLZ' })],
    ['bad_coordinates', aGermanRow({ lat: '52.5' })],
    ['bad_coordinates', aGermanRow({ lng: 181 })],
    ['bad_coordinates', aGermanRow({ lat: undefined })],
    ['bad_distance', aGermanRow({ dist: null })],
    ['bad_distance', aGermanRow({ dist: -0.1 })],
    ['bad_opening', aGermanRow({ isOpen: 'true' })],
    ['bad_price', aGermanRow({ e5: '1.789' })],
    ['bad_price', aGermanRow({ diesel: -1 })],
    ['bad_price', aGermanRow({ e10: true })],
    ['bad_price', aGermanRow({ e10: 1e9 })],
  ];
  for (const [reason, row] of BAD) {
    test(`${reason}: ${JSON.stringify(row)?.slice(0, 60)}`, () => {
      const { stations, dropped } = read([row, aGermanRow()]);
      assert.equal(stations.length, 1);
      assert.deepEqual(dropped, { [reason]: 1 });
    });
  }

  test('any row: each price is null or more than 0, and nothing throws', () => {
    fc.assert(
      fc.property(fc.record({ e5: fc.jsonValue(), e10: fc.jsonValue(), postCode: fc.jsonValue() }), (parts) => {
        const { stations, dropped } = read([aGermanRow(parts), aGermanRow()]);
        assert.equal(stations.length + Object.values(dropped).reduce((a, b) => a + b, 0), 2);
        for (const { e5, e10 } of stations) for (const price of [e5, e10]) assert.ok(price === null || price > 0);
      }),
    );
  });
});

describe('the result is a failure', () => {
  const BODIES: Readonly<Record<string, readonly [sent: unknown, why: RegExp]>> = {
    'that the source refuses': [{ ok: false, message: 'parameter error' }, /refused: parameter error/],
    'without a reason': [{ ok: false }, /refused: no reason/],
    'with ok as a text': [{ ...aGermanList(), ok: 'true' }, /refused/],
    'of HTML with 200': ['<html><h1>Rate Limit Exceeded</h1></html>', /no JSON object/],
    'that is half': [JSON.stringify(aGermanList()).slice(0, -20), /no JSON object/],
    'of nothing': ['', /no JSON object/],
    'that is a list': [[aGermanList()], /no JSON object/],
    'of null': ['null', /no JSON object/],
    'that is not UTF-8': [Buffer.from(JSON.stringify(aGermanList([aGermanRow({ name: 'ß' })])), 'latin1'), /no JSON/],
    'with stations as an object': [{ ...aGermanList(), stations: { 0: aGermanRow() } }, /no list of stations/],
    'without stations': [{ ok: true, status: 'ok' }, /no list of stations/],
    'with more stations than there can be': [aGermanList(Array(2_001).fill(1)), /more stations/],
    'of which no row is understood': [aGermanList([{}, 1]), /none of its 2 stations .*\(bad_postcode, no_object\)/],
    'nested deeper than any stack': ['['.repeat(400_000), /no JSON object/],
  };
  for (const [name, [sent, why]] of Object.entries(BODIES)) {
    test(name, async () => {
      upstream.answer = json(sent);
      assert.match(await failure(), why);
    });
  }

  test('for an error, a rate limit or a redirect, which is not followed', async () => {
    for (const status of [400, 403, 404, 429, 500, 502, 503, 504]) {
      upstream.answer = (_, response) => response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>no</h1>');
      assert.match(await failure(), new RegExp(`answered ${status}`));
    }
    upstream.answer = (_, response) =>
      response.writeHead(302, { location: `${upstream.url}/json/list.php?followed=1` }).end();
    assert.match(await failure(), /redirects are not followed/);
    assert.ok(!upstream.queries.some((query) => query.has('followed')));
    assert.equal(upstream.queries.length, 9, 'nothing is asked twice');
  });

  test('for an answer larger than 1 MB, on the wire or decompressed', async () => {
    upstream.answer = json(Buffer.alloc(1_000_001, ' '));
    assert.match(await failure(), /larger than 1 MB/);
    upstream.answer = json(gzipSync(Buffer.alloc(100_000_000)), { 'content-encoding': 'gzip' });
    assert.match(await failure(), /larger than 1 MB/);
  });

  test('for an answer truncated in its head, its body or its compression', async () => {
    upstream.answer = (request) => request.socket.destroy();
    assert.match(await failure(), /broken off/);
    upstream.answer = (request, response) => {
      response.writeHead(200, { 'content-length': 1_000 });
      response.write('{"ok":true,', () => request.socket.destroy());
    };
    assert.match(await failure(), /broken off/);
    const packed = gzipSync(JSON.stringify(aGermanList()));
    upstream.answer = json(packed.subarray(0, packed.length - 12), { 'content-encoding': 'gzip' });
    assert.match(await failure(), /broken off/);
  });

  test('within the deadline for silence, or a body that never ends', async () => {
    upstream.answer = () => undefined;
    assert.match(await failure(50.7), /no complete answer within 0.05 s/);
    upstream.answer = (_, response) => void response.writeHead(200).write('{"ok":');
    assert.match(await failure(50), /no complete answer within 0.05 s/);
  });

  test('when nothing listens at its address', async () => {
    const { url } = upstream;
    await upstream.close();
    const nobody = createTankerkoenig({ url, apiKey: KEY, userAgent: 'x', allowPrivate: true });
    assert.match(JSON.stringify(await nobody.ask(BERLIN, 4_000)), /connection was refused/);
    upstream = await GermanSourceDouble.start();
  });

  test('for a private address that no operator set, as a number or a name', async () => {
    for (const host of ['127.0.0.1', 'localhost']) {
      const url = upstream.url.replace('127.0.0.1', host);
      const guarded = createTankerkoenig({ url, apiKey: KEY, userAgent: 'x', allowPrivate: false });
      assert.match(JSON.stringify(await guarded.ask(BERLIN, 4_000)), /private one/);
      await guarded.close();
    }
    assert.equal(upstream.queries.length, 0);
  });

  test('without the key, and on one line, whatever the source sends', async () => {
    upstream.answer = json({
      ok: false,
      message: `apikey ${KEY} ${encodeURIComponent(KEY)}\r\nInjected: line ${'x'.repeat(1_000)}`,
    });
    const why = await failure();
    assert.doesNotMatch(why, /secret|[\r\n]/);
    assert.ok(why.length <= 200);
  });
});

import assert from 'node:assert/strict';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createJourneyPlanner } from '../../src/app/routing-service.ts';
import { loadGazetteer } from '../../src/geodata/load-gazetteer.ts';
import { createSite } from '../../src/site/pages/site.ts';
import { allowAll } from '../support/service/open-access.ts';
import { TestService } from '../support/service/test-service.ts';
import { world } from '../support/worlds/contract-world.ts';

let service: TestService;
before(async () => {
  service = await TestService.start({
    accessControl: allowAll(null),
    limits: { headersMs: 150, requestMs: 300, checkIntervalMs: 20, stallTimeoutMs: 400 },
    site: async (path) => {
      if (path !== '/later') return undefined;
      // Long enough for the client’s half-close to arrive first.
      for (let turns = 0; turns < 20; turns += 1) await setImmediate();
      return { status: 200, contentType: 'text/plain', body: Buffer.from('later') };
    },
  });
});
after(() => service.api.close());

function assertEnvelope(reply: string, status: number, cors = true) {
  const [head = '', body = ''] = reply.split('\r\n\r\n');
  assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `), reply.slice(0, 200));
  assert.match(head, /^Content-Type: application\/json; charset=utf-8$/m);
  assert.match(head, /^Cache-Control: no-store$/m);
  assert.match(head, /^Link: <https:\/\/creativecommons.*rel="license"$/m);
  assert.equal(/^Access-Control-Allow-Origin: \*$/m.test(head), cors);
  assert.match(head, new RegExp(`^Content-Length: ${Buffer.byteLength(body)}$`, 'm'));
  const json = JSON.parse(body);
  assert.deepEqual(Object.keys(json), ['status', 'message']);
  assert.equal(json.status, 'error');
}

const rest = 'Host: x\r\nConnection: close\r\n\r\n';

describe('malformed requests → 400', () => {
  const CASES: Readonly<Record<string, string | Buffer>> = {
    'not HTTP at all': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n',
    'a method nobody knows': `BREW /api/v1/preturi HTTP/1.1\r\n${rest}`,
    'no version': `GET /api/v1/preturi\r\n${rest}`,
    'another protocol': `GET /api/v1/preturi SPDY/3\r\n${rest}`,
    'a header without a colon': `GET /api/v1/preturi HTTP/1.1\r\nnonsense\r\n${rest}`,
    'a line feed inside a header': `GET /api/v1/preturi HTTP/1.1\r\nX: a\nb\r\n${rest}`,
    'two lengths': `POST /api/v1/preturi HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n${rest}`,
    'a length and chunks': `POST /api/v1/preturi HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n${rest}`,
    'a space in the path': `GET /api/v1/judete/Satu Mare HTTP/1.1\r\n${rest}`,
    'bytes above ASCII in the path': Buffer.from(`GET /api/v1/judete/Timiș HTTP/1.1\r\n${rest}`),
    'no Host': 'GET /api/v1/preturi HTTP/1.1\r\nConnection: close\r\n\r\n',
    'two Hosts': `GET /api/v1/preturi HTTP/1.1\r\nHost: x\r\n${rest}`,
    'two Hosts in HTTP/1.0': `GET /api/v1/preturi HTTP/1.0\r\nhost: x\r\n${rest}`,
    'two Hosts, posted': `POST /api/v1/review HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n${rest}`,
    'two Hosts for a page': `GET /docs HTTP/1.1\r\nHost: x\r\n${rest}`,
    'a Host with a space': `GET /api/v1/preturi HTTP/1.1\r\n${rest.replace('x', 'a b')}`,
    'a Host with markup': `GET /api/v1/preturi HTTP/1.1\r\n${rest.replace('x', 'a/<x>')}`,
    'a Host with a user': `GET /api/v1/preturi HTTP/1.1\r\n${rest.replace('x', 'me@x')}`,
    'a Host with an open bracket': `GET /api/v1/preturi HTTP/1.1\r\n${rest.replace('x', '[::1')}`,
    'a Host whose port is no number': `GET /api/v1/preturi HTTP/1.1\r\n${rest.replace('x', 'x:8o')}`,
    'a wrong Host beside an absolute target': `GET http://x/api/v1/preturi HTTP/1.1\r\n${rest.replace('x', 'a b')}`,
    CONNECT: `CONNECT example.org:443 HTTP/1.1\r\n${rest}`,
    'an undecodable path': `GET /api/v1/judete/%E0%A4 HTTP/1.1\r\n${rest}`,
    'an undecodable page': `GET /docs/%zz HTTP/1.1\r\n${rest}`,
  };
  for (const [name, bytes] of Object.entries(CASES)) {
    const cors = !/^(POST|BREW)/.test(bytes.toString());
    test(name, async () => assertEnvelope(await service.raw(bytes), 400, cors));
  }
});

describe('malformed requests for a route → 400 in the format of the route search', () => {
  const post = (target: string, more: string) => `POST ${target} HTTP/1.1\r\n${more}`;
  const path = '/api/v1/traseu/custom';
  const brokenBody = 'Host: x\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n';
  const CASES: Readonly<Record<string, string>> = {
    'broken chunks': post(path, brokenBody),
    'broken chunks after a read': `GET /later HTTP/1.1\r\nHost: x\r\n\r\n${post(path, brokenBody)}`,
    'broken chunks, with an absolute target': post('http://x/api/v1/traseu/%63ustom?x=1', brokenBody),
    'broken chunks, with a fragment': post(`${path}#x`, brokenBody),
    'no Host': post(path, 'Content-Length: 0\r\nConnection: close\r\n\r\n'),
    'two Hosts': post(path, `Host: x\r\nContent-Length: 0\r\n${rest}`),
    'a line break before': `\r\n${post(path, `nonsense\r\n${rest}`)}`,
    'another version': `POST ${path} HTTP/1.2\r\n${rest}`,
    'a header without a colon': post(path, `nonsense\r\n${rest}`),
    'two lengths': post(path, `Content-Length: 1\r\nContent-Length: 2\r\n${rest}`),
    'a length and chunks': post(path, `Content-Length: 5\r\nTransfer-Encoding: chunked\r\n${rest}`),
  };
  for (const [name, bytes] of Object.entries(CASES))
    test(name, async () => {
      const [head = '', body = ''] = (await service.raw(bytes)).split('\r\n\r\n').slice(-2);
      assert.match(head, /HTTP\/1\.1 400 .*^Cache-Control: no-store$.*rel="license"$/ms);
      assert.doesNotMatch(head, /Access-Control/);
      assert.match(head, new RegExp(`^Content-Length: ${Buffer.byteLength(body)}$`, 'm'));
      const { ok, msg, ...more } = JSON.parse(body);
      assert.deepEqual([ok, typeof msg, more], [false, 'string', {}]);
    });

  test('not for another method or endpoint, nor a body that is late', async () => {
    assertEnvelope(await service.raw(post('/api/v1/review', brokenBody)), 400, false);
    assertEnvelope(await service.raw(`GET ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`), 400);
    assertEnvelope(await service.raw(post(path, 'Host: x\r\nContent-Length: 9\r\n\r\n')), 408, false);
  });

  test('not for what follows a whole one', async () => {
    const whole = post(path, 'Host: x\r\nContent-Length: 2\r\n\r\n{}');
    for (const [after, cors] of [
      ['BREW / HTTP/1.1\r\n\r\n', true],
      [post('/api/v1/review', brokenBody), false],
    ] as const) {
      const second = (await service.raw(whole + after)).split(/(?=HTTP\/1\.1 )/)[1] ?? '';
      assertEnvelope(second, 400, cors);
    }
  });
});

test('every form of a Host is accepted', async () => {
  for (const host of [
    'x',
    'x:80',
    'x:',
    '',
    '127.0.0.1:8080',
    '[::1]:8080',
    '[v1.a:b]',
    'a_b.example',
    'caf%C3%A9.ro',
  ]) {
    for (const connection of ['close', 'close, x']) {
      const reply = await service.raw(
        `GET /api/v1/preturi HTTP/1.1\r\nHost: ${host}\r\nConnection: ${connection}\r\n\r\n`,
      );
      assert.match(reply, /^HTTP\/1\.1 200 /, host);
    }
  }
});

describe('a request that asks for another protocol', () => {
  const upgrade = (line: string, more = '') =>
    `${line} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${more}\r\n`;
  const next = 'GET /api/v1/nu-exista HTTP/1.1\r\nHost: x\r\n\r\n';
  const CASES = {
    'a fast read': [upgrade('GET /api/v1/retele'), 200],
    'a page': [upgrade('GET /nicaieri'), 404],
    'HTTP/2': [upgrade('GET /api/v1/retele', 'HTTP2-Settings: x\r\n').replace('websocket', 'h2c'), 200],
    'a POST with a body': [upgrade('POST /api/v1/review', 'Content-Length: 2\r\n').concat('{}'), 415],
    'without Connection': [upgrade('GET /api/v1/retele').replace('Connection: Upgrade\r\n', ''), 200],
  } as const;
  for (const [name, [request, status]] of Object.entries(CASES)) {
    test(`is answered, and its connection closes: no answer is taken for another request's (${name})`, async () => {
      for (const before of ['', 'GET /api/v1/retele HTTP/1.1\r\nHost: x\r\n\r\n']) {
        const reply = await service.raw(`${before}${request}${next}${next}`);
        const heads = reply.match(/HTTP\/1\.1 \d{3} [\s\S]*?\r\n\r\n/g) ?? [];
        assert.deepEqual(
          heads.map((head) => Number(head.slice(9, 12))),
          before === '' ? [status] : [200, status],
        );
        assert.match(heads.at(-1) ?? '', /\r\nConnection: close\r\n/);
      }
    });
  }

  test('also when the bytes after it come later', async () => {
    const socket = net.connect(service.port, '127.0.0.1');
    const received = text(socket);
    socket.on('error', () => undefined).write(upgrade('GET /api/v1/retele'));
    await new Promise((resolve) => socket.once('close', resolve));
    assert.equal((await received).match(/HTTP\/1\.1 /g)?.length, 1);
  });
});

test('the 404 page has the headers of every other page', async () => {
  const pages = await TestService.start({
    site: createSite({
      gazetteer: loadGazetteer(),
      journeys: createJourneyPlanner(loadGazetteer()),
      publicUrl: () => 'http://x',
      simulated: false,
      snapshot: world,
      api: () => service.api.description,
    }),
  });
  const [home, missing, posted] = await Promise.all([
    pages.ask('/'),
    pages.ask('/nicaieri'),
    pages.ask('/nicaieri', { method: 'POST' }),
  ]);
  await pages.api.close();
  assert.deepEqual([home.status, missing.status, posted.status], [200, 404, 404]);
  for (const { headers } of [missing, posted]) {
    const { etag, ...ofPage } = home.headers;
    assert.ok(etag);
    assert.deepEqual(Object.keys(headers).sort(), Object.keys(ofPage).sort());
    for (const name of ['x-frame-options', 'cache-control', 'referrer-policy', 'x-content-type-options'])
      assert.equal(headers[name], home.headers[name]);
    assert.match(String(headers['content-security-policy']), /^default-src 'none'; .*frame-ancestors 'none'(;|$)/);
  }
});

describe('oversized requests → 414, 431', () => {
  test('a path or query of more than 8,000 bytes, whatever its endpoint', async () => {
    for (const target of [
      `/api/v1/preturi?x=${'y'.repeat(8_000)}`,
      `/${'z'.repeat(9_000)}`,
      `/api/v1/statii?brand=${'q'.repeat(20_000)}`,
    ]) {
      assertEnvelope(await service.raw(`GET ${target} HTTP/1.1\r\n${rest}`), 414);
    }
    assert.equal((await service.ask(`/api/v1/preturi?x=${'y'.repeat(7_900)}`)).status, 200);
  });

  test('no page of another origin may read the refusal of a key’s endpoint or of a POST', async () => {
    const long = 'y'.repeat(9_000);
    for (const target of ['/api/v1/cheie', 'http://x/api/v1/cheie', '/api/v1/%63heie', '/api/v1/cheie#x'])
      assertEnvelope(await service.raw(`GET ${target}?x=${long} HTTP/1.1\r\n${rest}`), 414, false);
    assertEnvelope(await service.raw(`POST /api/v1/review?x=${long} HTTP/1.1\r\n${rest}`), 414, false);
    for (const line of ['GET /api/v1/cheie', 'POST /api/v1/review'])
      assertEnvelope(await service.raw(`${line} HTTP/1.1\r\nX: ${long}${long}\r\n${rest}`), 431, false);
    assertEnvelope(await service.raw('GET /api/v1/cheie HTTP/1.1\r\nConnection: close\r\n\r\n'), 400, false);
  });

  test('headers of more than 16 KiB', async () => {
    assertEnvelope(await service.raw(`GET /api/v1/preturi HTTP/1.1\r\nX: ${'y'.repeat(20_000)}\r\n${rest}`), 431);
  });
});

describe('slow clients', () => {
  test('that never end their headers get 408 and are disconnected', async () => {
    assertEnvelope(await service.raw('GET /api/v1/preturi HTTP/1.1\r\nHost: x\r\nX-Slow: '), 408);
  });

  test('have less time for the headers than for the whole request', { timeout: 120_000 }, async (t) => {
    const patient = await TestService.during(t, {
      limits: { headersMs: 150, requestMs: 600_000, checkIntervalMs: 20 },
    });
    assertEnvelope(await patient.raw('GET /api/v1/preturi HTTP/1.1\r\nHost: x\r\nX-Slow: '), 408);
  });

  test('that send nothing get 408', async () => {
    assertEnvelope(await service.raw(''), 408);
  });

  test('that never send the body do not hold the connection', async () => {
    const reply = await service.raw('POST /api/v1/preturi HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nx');
    assert.match(reply, /^HTTP\/1\.1 405 /);
  });

  for (const [name, body] of [
    ['that ends too early', 'Content-Length: 50\r\n\r\n{'],
    ['in broken chunks', 'Transfer-Encoding: chunked\r\n\r\nnonsense\r\n'],
  ])
    test(`a posted body ${name}: refused, and no page of another origin may read it`, async () => {
      const head = 'POST /api/v1/traseu/custom HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
      const reply = await service.raw(`${head}${body}`);
      assert.match(reply, /^HTTP\/1\.1 40[08] .*rel="license".*\r\n\r\n\{"(status|ok)":/s);
      assert.doesNotMatch(reply, /Access-Control/);
    });

  test('that request and never read are disconnected', { timeout: 120_000 }, async () => {
    const socket = net.connect(service.port, '127.0.0.1');
    socket.pause();
    socket.on('error', () => undefined);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const request = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n';
    for (let count = 0; count < 300; count += 1) socket.write(request);
    // A client that does not read notices the close only when it writes.
    const poke = setInterval(() => socket.write('\r\n'), 50);
    await closed;
    clearInterval(poke);
  });

  test('do not delay other clients', async () => {
    const slow = Array.from({ length: 20 }, () => service.raw('GET / HTTP/1.1\r\nX: '));
    assert.equal((await service.ask('/api/v1/preturi')).status, 200);
    await Promise.all(slow);
  });
});

describe('unusual but well-formed requests', () => {
  test('pipelined requests are answered in order', async () => {
    const one = (path: string, connection: string) =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\n\r\n`;
    const reply = await service.raw(
      one('/api/v1/health', 'keep-alive') +
        one('/api/v1/geocode?q=cluj', 'keep-alive') +
        one('/api/v1/preturi', 'close'),
    );
    assert.match(reply, /vechime_secunde[\s\S]*Cluj-Napoca[\s\S]*rezultate/);
  });

  test('a body on a GET is ignored', async () => {
    const reply = await service.raw(
      `GET /api/v1/retele?x HTTP/1.1\r\nContent-Type: text/xml\r\nContent-Length: 3\r\n${rest}<x>`,
    );
    assert.match(reply, /^HTTP\/1\.1 200 /);
  });

  test('HTTP/1.0 without Host', async () => {
    assert.match(await service.raw('GET /api/v1/retele HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 [\s\S]*"retele"/);
  });

  test('an unknown expectation and an upgrade are ignored', async () => {
    assert.match(await service.raw(`GET /api/v1/retele HTTP/1.1\r\nExpect: coffee\r\n${rest}`), /^HTTP\/1\.1 200 /);
    const upgrade = 'Host: x\r\nConnection: upgrade, close\r\nUpgrade: websocket\r\n\r\n';
    assert.match(await service.raw(`GET /api/v1/retele HTTP/1.1\r\n${upgrade}`), /^HTTP\/1\.1 200 /);
  });

  test('a malformed request after a good one on the same connection does not affect the first answer', async () => {
    const socket = net.connect(service.port, '127.0.0.1');
    socket.write('GET /api/v1/retele HTTP/1.1\r\nHost: x\r\n\r\n');
    socket.once('data', () => socket.write('BREW / HTTP/1.1\r\n\r\n'));
    assert.match(await text(socket), /^HTTP\/1\.1 200 [\s\S]*"preturi_lipsa":"null"\}HTTP\/1\.1 400 /);
  });

  test('good requests before a malformed one, all in one packet, are answered before it', async () => {
    const good = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
    for (const bad of ['BREW / HTTP/1.1\r\n\r\n', 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n']) {
      const reply = await service.raw(good('/later') + good('/api/v1/retele') + good('/later') + bad);
      assert.deepEqual(statusesIn(reply), [200, 200, 200, 400], bad);
    }
  });

  test('a request with `Connection: close` and bytes after it gets exactly one answer', async () => {
    for (const path of ['/later', '/api/v1/retele']) {
      const reply = await service.raw(`GET ${path} HTTP/1.1\r\n${rest}GET /api/v1/health HTTP/1.1\r\n${rest}`);
      assert.deepEqual(statusesIn(reply), [200], path);
    }
  });

  test('a request answered before its body is not answered again if the body turns out malformed', async () => {
    const post = 'POST /api/v1/preturi HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
    assert.deepEqual(statusesIn(await service.raw(`${post}nonsense\r\n`)), [405]);
    assert.deepEqual(statusesIn(await service.raw(`${post}5\r\nab`)), [405]);
  });

  test('a client that half-closes after its request still gets the answer, even a slow one', async () => {
    for (const path of ['/later', '/api/v1/retele']) {
      const socket = net.connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true });
      socket.end(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      assert.match(await text(socket), /^HTTP\/1\.1 200 /, path);
    }
  });
});

const statusesIn = (reply: string) => [...reply.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

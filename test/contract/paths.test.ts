import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { TestService } from '../support/service/test-service.ts';
import { TURZII } from '../support/worlds/contract-world.ts';

const PATHS = [
  '/api/v1/preturi',
  '/api/v1/preturi/minime',
  '/api/v1/judete/CJ',
  '/api/v1/retele',
  '/api/v1/statii',
  `/api/v1/statie/${TURZII}/istoric`,
  '/api/v1/geocode',
  '/api/v1/health',
  '/openapi.json',
  '/api/v1/openapi.json',
];
const TAKING_KEYS = PATHS.filter((path) => !/minime|health|openapi/.test(path));

let service: TestService;
before(async () => {
  service = await TestService.start({
    site: (path, query) =>
      path === '/docs'
        ? {
            status: 200,
            contentType: 'text/html; charset=utf-8',
            body: Buffer.from(`<p>${query.get('x') ?? ''}</p>`.padEnd(2_000)),
            headers: { 'Cache-Control': 'public, max-age=60' },
          }
        : undefined,
  });
});
after(() => service.api.close());

describe('HEAD → 200', () => {
  test('the headers of GET, including the length, without the body', async () => {
    for (const path of [...PATHS, '/docs']) {
      const headers = { 'Accept-Encoding': 'gzip' };
      const got = await service.ask(path, { headers });
      const head = await service.ask(path, { method: 'HEAD', headers });
      assert.deepEqual([head.status, head.raw.length], [200, 0], path);
      assert.deepEqual({ ...head.headers, date: '' }, { ...got.headers, date: '' }, path);
      assert.equal(head.headers['content-length'], String(got.raw.length), path);
    }
  });
});

describe('OPTIONS → 204', () => {
  test('the CORS headers; a key is not among the allowed headers', async () => {
    for (const path of PATHS) {
      const { status, headers, raw } = await service.ask(path, {
        method: 'OPTIONS',
        headers: { Origin: 'https://example.org', 'Access-Control-Request-Method': 'GET', 'X-Api-Key': 'x' },
      });
      assert.deepEqual([status, raw.length], [204, 0], path);
      assert.equal(headers['access-control-allow-methods'], 'GET, HEAD, OPTIONS');
      assert.doesNotMatch(String(headers['access-control-allow-headers']), /api-key|\*/i);
      const exposed = 'Link Pompa-Total Retry-After X-RateLimit-Limit X-RateLimit-Remaining X-RateLimit-Reset';
      for (const name of exposed.split(' ')) {
        assert.match(String(headers['access-control-expose-headers']), new RegExp(name));
      }
    }
  });
});

describe('→ 405', () => {
  test('any other method, with `Allow`, before reading the body and before checking a key', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY', 'PURGE', 'MKCOL']) {
      for (const path of PATHS) {
        const headers = { 'Content-Type': 'text/xml', 'Content-Length': 2, 'X-Api-Key': 'nonsense' };
        const { status, headers: sent } = await service.ask(path, {
          method,
          headers,
          body: '<x',
        });
        assert.deepEqual([status, sent.allow], [405, 'GET, HEAD, OPTIONS'], `${method} ${path}`);
      }
    }
  });

  test('also on pages', async () => {
    const { status, headers } = await service.ask('/docs', { method: 'POST' });
    assert.deepEqual([status, headers.allow], [405, 'GET, HEAD']);
  });
});

describe('→ 404', () => {
  test('a path under /api/ that does not exist, for any method, with or without a key', async () => {
    for (const path of [
      '/api',
      '/api/',
      '/api/v1',
      '/api/v1/',
      '/api/v2/preturi',
      '/api/v1/Preturi',
      '/api//v1/preturi',
      '/api/v1/cheia?x=1',
    ]) {
      for (const method of ['GET', 'POST', 'DELETE', 'PROPFIND', 'OPTIONS']) {
        const headers = { 'Content-Type': 'text/xml', 'Content-Length': 2, 'X-Api-Key': 'nonsense' };
        const { status, json } = await service.ask(path, { method, headers, body: '<x' });
        assert.equal(status, 404, `${method} ${path}`);
        assert.deepEqual(Object.keys(json), ['status', 'message', 'message_en', 'docs']);
        assert.equal(json.docs, `http://127.0.0.1:${service.port}/docs`);
      }
    }
  });

  test('percent-encoded letters mean the same path', async () => {
    for (const [path, status] of [
      ['/%61pi/v1/nope', 404],
      ['/a%70i', 404],
      ['/api/%70returi', 410],
      ['/%61pi/v1/%72etele', 200],
      ['/api%2Fv1/retele', 404],
    ] as const) {
      const reply = await service.raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      const isPage = path.includes('%2F');
      assert.match(
        reply,
        new RegExp(`^HTTP/1\\.1 ${status} [^]*Content-Type: ${isPage ? 'text/html' : 'application/json'}`),
        path,
      );
    }
    assert.equal((await service.ask('/%64ocs')).status, 200);
    assert.equal((await service.ask('/nope#%zz')).status, 404);
  });

  test('a trailing slash makes another path', async () => {
    for (const path of PATHS.filter((each) => each.startsWith('/api'))) {
      assert.ok((await service.ask(`${path}/`)).json.docs, path);
    }
  });

  test('a page, not JSON, outside /api/', async () => {
    for (const path of ['/', '/nope', '/apis', '/openapi.json/', '/API/v1/preturi', '*']) {
      const { status, headers } = await service.ask(path);
      assert.deepEqual([status, headers['content-type']], [404, 'text/html; charset=utf-8'], path);
    }
  });
});

describe('→ 410', () => {
  test('the paths without a version, in the format of a 404', async () => {
    for (const path of ['/api/preturi', '/api/statii', '/api/retele']) {
      for (const target of [path, `${path}?judet=CJ`]) {
        const { status, json } = await service.ask(target, { headers: { 'X-Api-Key': 'x' } });
        assert.deepEqual([status, Object.keys(json)], [410, ['status', 'message', 'message_en', 'docs']]);
        assert.match(json.message_en, new RegExp(path.replace('/api', '/api/v1')));
      }
      assert.equal((await service.ask(`${path}/`)).status, 404);
    }
  });
});

describe('→ 401', () => {
  test('a key that is invalid, empty or sent twice, on every endpoint that takes keys', async () => {
    for (const path of TAKING_KEYS) {
      for (const key of ['nonsense', '', '  ', ['', ''], ['a', 'b']]) {
        const { status, json } = await service.ask(path, { headers: { 'X-Api-Key': key } });
        assert.deepEqual([status, Object.keys(json)], [401, ['status', 'message']], path);
      }
    }
  });

  test('after the path is checked, and before the parameters', async () => {
    const headers = { 'X-Api-Key': 'nonsense' };
    assert.equal((await service.ask('/api/v1/statii?tip=diesel', { headers })).status, 401);
    assert.equal((await service.ask('/api/v1/judete/Atlantida', { headers })).status, 401);
    assert.equal((await service.ask('/api/v1/preturi?judet=%zz', { headers })).status, 401);
    assert.equal((await service.ask('/api/v1/nope', { headers })).status, 404);
  });

  test('never on other endpoints, nor for other headers', async () => {
    for (const path of PATHS.filter((each) => !TAKING_KEYS.includes(each))) {
      assert.equal((await service.ask(path, { headers: { 'X-Api-Key': 'x' } })).status, 200, path);
    }
    assert.equal((await service.ask('/api/v1/preturi', { headers: { Authorization: 'Bearer x' } })).status, 200);
  });
});

describe('pages', () => {
  test('receive the path and the query, and are sent unchanged', async () => {
    const headers = { 'Accept-Encoding': 'br' };
    const { status, text, headers: sent } = await service.ask('/docs?x=a+b', { headers });
    assert.deepEqual([status, text.trim()], [200, '<p>a b</p>']);
    assert.deepEqual([sent['content-encoding'], sent['cache-control']], ['br', 'public, max-age=60']);
  });
});

describe('a request target with the scheme and host in it', () => {
  test('means its path', async () => {
    const reply = await service.raw(
      'GET http://pompa.example/api/v1/preturi?judet=CJ HTTP/1.1\r\nHost: pompa.example\r\nConnection: close\r\n\r\n',
    );
    assert.match(reply, /^HTTP\/1\.1 200 [\s\S]*"retele"/);
  });
});

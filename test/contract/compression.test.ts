import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { manyRecords } from '../support/builders/snapshot-builders.ts';
import { TestService } from '../support/service/test-service.ts';
import { TURZII, world } from '../support/worlds/contract-world.ts';

let service: TestService;
before(async () => {
  service = await TestService.start({ snapshot: world({ records: manyRecords(700) }) });
});
after(() => service.api.close());

const PRERENDERED_PATHS = ['/api/v1/preturi', '/api/v1/preturi/minime', '/api/v1/retele', '/api/v1/statii'];
const GEO = '/api/v1/statii?lat=44.4268&lon=26.1025&raza=20';

describe('Accept-Encoding', () => {
  const CASES: readonly [accepted: string | undefined, coding: string | undefined][] = [
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['GZip', 'gzip'],
    ['br', 'br'],
    ['zstd', 'zstd'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, zstd', 'zstd'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['br;q=0, gzip;q=0.001', 'gzip'],
    ['gzip;q=0.5, identity', undefined],
    ['gzip;q=0.5, identity;q=0.4', 'gzip'],
    ['*', 'br'],
    ['*;q=0.1, br;q=0', 'zstd'],
    ['*;q=0, gzip', 'gzip'],
    ['identity;q=0, *', 'br'],
    ['identity;q=0, gzip', 'gzip'],
    ['gzip;q=0', undefined],
    ['deflate', undefined],
    ['*;q=0', undefined],
    ['identity;q=0', undefined],
    ['gzip ; q=1', 'gzip'],
    ['gzip;q=1.001, br;q=x', undefined],
    [',,gzip,', 'gzip'],
    ['br;q=0.5,gzip;q=0.5', 'br'],
  ];
  for (const [accepted, coding] of CASES) {
    test(`${accepted} → ${coding ?? 'identity'}`, async () => {
      const plain = await service.ask(PRERENDERED_PATHS[0] as string);
      for (const path of [...PRERENDERED_PATHS, `${PRERENDERED_PATHS[0]}?x`, GEO, '/openapi.json']) {
        const headers = accepted === undefined ? {} : { 'Accept-Encoding': accepted };
        const reply = await service.ask(path, { headers });
        assert.equal(reply.headers['content-encoding'], coding, path);
        assert.equal(reply.headers.vary, 'Accept-Encoding');
        assert.equal(reply.headers['content-length'], String(reply.raw.length));
        if (path === PRERENDERED_PATHS[0]) assert.equal(reply.text, plain.text);
      }
    });
  }

  test('sends a tiny answer made for one request uncompressed, unless identity is refused', async () => {
    const path = '/api/v1/health';
    assert.equal(
      (await service.ask(path, { headers: { 'Accept-Encoding': 'br' } })).headers['content-encoding'],
      undefined,
    );
    const strict = await service.ask(path, { headers: { 'Accept-Encoding': 'br, identity;q=0' } });
    assert.equal(strict.headers['content-encoding'], 'br');
  });

  test('makes answers smaller', async () => {
    for (const path of [GEO, '/api/v1/statii', `/api/v1/statie/${TURZII}/istoric`]) {
      const plain = await service.ask(path);
      for (const coding of ['br', 'zstd', 'gzip']) {
        const { raw, text } = await service.ask(path, { headers: { 'Accept-Encoding': coding } });
        assert.equal(text, plain.text);
        assert.ok(raw.length <= plain.raw.length, `${path} ${coding}`);
      }
    }
  });
});

describe('prerendered answers and routed ones', () => {
  test('have the same headers and bytes, in every coding, for GET and HEAD', async () => {
    for (const path of PRERENDERED_PATHS) {
      for (const method of ['GET', 'HEAD']) {
        for (const coding of ['identity', 'gzip', 'zstd', 'br']) {
          const headers = { 'Accept-Encoding': coding };
          const prerendered = await service.ask(path, { method, headers });
          const routed = await service.ask(`${path}?`, { method, headers });
          assert.deepEqual(
            { ...prerendered.headers, date: '' },
            { ...routed.headers, date: '' },
            `${method} ${path} ${coding}`,
          );
          assert.ok(prerendered.raw.equals(routed.raw));
        }
      }
    }
  });
});

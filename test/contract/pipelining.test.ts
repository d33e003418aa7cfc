/** Requests that do not wait for earlier answers, and connections beyond the limit. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, type TestContext, test } from 'node:test';
import type { ConnectionLimits } from '../../src/api/http/connection/connection-limits.ts';
import { loadGazetteer } from '../../src/geodata/load-gazetteer.ts';
import { allowAll } from '../support/service/open-access.ts';
import { TestService } from '../support/service/test-service.ts';

const rawGet = (path: string, method = 'GET') => `${method} ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const search = (count: number) =>
  Array.from({ length: count }, (_, i) => rawGet(`/api/v1/geocode?q=place${i}`)).join('');
const statuses = (reply: string) => [...reply.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));

/** A service that records searched places, and whose pages wait for `released`. */
async function startObserved(t: TestContext, limits: Partial<ConnectionLimits> = {}) {
  const searches: string[] = [];
  const released = Promise.withResolvers<void>();
  const requested = Promise.withResolvers<void>();
  const service = await TestService.during(t, {
    accessControl: allowAll(null),
    limits,
    gazetteer: { ...loadGazetteer(), search: (wanted) => searches.splice(searches.length, 0, wanted) },
    site: async () => {
      requested.resolve();
      await released.promise;
      return { status: 200, contentType: 'text/plain', body: Buffer.from('page') };
    },
  });
  return { service, searches, released, requested };
}

describe('pipelined requests', () => {
  test('are processed one after the other, once the earlier answers have been sent', async (t) => {
    const { service, searches, released, requested } = await startObserved(t);
    const socket = net.connect(service.port, '127.0.0.1');
    socket.write(rawGet('/docs') + search(3));
    await requested.promise;
    assert.equal((await service.ask('/api/v1/retele')).status, 200);
    assert.deepEqual(searches, []);
    released.resolve();
    socket.write('GET /api/v1/retele HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    assert.deepEqual(statuses(await text(socket)), [200, 200, 200, 200, 200]);
    assert.deepEqual(searches, ['place0', 'place1', 'place2']);
  });

  test('alternate with other clients’ requests', async (t) => {
    const { service, searches } = await startObserved(t);
    const socket = net.connect(service.port, '127.0.0.1');
    socket.resume();
    socket.write(search(1_000));
    while (searches.length === 0) await new Promise(setImmediate);
    assert.equal((await service.ask('/api/v1/geocode?q=other')).status, 200);
    assert.ok(searches.indexOf('other') < 900, `came after ${searches.indexOf('other')}`);
    socket.destroy();
  });

  test('are all answered in order, even thousands of them', async (t) => {
    const { service, searches } = await startObserved(t, { requestMs: 600_000, headersMs: 600_000 });
    const socket = net.connect(service.port, '127.0.0.1');
    socket.write(`${search(10_000)}GET /api/v1/retele HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    const reply = await text(socket);
    assert.equal(statuses(reply).filter((status) => status === 200).length, 10_001);
    assert.deepEqual(searches[9_999], 'place9999');
    assert.match(reply, /"retele"[^\n]*$/);
  });

  test('are answered, as is a malformed one behind them, even if the client half-closes first', async (t) => {
    const { service, released, requested } = await startObserved(t);
    const socket = net.connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.end(`${rawGet('/docs')}no request\r\n\r\n`);
    await requested.promise;
    // The answer on another connection shows that the service has already read the end of this one.
    await service.ask('/api/v1/retele');
    released.resolve();
    assert.deepEqual(statuses(await text(socket)), [200, 400]);
  });

  test('are answered before a malformed one behind them, which is refused as malformed and not as late', async (t) => {
    const { service, released, requested } = await startObserved(t, {
      headersMs: 200,
      requestMs: 200,
      checkIntervalMs: 20,
    });
    const socket = net.connect(service.port, '127.0.0.1');
    socket.write(`${rawGet('/docs')}\x00\x01no request`);
    await requested.promise;
    // Half a request that arrives later would be refused as late, and by then so would the first one.
    assert.deepEqual(statuses(await service.raw('GET /half HTTP/1.1\r\nHost: x\r\n')), [408]);
    released.resolve();
    assert.deepEqual(statuses(await text(socket)), [200, 400]);
  });

  test('are not processed while the client reads no answers', async (t) => {
    const { service, searches } = await startObserved(t, { stallTimeoutMs: 300 });
    const socket = net.connect(service.port, '127.0.0.1');
    socket.pause().on('error', () => undefined);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(rawGet('/openapi.json').repeat(300) + search(20));
    // A client that does not read notices the close only when it writes.
    const poke = setInterval(() => socket.write('\r\n'), 20);
    await closed;
    clearInterval(poke);
    assert.deepEqual(searches, []);
  });

  test('are answered although the client has half-closed', async (t) => {
    for (const requests of [[rawGet('/docs')], [rawGet('/docs'), search(2), rawGet('/docs')]]) {
      const { service, released, requested } = await startObserved(t);
      const socket = net.connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true });
      socket.end(requests.join(''));
      await requested.promise;
      // The answer shows that the service has read the end, which was sent first.
      await service.ask('/api/v1/retele');
      released.resolve();
      assert.deepEqual(statuses(await text(socket)), requests.length === 1 ? [200] : [200, 200, 200, 200]);
    }
  });

  test('are answered up to a malformed one, which is refused', async (t) => {
    const { service, released, requested } = await startObserved(t);
    for (const broken of ['BREW / HTTP/1.1\r\n\r\n', rawGet('example.org:443', 'CONNECT'), '\x16\x03\x01']) {
      const socket = net.connect(service.port, '127.0.0.1');
      socket.write(rawGet('/docs') + search(3) + broken);
      await requested.promise;
      released.resolve();
      assert.deepEqual(statuses(await text(socket)), [200, 200, 200, 200, 400]);
    }
  });

  test('beyond the limit of waiting requests end only their own connection', async (t) => {
    const { service, released, requested } = await startObserved(t, { pipelinedRequests: 100 });
    const many = net.connect(service.port, '127.0.0.1');
    const few = net.connect(service.port, '127.0.0.1');
    many.on('error', () => undefined).resume();
    many.write(rawGet('/docs') + search(1_000));
    few.write(rawGet('/docs') + search(10));
    await once(many, 'close');
    await requested.promise;
    released.resolve();
    few.write('GET /api/v1/retele HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    assert.equal(statuses(await text(few)).length, 12);
    assert.equal((await service.ask('/api/v1/retele')).status, 200);
  });
});

test('the service does not read a chunked body endlessly once the request is answered', async (t) => {
  const { service } = await startObserved(t);
  const pieces = (count: number) => '1\r\nx\r\n'.repeat(count);
  const next = '0\r\n\r\nGET /api/v1/retele HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  for (const path of ['/api/v1/retele', '/api/v1/nu-exista']) {
    for (const [count, further] of [
      [100, 1],
      [20_000, 0],
    ] as const) {
      const socket = net.connect(service.port, '127.0.0.1');
      let reply = '';
      socket.on('data', (part) => {
        reply += part;
      });
      const gone = new Promise((resolve) => socket.once('close', resolve));
      socket.on('error', () => undefined);
      socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${pieces(1)}`);
      await once(socket, 'data');
      socket.write(pieces(count) + next);
      await gone;
      assert.equal(statuses(reply).length, 1 + further, `${count} pieces to ${path}`);
    }
  }
});

test('new connections beyond the limit close idle ones first', async (t) => {
  const { service } = await startObserved(t, { connections: 5 });
  const idle = Array.from({ length: 5 }, () => net.connect(service.port, '127.0.0.1'));
  for (const socket of idle) {
    socket.write(rawGet('/api/v1/retele'));
    await once(socket, 'data');
  }
  const closed = Promise.all(idle.map((socket) => once(socket, 'close')));
  await assert.rejects(service.ask('/api/v1/retele'), /ECONNRESET|socket hang up/);
  await closed;
  assert.equal((await service.ask('/api/v1/retele')).status, 200);
});

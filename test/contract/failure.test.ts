import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { createApi } from '../../src/api/http/server.ts';
import { createJourneys } from '../../src/app/routing-service.ts';
import { loadGazetteer } from '../../src/geodata/load-gazetteer.ts';
import { accessWithoutDatabase } from '../support/service/access.ts';
import { NO_PUSH } from '../support/service/no-push.ts';
import { allowAll, SOME_KEY } from '../support/service/open-access.ts';
import { NO_REVIEWS } from '../support/service/review-service.ts';
import { Service } from '../support/service/service.ts';
import { NO_GERMANY } from '../support/simulators/german-source.ts';
import { world } from '../support/worlds/contract-world.ts';

describe('→ 500', () => {
  test('an internal error is logged once with an id, and its text never reaches the client', async (t) => {
    const logged: Readonly<Record<string, unknown>>[] = [];
    const service = await Service.during(t, {
      snapshot: world({}),
      gazetteer: {
        ...loadGazetteer(),
        search: () => {
          throw new Error('password=secret');
        },
      },
      log: { error: (fields) => logged.push(fields), warn: () => undefined },
    });
    const { status, text: told, json } = await service.ask('/api/v1/geocode?q=cluj');
    assert.equal(status, 500);
    assert.doesNotMatch(told, /secret|at .*\.ts/);
    assert.equal(logged.length, 1);
    assert.match(json.message, new RegExp(String(logged[0]?.id)));
    assert.equal(logged[0]?.path, '/api/v1/geocode', 'the query is not logged');
  });

  test('answers about a key are readable by no page of another origin, internal errors included', async (t) => {
    const accessControl = allowAll(SOME_KEY);
    const service = await Service.during(t, { accessControl, keyReport: () => Promise.reject(new Error('secret')) });
    const { status, headers } = await service.ask('/api/v1/cheie');
    assert.deepEqual([status, headers['access-control-allow-origin']], [500, undefined]);
  });

  test('a page whose rendering fails is answered in the same way', async (t) => {
    const service = await Service.during(t, { site: () => Promise.reject(new Error('secret')) });
    const { status, text: told } = await service.ask('/docs');
    assert.equal(status, 500);
    assert.doesNotMatch(told, /secret/);
  });
});

describe('listening', () => {
  test('on an address in use fails with a sentence that names the setting', async (t) => {
    const service = await Service.during(t);
    const second = await createApi({
      snapshot: world(),
      gazetteer: loadGazetteer(),
      publicUrl: () => 'http://x',
      accessControl: accessWithoutDatabase(),
      keyReport: () => Promise.resolve(null),
      push: NO_PUSH,
      germany: NO_GERMANY,
      journeys: createJourneys(loadGazetteer()),
      reviews: NO_REVIEWS,
      site: () => undefined,
      log: { error: () => undefined, warn: () => undefined },
      clock: () => 0,
    });
    t.after(() => second.close());
    await assert.rejects(
      second.listen({ host: '127.0.0.1', port: service.port }),
      /cannot listen on 127\.0\.0\.1:\d+: .*set PORT/,
    );
  });
});

describe('stopping', () => {
  test('closes idle and silent connections at once', async (t) => {
    const service = await Service.during(t);
    const idleSocket = net.connect(service.port, '127.0.0.1');
    await once(idleSocket, 'connect');
    const agent = new http.Agent({ keepAlive: true });
    const request = http.get({ port: service.port, path: '/api/v1/retele', agent });
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    await text(response);
    const started = performance.now();
    await Promise.all([service.api.close(), once(idleSocket, 'close')]);
    assert.ok(performance.now() - started < 1_000);
    agent.destroy();
  });

  test('finishes a request in progress, closes its connection, and accepts nothing new', async (t) => {
    const released = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const service = await Service.during(t, {
      site: async () => {
        asked.resolve();
        await released.promise;
        return { status: 200, contentType: 'text/plain', body: Buffer.from('done') };
      },
    });
    const agent = new http.Agent({ keepAlive: true });
    const request = http.get({ port: service.port, path: '/slow', agent });
    await asked.promise;
    const closed = service.api.close();
    await assert.rejects(service.ask('/api/v1/retele'), /ECONNREFUSED/);
    const started = performance.now();
    released.resolve();
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    assert.deepEqual([response.statusCode, await text(response)], [200, 'done']);
    await closed;
    assert.ok(performance.now() - started < 2_000, 'the kept-alive connection does not delay the stop');
    agent.destroy();
  });

  test('sends an answer to a slow client to its end', async (t) => {
    const body = Buffer.alloc(40_000_000, 'x');
    const site = () => ({ status: 200, contentType: 'text/plain', body, headers: {} });
    const service = await Service.during(t, { site });
    const [slow, idle] = [net.connect(service.port, '127.0.0.1'), net.connect(service.port, '127.0.0.1')];
    slow.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
    const [first] = (await once(slow, 'data')) as [Buffer];
    slow.pause();
    const closed = service.api.close();
    await once(idle, 'close');
    let read = first.length;
    slow.on('data', (part: Buffer) => {
      read += part.length;
    });
    slow.resume();
    await Promise.all([once(slow, 'close'), closed]);
    assert.ok(read > body.length, `${read} bytes`);
  });

  test('cuts off what does not finish in time', async (t) => {
    const asked = Promise.withResolvers<void>();
    const service = await Service.during(t, {
      limits: { shutdownGraceMs: 50 },
      site: () => {
        asked.resolve();
        return new Promise(() => undefined);
      },
    });
    const cut = assert.rejects(service.ask('/never'), /socket hang up|ECONNRESET/);
    await asked.promise;
    await Promise.all([service.api.close(), cut]);
  });
});

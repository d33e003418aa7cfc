import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { createApi } from '../../src/api/http/api-server.ts';
import { createJourneyPlanner } from '../../src/app/routing-service.ts';
import { loadGazetteer } from '../../src/geodata/load-gazetteer.ts';
import { accessWithoutDatabase } from '../support/service/create-access.ts';
import { NO_REPORTS, NO_REVIEWS } from '../support/service/fake-reviews.ts';
import { NO_PUSH } from '../support/service/no-push.ts';
import { allowAll, SOME_KEY } from '../support/service/open-access.ts';
import { TestService } from '../support/service/test-service.ts';
import { NO_GERMANY } from '../support/simulators/german-source.ts';
import { timed } from '../support/stopwatch.ts';
import { world } from '../support/worlds/contract-world.ts';

/** The status of the last answer on a connection. */
const lastStatus = (received: string) => [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].at(-1)?.[1];

describe('→ 500', () => {
  test('an internal error is logged once with an id, and its text never reaches the client', async (t) => {
    const logged: Readonly<Record<string, unknown>>[] = [];
    const service = await TestService.during(t, {
      snapshot: world({}),
      gazetteer: {
        ...loadGazetteer(),
        search: () => {
          throw new Error('password=secret');
        },
      },
      log: { error: (fields) => logged.push(fields), warn: () => undefined },
    });
    const { status, text, json } = await service.ask('/api/v1/geocode?q=cluj');
    assert.equal(status, 500);
    assert.doesNotMatch(text, /secret|at .*\.ts/);
    assert.equal(logged.length, 1);
    assert.match(json.message, new RegExp(String(logged[0]?.id)));
    assert.equal(logged[0]?.path, '/api/v1/geocode', 'the query is not logged');
  });

  test('a request that fails after it has waited for its turn is answered and logged like any other', async (t) => {
    const logged: Readonly<Record<string, unknown>>[] = [];
    const service = await TestService.during(t, {
      accessControl: allowAll(SOME_KEY),
      gazetteer: {
        ...loadGazetteer(),
        search: () => {
          throw new Error('secret');
        },
      },
      keyReport: () => Promise.reject(new Error('secret')),
      log: { error: (fields) => logged.push(fields), warn: () => undefined },
    });
    const targets = ['/api/v1/geocode?q=cluj', '/api/v1/cheie', '/api/v1/preturi?judet=CJ'];
    const sockets = Array.from({ length: 60 }, () => net.connect(service.port, '127.0.0.1'));
    const ask = (socket: net.Socket, target: string, connection: string) =>
      socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\n\r\n`);
    const answers = sockets.map((socket) => once(socket, 'readable'));
    for (const socket of sockets) ask(socket, '/api/v1/preturi/minime', 'keep-alive');
    await Promise.all(answers);
    // All are read in one turn of the event loop, in which eight of one client go on.
    for (const [at, socket] of sockets.entries()) ask(socket, targets[at % targets.length] as string, 'close');
    const replies = await Promise.all(sockets.map((socket) => text(socket)));
    const statuses = targets.map((_, target) => [
      ...new Set(replies.filter((_, at) => at % targets.length === target).map(lastStatus)),
    ]);
    assert.deepEqual(statuses, [['500'], ['500'], ['200']]);
    assert.equal(new Set(logged.map(({ id }) => id)).size, 40);
  });

  test('answers about a key are readable by no page of another origin, internal errors included', async (t) => {
    const accessControl = allowAll(SOME_KEY);
    const service = await TestService.during(t, {
      accessControl,
      keyReport: () => Promise.reject(new Error('secret')),
    });
    const { status, headers } = await service.ask('/api/v1/cheie');
    assert.deepEqual([status, headers['access-control-allow-origin']], [500, undefined]);
  });

  test('a page whose rendering fails is answered in the same way', async (t) => {
    const service = await TestService.during(t, { site: () => Promise.reject(new Error('secret')) });
    const { status, text } = await service.ask('/docs');
    assert.equal(status, 500);
    assert.doesNotMatch(text, /secret/);
  });
});

describe('listening', () => {
  test('on an address in use fails with a sentence that names the setting', async (t) => {
    const service = await TestService.during(t);
    const second = await createApi({
      snapshot: world(),
      clientOf: () => 'nobody',
      gazetteer: loadGazetteer(),
      publicUrl: () => 'http://x',
      accessControl: accessWithoutDatabase(),
      keyReport: () => Promise.resolve(null),
      push: NO_PUSH,
      germany: NO_GERMANY,
      journeys: createJourneyPlanner(loadGazetteer()),
      reviews: NO_REVIEWS,
      reports: NO_REPORTS,
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
    const service = await TestService.during(t);
    const idleSocket = net.connect(service.port, '127.0.0.1');
    await once(idleSocket, 'connect');
    const agent = new http.Agent({ keepAlive: true });
    const request = http.get({ port: service.port, path: '/api/v1/retele', agent });
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    await text(response);
    const { ms } = await timed(() => Promise.all([service.api.close(), once(idleSocket, 'close')]));
    assert.ok(ms < 1_000, `${ms} ms`);
    agent.destroy();
  });

  test('finishes a request in progress, closes its connection, and accepts nothing new', async (t) => {
    const released = Promise.withResolvers<void>();
    const requested = Promise.withResolvers<void>();
    const service = await TestService.during(t, {
      site: async () => {
        requested.resolve();
        await released.promise;
        return { status: 200, contentType: 'text/plain', body: Buffer.from('done') };
      },
    });
    const agent = new http.Agent({ keepAlive: true });
    const request = http.get({ port: service.port, path: '/slow', agent });
    await requested.promise;
    const closed = service.api.close();
    await assert.rejects(service.ask('/api/v1/retele'), /ECONNREFUSED/);
    const { ms } = await timed(async () => {
      released.resolve();
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      assert.deepEqual([response.statusCode, await text(response)], [200, 'done']);
      await closed;
    });
    assert.ok(ms < 2_000, `the kept-alive connection does not delay the stop: ${ms} ms`);
    agent.destroy();
  });

  test('sends an answer to a slow client to its end', async (t) => {
    const body = Buffer.alloc(40_000_000, 'x');
    const site = () => ({ status: 200, contentType: 'text/plain', body, headers: {} });
    const service = await TestService.during(t, { site });
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
    const requested = Promise.withResolvers<void>();
    const service = await TestService.during(t, {
      limits: { shutdownGraceMs: 50 },
      site: () => {
        requested.resolve();
        return new Promise(() => undefined);
      },
    });
    const cut = assert.rejects(service.ask('/never'), /socket hang up|ECONNRESET/);
    await requested.promise;
    await Promise.all([service.api.close(), cut]);
  });
});

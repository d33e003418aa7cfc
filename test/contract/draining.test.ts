// What clients see of a service whose socket another process takes over.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { type TestContext, test } from 'node:test';
import { CONNECTION_LIMITS, type ConnectionLimits } from '../../src/api/http/connection/connection-limits.ts';
import { allowAll } from '../support/service/open-access.ts';
import { TestService } from '../support/service/test-service.ts';

/** Answered on the fast path, and by Fastify. */
const FAST = 'GET /api/v1/retele HTTP/1.1\r\nHost: x\r\n\r\n';
const ROUTED = 'OPTIONS /api/v1/retele HTTP/1.1\r\nHost: x\r\n\r\n';
const SLOW = 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n';

async function start(t: TestContext, limits: Partial<ConnectionLimits> = {}) {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const service = await TestService.during(t, {
    accessControl: allowAll(null),
    limits,
    site: async (path) => {
      if (path !== '/slow') return undefined;
      asked.resolve();
      await answer.promise;
      return { status: 200, contentType: 'text/plain', body: Buffer.from('slow') };
    },
  });
  return { service, asked: asked.promise, answer: answer.resolve };
}

/** A connection that stays open between requests. */
class Client {
  readonly #socket: net.Socket;
  #text = '';

  constructor(port: number) {
    this.#socket = net.connect(port, '127.0.0.1');
    this.#socket.on('data', (part) => {
      this.#text += part;
    });
  }

  /** Sends a request and returns the head of its answer. */
  async ask(request: string): Promise<string> {
    this.#text = '';
    this.#socket.write(request);
    const cut = once(this.#socket, 'close').then(() => {
      throw new Error('the connection was closed without an answer');
    });
    cut.catch(() => undefined);
    while (!this.#text.includes('\r\n\r\n')) await Promise.race([once(this.#socket, 'data'), cut]);
    return this.#text.split('\r\n\r\n')[0] ?? '';
  }

  /** Resolves when the service has ended the connection without an error. */
  async ended(): Promise<void> {
    if (!this.#socket.readableEnded) await once(this.#socket, 'end');
  }
}

for (const [path, request, status] of [
  ['the fast path', FAST, 200],
  ['the router', ROUTED, 204],
] as const) {
  test(`an open connection of ${path} gets one more answer, which announces the close`, async (t) => {
    const { service } = await start(t);
    const client = new Client(service.port);
    assert.doesNotMatch(await client.ask(request), /connection: close/i);
    const drained = service.api.drain();
    const head = await client.ask(request);
    assert.match(head, new RegExp(`^HTTP/1.1 ${status} `));
    assert.match(head, /\r\nConnection: close/i);
    await client.ended();
    await drained;
  });
}

test('a connection that was opened before gets its first answer', async (t) => {
  const { service } = await start(t);
  const client = new Client(service.port);
  await new Client(service.port).ask(FAST);
  const drained = service.api.drain();
  assert.match(await client.ask(FAST), /^HTTP\/1\.1 200 [\s\S]*\r\nConnection: close/);
  void drained;
});

test('a request under way is answered, and announces the close', async (t) => {
  const { service, asked, answer } = await start(t);
  const client = new Client(service.port);
  const head = client.ask(SLOW);
  await asked;
  const drained = service.api.drain();
  answer();
  assert.match(await head, /^HTTP\/1\.1 200 [\s\S]*\r\nConnection: close/i);
  await drained;
});

test('no connection is accepted any more', async (t) => {
  const { service } = await start(t);
  await service.api.drain();
  await assert.rejects(once(net.connect(service.port, '127.0.0.1'), 'connect'), { code: 'ECONNREFUSED' });
});

for (const [path, request] of [
  ['the fast path', FAST],
  ['the router', ROUTED],
] as const) {
  test(`an idle connection of ${path} gets its answer as long as it would have been kept anyway`, async (t) => {
    const { service } = await start(t);
    const client = new Client(service.port);
    await client.ask(request);
    t.mock.timers.enable({ apis: ['setTimeout'] });
    // As a process does whose socket another one has taken over.
    const ended = service.api.drain().then(() => service.api.close());
    t.mock.timers.tick(CONNECTION_LIMITS.keepAliveMs);
    await new Promise((resolve) => setImmediate(resolve));
    assert.match(await client.ask(request), /^HTTP\/1\.1 20[04] [\s\S]*\r\nConnection: close/i);
    await client.ended();
    await ended;
  });

  test(`an idle connection of ${path} ends with its keep-alive time, and the drain with the last one`, async (t) => {
    const { service } = await start(t, { keepAliveMs: 20 });
    const client = new Client(service.port);
    await client.ask(request);
    await service.api.drain();
    await client.ended();
  });
}

test('a stop ends a drain, idle connections included', async (t) => {
  const { service } = await start(t);
  const client = new Client(service.port);
  await client.ask(FAST);
  const drained = service.api.drain();
  await service.api.close();
  await drained;
  await client.ended();
});

test('connections that are still there after a time are closed', async (t) => {
  const { service } = await start(t, { drainMs: 20 });
  const client = new Client(service.port);
  await client.ask(FAST);
  await service.api.drain();
  await service.api.close();
  await client.ended();
});

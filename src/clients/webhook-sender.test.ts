import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { DnsServer } from '../../test/support/simulators/dns-server.ts';
import { createUntrustedLookup } from './http/untrusted-lookup.ts';
import { createWebhookSender, type WebhookSenderOptions } from './webhook-sender.ts';

const FAILED = { kind: 'failed', httpStatus: null, retryAfterMs: null } as const;

function sender(t: TestContext, allowedOrigins: string[], more: Partial<WebhookSenderOptions> = {}) {
  const made = createWebhookSender({ allowedOrigins, userAgent: 'Pompa test', clock: Date.now, ...more });
  t.after(() => made.close());
  return (url: string) => made.send({ url, id: '1-0-epoch_01-0-1', body: '{}', secrets: [Buffer.alloc(32)] });
}

async function answering(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('an address in a private network', () => {
  test('is not called, whether its name leads there now or the address says so itself', async (t) => {
    let connections = 0;
    const server = net.createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => server.close());
    const { port } = server.address() as AddressInfo;
    // What the name server says since the address was stored.
    const nameServer = await DnsServer.start();
    t.after(() => nameServer.close());
    nameServer.setA('receiver.example.com', ['127.0.0.1']);
    nameServer.setAaaa('receiver.example.com', ['0:0:0:0:0:0:0:1']);
    const send = sender(t, [], { lookup: createUntrustedLookup({ servers: [nameServer.address] }) });
    for (const host of ['receiver.example.com', 'localhost', '127.0.0.1', '[::1]', '[::ffff:127.0.0.1]'])
      assert.deepEqual(await send(`https://${host}:${port}/`), { ...FAILED, failure: 'private address' }, host);
    assert.deepEqual(await send(`http://127.0.0.1:${port}/`), { ...FAILED, failure: 'private address' });
    assert.equal(connections, 0);
  });
});

describe('the name of a receiver', () => {
  test('is looked up without a thread, which other names would wait for', async (t) => {
    const nameServer = await DnsServer.start();
    t.after(() => nameServer.close());
    nameServer.setA('receiver.example.com', 'nothing');
    nameServer.setAaaa('receiver.example.com', 'nothing');
    nameServer.pause();
    const send = sender(t, [], { lookup: createUntrustedLookup({ servers: [nameServer.address] }) });
    const outcome = send('https://receiver.example.com/');
    await Promise.race([nameServer.waitForQuestions(1), outcome]);
    assert.notEqual(nameServer.questions.length, 0);
    assert.ok(!process.getActiveResourcesInfo().includes('GetAddrInfoReqWrap'));
    nameServer.release();
    assert.deepEqual(await outcome, { ...FAILED, failure: 'unknown host' });
  });
});

describe('an answer', () => {
  test('is waited for 15 seconds', async (t) => {
    const origin = await answering(t, (_, response) => void response.writeHead(204).end());
    const { mock } = t.mock.method(AbortSignal, 'timeout');
    await sender(t, [origin])(`${origin}/`);
    assert.deepEqual(
      mock.calls.map(({ arguments: given }) => given),
      [[15_000]],
    );
  });

  test('that does not come in time is a failure', async (t) => {
    const origin = await answering(t, () => undefined);
    assert.deepEqual(await sender(t, [origin], { timeoutMs: 30 })(`${origin}/`), { ...FAILED, failure: 'timeout' });
  });

  test('that never ends is cut after a few kilobytes, or when the time is over; its status counts', async (t) => {
    const closed = Promise.withResolvers<void>();
    let sent = 0;
    const origin = await answering(t, ({ url }, response) => {
      response.writeHead(200).write('a');
      if (url === '/silent') return;
      const pour = (error?: Error | null) => {
        sent += 1;
        if (!error && !response.destroyed) response.write('a'.repeat(65_536), pour);
      };
      response.on('close', closed.resolve);
      pour();
    });
    const delivered = { kind: 'delivered', httpStatus: 200 };
    assert.deepEqual(await sender(t, [origin])(`${origin}/`), delivered);
    await closed.promise;
    // The buffers of both sides take some.
    assert.ok(sent < 300, `${sent} parts of 64 kB`);
    assert.deepEqual(await sender(t, [origin], { timeoutMs: 300 })(`${origin}/silent`), delivered);
  });

  test('ends a webhook if it is 410, and says how long to wait; a redirect is not followed', async (t) => {
    const asked: (string | undefined)[] = [];
    const origin = await answering(t, ({ url }, response) => {
      asked.push(url);
      response.writeHead(Number(url?.slice(1)), { 'Retry-After': '60', Location: '/204' }).end();
    });
    const send = sender(t, [origin]);
    assert.deepEqual(await send(`${origin}/410`), { kind: 'gone', httpStatus: 410 });
    const failed = { kind: 'failed', retryAfterMs: 60_000 };
    assert.deepEqual(await send(`${origin}/503`), { ...failed, failure: 'status', httpStatus: 503 });
    assert.deepEqual(await send(`${origin}/307`), { ...failed, failure: 'redirect', httpStatus: 307 });
    assert.deepEqual(asked, ['/410', '/503', '/307']);
  });

  test('that hangs keeps no other message to the same host waiting, however many do', async (t) => {
    const hangs = Promise.withResolvers<void>();
    let hanging = 0;
    const origin = await answering(t, ({ url }, response) => {
      if (url === '/prompt') response.writeHead(204).end();
      else {
        hanging += 1;
        if (hanging === 20) hangs.resolve();
      }
    });
    const send = sender(t, [origin], { timeoutMs: 60_000 });
    for (let count = 0; count < 20; count += 1) void send(`${origin}/`);
    await hangs.promise;
    assert.deepEqual(await send(`${origin}/prompt`), { kind: 'delivered', httpStatus: 204 });
  });
});

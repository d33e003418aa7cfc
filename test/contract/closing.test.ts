/** What the client receives of its answers when the service ends a connection. */
import assert from 'node:assert/strict';
import net from 'node:net';
import { type TestContext, test } from 'node:test';
import { allowAll } from '../support/service/open-access.ts';
import { TestService } from '../support/service/test-service.ts';

/** Large enough that the system still holds a part of it when the service has written all of it. */
const PAGE = Buffer.alloc(3_000_000, '~');
const GET_PAGE = 'GET /page HTTP/1.1\r\nHost: x\r\n\r\n';
/** More than the service reads at once. */
const UNREAD = 'x'.repeat(500_000);
const LINGER_MS = 300;

/** By default the service lingers for long, so that a busy machine does not change the outcome. */
const start = (t: TestContext, lingerMs = 20_000) =>
  TestService.during(t, {
    accessControl: allowAll(null),
    limits: { lingerMs, requestMs: 60_000 },
    site: (path) => (path === '/page' ? { status: 200, contentType: 'text/plain', body: PAGE } : undefined),
  });

/** Sends bytes, reads slowly until the service ends the connection, and returns what arrived. */
async function readSlowly(port: number, bytes: string): Promise<string> {
  const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.write(bytes);
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => {
    parts.push(part);
    socket.pause();
    setTimeout(() => socket.resume(), 2);
  });
  socket.on('end', () => socket.end());
  await closed(socket);
  return Buffer.concat(parts).toString('latin1');
}

/** Resolves when the connection has closed, normally or not. */
function closed(socket: net.Socket): Promise<void> {
  socket.on('error', () => undefined);
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

const statuses = (reply: string) => [...reply.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));
const pageBytes = (reply: string) => reply.split('~').length - 1;

test('a refused body that nobody reads cuts none of the answers before it', async (t) => {
  const { port } = await start(t);
  const refused = `DELETE /api/v1/retele HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${UNREAD.length}\r\n\r\n`;
  const reply = await readSlowly(port, GET_PAGE + refused + UNREAD);
  assert.deepEqual([statuses(reply), pageBytes(reply)], [[200, 405], PAGE.length]);
});

test('bytes that are not a request cut none of the answers before them', async (t) => {
  const { port } = await start(t);
  const reply = await readSlowly(port, `${GET_PAGE}no request\r\n\r\n${UNREAD}`);
  assert.deepEqual([statuses(reply), pageBytes(reply)], [[200, 400], PAGE.length]);
});

test('requests behind the last one of a connection cut none of its answers', async (t) => {
  const { port } = await start(t);
  const last = 'GET /page HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  const reply = await readSlowly(port, last + GET_PAGE.repeat(10_000));
  assert.deepEqual([statuses(reply), pageBytes(reply)], [[200], PAGE.length]);
});

test('a client that keeps its side open after the last answer is cut', async (t) => {
  const { port } = await start(t, LINGER_MS);
  const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.write('DELETE /api/v1/retele HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 100000\r\n\r\n');
  const trickle = setInterval(() => socket.write('x'), 20);
  const startedAt = performance.now();
  await closed(socket.resume());
  clearInterval(trickle);
  const ms = performance.now() - startedAt;
  assert.ok(ms >= LINGER_MS * 0.9 && ms < 5_000, `after ${ms} ms`);
});

test('a client that sends without end after the last answer is cut', async (t) => {
  const { port } = await start(t);
  const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.write('DELETE /api/v1/retele HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 1000000000\r\n\r\n');
  const more = () => {
    while (!socket.destroyed && socket.write(UNREAD));
  };
  socket.on('drain', more).resume();
  const end = closed(socket);
  more();
  await end;
  assert.ok(socket.bytesWritten < 100_000_000, `${socket.bytesWritten} bytes`);
});

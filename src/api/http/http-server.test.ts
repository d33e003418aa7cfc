import assert from 'node:assert/strict';
import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, type TestContext, test } from 'node:test';
import { NO_PROXIES } from '../../domain/access/trusted-proxies.ts';
import { RequestCounts } from '../../telemetry/request-counts.ts';
import { CONNECTION_LIMITS } from './connection/connection-limits.ts';
import type { FastAnswer } from './fast-path/fast-connection.ts';
import type { ParsedRequest } from './fast-path/request-parser.ts';
import { type Answerers, createHttpServer, type HttpServer } from './http-server.ts';

const counts = new RequestCounts([]);
const log = { error: () => undefined, warn: () => undefined };
const newServer = () => createHttpServer({ limits: CONNECTION_LIMITS, trustedProxies: NO_PROXIES, counts, log });

test('a request parsed after its connection closed is dropped, and the connection is not tracked', () => {
  const worked: string[] = [];
  const httpServer = newServer();
  httpServer.answerWith({ route: () => worked.push('routed'), fastPathAnswer: () => null });
  const gone = new net.Socket();
  const request = Object.assign(new IncomingMessage(gone), { url: '/', httpVersionMajor: 1, httpVersion: '1.1' });
  const response = new ServerResponse(request);
  response.assignSocket(gone);
  gone.destroy();
  httpServer.server.emit('request', request, response);
  assert.deepEqual(worked, []);
});

describe('a server that listens before all that answers is there', () => {
  const answered = (read: ParsedRequest, by: string): FastAnswer => ({
    series: counts.series('any', 'fast'),
    response: { status: 200, head: 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n', bytes: by + read.target.slice(0, 2) },
  });
  const complete: Answerers = {
    route: ({ url }, response) => void response.end(`routed ${url}`),
    fastPathAnswer: (read) => (read.target.startsWith('/f') ? answered(read, 'ok') : null),
  };

  async function start(t: TestContext): Promise<{ server: HttpServer; connect: () => net.Socket }> {
    const server = newServer();
    server.answerEarly((read) => (read.target === '/early' ? answered(read, 'by') : null));
    const { port } = await server.listen({ host: '127.0.0.1', port: 0 });
    t.after(() => server.close());
    return { server, connect: () => net.connect({ port, host: '127.0.0.1', allowHalfOpen: true }) };
  }

  const get = (target: string, ...headers: string[]) =>
    `GET ${target} HTTP/1.1\r\n${['Host: x', ...headers].join('\r\n')}\r\n\r\n`;
  const bodies = (reply: string) =>
    [...reply.matchAll(/\r\n\r\n(by|ok|routed )(\S*?)(?=HTTP|$)/g)].map(([, by, target]) => `${by}${target}`);

  /** Sends a request that can be answered early, which is read after those that were sent before. */
  async function askEarly(connect: () => net.Socket): Promise<string> {
    const socket = connect();
    socket.write(get('/early', 'Connection: close'));
    return text(socket);
  }

  test('answers what it can, and the rest once it is there, by the path that it would have taken', async (t) => {
    const { server, connect } = await start(t);
    const waiting = ['/fast', '/page'].map((target) => {
      const socket = connect();
      socket.write(get('/early'));
      return { target, socket };
    });
    for (const { target, socket } of waiting) {
      assert.match(String((await once(socket, 'data'))[0]), /\r\n\r\nby\/e$/);
      socket.write(get(target, 'Connection: close'));
    }
    const posting = connect();
    posting.write('POST /form HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    assert.deepEqual(bodies(await askEarly(connect)), ['by/e']);
    server.answerWith(complete);
    const [fast, page] = await Promise.all(waiting.map(({ socket }) => text(socket)));
    assert.deepEqual(bodies(fast as string), ['ok/f']);
    assert.deepEqual(bodies(page as string), ['routed /page']);
    assert.deepEqual(bodies(await text(posting)), ['routed /form']);
  });

  test('keeps the order of what a client sends meanwhile, also of one that has ended its side', async (t) => {
    const { server, connect } = await start(t);
    const socket = connect();
    const [accepted] = await Promise.all([once(server.server, 'connection'), once(socket, 'connect')]);
    const [served] = accepted as [net.Socket];
    socket.write(get('/fast1'));
    await new Promise((resolve) => served.once('pause', resolve));
    socket.end(get('/page2', 'Connection: close'));
    assert.deepEqual(bodies(await askEarly(connect)), ['by/e']);
    server.answerWith(complete);
    assert.deepEqual(bodies(await text(socket)), ['ok/f', 'routed /page2']);
  });

  test('refuses what is no HTTP at once', async (t) => {
    const { connect } = await start(t);
    const socket = connect();
    socket.write('no HTTP\r\n\r\n');
    assert.match(await text(socket), /^HTTP\/1\.1 400 /);
  });

  test('ends the connections of those who wait when it closes before', async (t) => {
    const { server, connect } = await start(t);
    const socket = connect();
    const [served] = (await Promise.all([once(server.server, 'connection'), once(socket, 'connect')]))[0] as [
      net.Socket,
    ];
    socket.write(get('/fast'));
    await new Promise((resolve) => served.once('pause', resolve));
    const posting = connect();
    posting.write('POST /form HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n');
    assert.deepEqual(bodies(await askEarly(connect)), ['by/e']);
    const ended = [socket, posting].map((each) => text(each.on('end', () => each.end())).catch(() => ''));
    const closed = server.close();
    assert.deepEqual(await Promise.all(ended), ['', '']);
    await closed;
  });

  test('names the setting when it cannot listen', async (t) => {
    const { server } = await start(t);
    const { port } = server.server.address() as net.AddressInfo;
    await assert.rejects(
      newServer().listen({ host: '127.0.0.1', port }),
      /another process uses this address; set PORT/,
    );
  });
});

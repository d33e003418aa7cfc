import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, type TestContext, test } from 'node:test';
import { TimeSlicer } from '../../../concurrency/time-slicer.ts';
import { RequestCounts } from '../../../telemetry/request-counts.ts';
import { CONNECTION_LIMITS } from '../connection/connection-limits.ts';
import type { FastPathOptions } from './fast-connection.ts';
import { FastPath } from './fast-path.ts';
import type { ParsedRequest } from './request-parser.ts';
import { CachedResponse, type RawResponse } from './response-writer.ts';

const requestText = (target: string, ...headers: string[]) =>
  `GET ${target} HTTP/1.1\r\n${['Host: x', ...headers].join('\r\n')}\r\n\r\n`;
const response = (bytes: string): RawResponse => ({
  status: 200,
  head: `HTTP/1.1 200 OK\r\nContent-Length: ${bytes.length}\r\n`,
  bytes,
});
type Respond = (read: ParsedRequest) => CachedResponse | RawResponse | Promise<RawResponse> | null;
const bodies = (reply: string) => reply.split(/HTTP\/1\.1 200 OK\r\n[\s\S]*?\r\n\r\n/).slice(1);

/** Starts a fast path on a free port; it answers with the target and echoes what it hands over. */
async function startFastPath(t: TestContext, options: Partial<FastPathOptions> & { readonly respond?: Respond } = {}) {
  const counts = new RequestCounts([]);
  const series = counts.series('any', 'fast');
  const { respond = ({ target }) => response(target), ...others } = options;
  const fastPath = new FastPath({
    limits: CONNECTION_LIMITS,
    timeSlicer: new TimeSlicer(),
    answer: (read) => {
      const response = respond(read);
      return response === null ? null : { series, response };
    },
    refusals: counts.series('none', 'socket'),
    handOver: (socket) => socket.on('data', (chunk) => socket.end(`full reader: ${chunk}`)),
    ...others,
  });
  const server = net.createServer({ allowHalfOpen: true }, (socket) => fastPath.accept(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => {
    fastPath.destroy();
    server.close();
  });
  const connect = () => net.connect((server.address() as net.AddressInfo).port, '127.0.0.1');
  return { fastPath, connect, server, series };
}

/** Reads from a socket until the data contain a text. */
async function until(socket: net.Socket, part: string): Promise<string> {
  let seen = '';
  while (!seen.includes(part)) seen += String((await once(socket, 'data'))[0]);
  return seen;
}

describe('the fast path', () => {
  test('answers requests in sequence, stays open, and sends Date and Keep-Alive', async (t) => {
    const { connect } = await startFastPath(t);
    const socket = connect();
    socket.write(requestText('/a'));
    const first = await until(socket, '/a');
    assert.match(first, /\r\nDate: \w{3}, .* GMT\r\nConnection: keep-alive\r\nKeep-Alive: timeout=65\r\n\r\n\/a$/);
    socket.write(requestText('/b'));
    assert.deepEqual(bodies(await until(socket, '/b')), ['/b']);
    socket.destroy();
  });

  test('counts each answer by its status, and a repeated one too; who went before the answer counts as 499', async (t) => {
    const gone = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const { connect, series, server } = await startFastPath(t, {
      respond: ({ target }) => {
        if (target === '/ok') return response(target);
        if (target === '/late') {
          begun.resolve();
          return gone.promise.then(() => response(target));
        }
        const reuse = { until: performance.now() + 60_000, next: () => null };
        return new CachedResponse(429, [], 'identity', 'no', { reuse, refusal: 'weekly_cap' });
      },
    });
    const socket = connect();
    const [served] = (await once(server, 'connection')) as [net.Socket];
    for (const target of ['/ok', '/no', '/no', '/ok']) {
      socket.write(requestText(target));
      await until(socket, '\r\n\r\n');
    }
    assert.deepEqual(
      [...series.byStatus],
      [
        [200, 2],
        [429, 2],
      ],
    );
    socket.write(requestText('/late'));
    await begun.promise;
    const closed = new Promise((resolve) => served.once('close', resolve));
    socket.resetAndDestroy();
    await closed;
    gone.resolve();
    await new Promise((resume) => setImmediate(resume));
    assert.equal(series.byStatus.get(499), 1);
    assert.equal(
      series.seconds?.counts.reduce((sum, count) => sum + count),
      5,
    );
  });

  test('closes when the client asks for it, and announces it', async (t) => {
    const { connect } = await startFastPath(t);
    const socket = connect();
    socket.write(requestText('/a', 'Connection: close'));
    assert.match(await text(socket), /\r\nConnection: close\r\n\r\n\/a$/);
  });

  test('answers a client that has already ended its side', async (t) => {
    const said = Promise.withResolvers<void>();
    const respond: Respond = ({ target }) => said.promise.then(() => response(target));
    const { connect, server } = await startFastPath(t, { respond });
    server.on('connection', (served) => served.once('end', said.resolve));
    const socket = connect();
    socket.end(requestText('/a'));
    assert.deepEqual(bodies(await text(socket)), ['/a']);
  });

  test('repeats an answer while it holds, for the same request on the same connection', async (t) => {
    let made = 0;
    const { connect } = await startFastPath(t, {
      respond: ({ target }) => {
        made += 1;
        const repeatable = (name: string, ms: number, next: () => CachedResponse | null) =>
          new CachedResponse(429, [], 'identity', name, { reuse: { until: performance.now() + ms, next } });
        const next = () => (target === '/next' ? repeatable(`b${made}`, 60_000, () => null) : null);
        return repeatable(`a${made}`, target === '/a' || target === '/b' ? 60_000 : 0, next);
      },
    });
    const socket = connect();
    const ask = async (bytes: string) => {
      socket.write(bytes);
      return /\r\n\r\n(..)$/.exec(await until(socket, '\r\n\r\n'))?.[1];
    };
    assert.deepEqual([await ask(requestText('/a')), await ask(requestText('/a'))], ['a1', 'a1']);
    assert.equal(await ask(requestText('/a', 'User-Agent: other')), 'a2');
    assert.equal(await ask(requestText('/b', 'User-Agent: other')), 'a3');
    assert.deepEqual([await ask(requestText('/short')), await ask(requestText('/short'))], ['a4', 'a5']);
    assert.deepEqual(
      [await ask(requestText('/next')), await ask(requestText('/next')), await ask(requestText('/next'))],
      ['a6', 'b6', 'b6'],
    );
    socket.destroy();
  });

  test('buffers what the client sends before an answer is ready', async (t) => {
    const asking = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const { connect } = await startFastPath(t, {
      respond: async ({ target }) => {
        asking.resolve();
        if (target === '/a') await released.promise;
        return response(target);
      },
    });
    const socket = connect();
    socket.write(requestText('/a'));
    await asking.promise;
    socket.write(requestText('/b'));
    const other = connect();
    // Once the fast path reads this other connection, it has read the earlier data of the first one.
    other.write(requestText('/c'));
    await until(other, '/c');
    released.resolve();
    let seen = await until(socket, '/a');
    if (!seen.includes('/b')) seen += await until(socket, '/b');
    assert.deepEqual(bodies(seen), ['/a', '/b']);
    socket.destroy();
    other.destroy();
  });

  test('stops reading from a client that sends more before an answer is ready', async (t) => {
    const released = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const { connect, server } = await startFastPath(t, {
      respond: async ({ target }) => {
        begun.resolve();
        await released.promise;
        return response(target);
      },
    });
    const socket = connect();
    const [served] = (await once(server, 'connection')) as [net.Socket];
    socket.write(requestText('/a'));
    await begun.promise;
    const early = once(served, 'data');
    socket.write(requestText('/b'));
    await early;
    assert.ok(served.isPaused());
    released.resolve();
    await until(socket, '/b');
    assert.ok(!served.isPaused());
    socket.destroy();
  });

  test('hands over a connection it cannot parse, with every byte, and never takes it back', async (t) => {
    const { connect } = await startFastPath(t);
    for (const bytes of [
      'HEAD / HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET / HT',
      requestText('/1') + requestText('/2'),
      '\x16\x03\x01',
    ]) {
      const socket = connect();
      socket.write(requestText('/a'));
      await until(socket, '/a');
      socket.write(bytes);
      assert.equal(await text(socket), `full reader: ${bytes}`);
    }
  });

  test('hands over heavy chunks one per turn, and nothing of a closed connection', async (t) => {
    const waiting: { work: () => void; heavy: boolean }[] = [];
    let news = Promise.withResolvers<void>();
    const timeSlicer = new (class extends TimeSlicer {
      override push(work: () => void, heavy = false): void {
        waiting.push({ work, heavy });
        news.resolve();
      }
    })();
    const taken: net.Socket[] = [];
    const handOver = (socket: net.Socket) => {
      taken.push(socket);
      let seen = 0;
      socket.on('data', (chunk) => {
        seen += chunk.length;
        if (seen === heap.length) socket.end(`read ${seen}`);
      });
    };
    const { connect, fastPath } = await startFastPath(t, { timeSlicer, handOver });
    const heap = requestText('/a').repeat(500);
    for (const given of [() => undefined, () => fastPath.destroy()]) {
      const socket = connect();
      socket.on('error', () => undefined);
      const before = taken.length;
      socket.write(heap);
      await news.promise;
      news = Promise.withResolvers<void>();
      assert.equal(taken.length, before, 'it waits');
      given();
      const [piece] = waiting.splice(0) as [(typeof waiting)[number]];
      piece.work();
      assert.equal(piece.heavy, true);
      if (taken.length > before) assert.equal(await text(socket), `read ${heap.length}`);
      else assert.equal(before, 1, 'a cut connection is not handed over');
    }
  });

  test('hands over a heavy chunk whole when its client ends its side before its turn', async (t) => {
    const queued = Promise.withResolvers<() => void>();
    const timeSlicer = new (class extends TimeSlicer {
      override push = queued.resolve;
    })();
    const chunk = requestText('/a').repeat(500);
    const handOver = (socket: net.Socket) => {
      let seen = 0;
      socket.on('data', (data) => {
        seen += data.length;
      });
      socket.on('end', () => socket.end(`read ${seen}`));
    };
    const { connect } = await startFastPath(t, { timeSlicer, handOver });
    const socket = connect();
    socket.end(chunk);
    const work = await queued.promise;
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resume) => setImmediate(resume));
    work();
    assert.equal(await text(socket), `read ${chunk.length}`);
  });

  test('hands over requests that are not for the fast path', async (t) => {
    const { connect } = await startFastPath(t, { respond: () => null });
    const socket = connect();
    socket.write(requestText('/page'));
    assert.equal(await text(socket), `full reader: ${requestText('/page')}`);
  });

  test('starts the next answer only after the one under way', async (t) => {
    const released = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const respond: Respond = ({ target }) => {
      if (target !== '/slow') return response(target);
      begun.resolve();
      return released.promise.then(() => response(target));
    };
    const { connect } = await startFastPath(t, { respond });
    const socket = connect();
    socket.write(requestText('/slow'));
    await begun.promise;
    socket.write(requestText('/quick'));
    released.resolve();
    assert.deepEqual(bodies(await until(socket, '/quick')), ['/slow', '/quick']);
    socket.destroy();
  });

  test('makes no further answer for a client that does not read the last one, and resumes when it does', async (t) => {
    const big = 'x'.repeat(30_000_000);
    const made: string[] = [];
    const seconds = Promise.withResolvers<void>();
    const respond: Respond = ({ target }) => {
      made.push(target);
      return response(target === '/big' ? big : target);
    };
    const { connect, server } = await startFastPath(t, { respond });
    const socket = connect().pause();
    const [served] = (await once(server, 'connection')) as [net.Socket];
    socket.write(requestText('/big'));
    while (!served.writableNeedDrain) await new Promise((resume) => setImmediate(resume));
    socket.write(requestText('/small'), () => seconds.resolve());
    await seconds.promise;
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resume) => setImmediate(resume));
    assert.deepEqual(made, ['/big']);
    socket.end();
    assert.deepEqual(
      bodies(await text(socket)).map(({ length }) => length),
      [big.length, '/small'.length],
    );
  });

  test('cuts a client that never reads or idles after an answer, and sends 408 to one that never sends', async (t) => {
    const limits = { ...CONNECTION_LIMITS, headersMs: 700, keepAliveMs: 800, stallTimeoutMs: 800 };
    const { connect, server } = await startFastPath(t, {
      limits,
      respond: ({ target }) => response(target.repeat(1_000_000)),
    });
    const deaf = connect().pause();
    const [served] = (await once(server, 'connection')) as [net.Socket];
    deaf.write(requestText('/0123456789'));
    const [silent, mute] = [connect(), connect()];
    silent.write(requestText('/'));
    assert.match(await text(mute), /^HTTP\/1\.1 408 /);
    assert.equal(bodies(await text(silent)).length, 1);
    if (!served.closed) await once(served, 'close');
    deaf.destroy();
  });

  test('survives a client that disconnects', async (t) => {
    const released = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const { connect, server } = await startFastPath(t, {
      respond: async () => {
        begun.resolve();
        await released.promise;
        return response('late');
      },
    });
    const socket = connect();
    socket.write(requestText('/'));
    const [served] = (await once(server, 'connection')) as [net.Socket];
    await begun.promise;
    const gone = new Promise((resolve) => served.once('close', resolve));
    socket.resetAndDestroy();
    await gone;
    released.resolve();
    await released.promise;
  });
});

describe('closing', () => {
  test('ends idle connections at once, finishes an answer under way and announces the close in it', async (t) => {
    const released = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const { fastPath, connect } = await startFastPath(t, {
      respond: async ({ target }) => {
        if (target === '/idle') return response(target);
        begun.resolve();
        await released.promise;
        return response(target);
      },
    });
    const [idle, busy] = [connect(), connect()];
    idle.write(requestText('/idle'));
    await until(idle, '/idle');
    busy.write(requestText('/busy'));
    await begun.promise;
    fastPath.startClosing();
    assert.equal(await text(idle), '');
    released.resolve();
    assert.match(await text(busy), /Connection: close\r\n\r\n\/busy$/);
    assert.equal(await text(connect()).catch(() => ''), '', 'no new connection is accepted');
  });
});

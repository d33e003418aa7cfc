import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Clock } from '../../concurrency/throttle.ts';
import { createDownloader, type Downloader, type DownloaderOptions } from './download.ts';
import { NoResponse } from './response.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0).reverse()) await thing.close();
});

describe('download', () => {
  test('returns status, media type and body, and sends our User-Agent and Accept', async () => {
    const seen: unknown[] = [];
    const base = await serve((request, response) => {
      seen.push(request.headers['user-agent'], request.headers.accept, request.headers['accept-encoding']);
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end('{"Stations":[]}');
    });

    const answer = await downloader().download(`${base}/x?y=1`, { accept: 'application/json' });

    assert.deepEqual(
      { ...answer, body: answer.body.toString() },
      { status: 200, contentType: 'application/json; charset=utf-8', body: '{"Stations":[]}' },
    );
    assert.deepEqual(seen, ['Pompa test', 'application/json', 'gzip, br']);
  });

  for (const [coding, packed] of [
    ['gzip', gzipSync('prețuri')],
    ['br', brotliCompressSync('prețuri')],
    ['identity', Buffer.from('prețuri')],
  ] as const) {
    test(`unpacks ${coding}`, async () => {
      const base = await serve((_, response) => response.writeHead(200, { 'content-encoding': coding }).end(packed));
      const answer = await downloader().download(base);
      assert.equal(answer.body.toString(), 'prețuri');
    });
  }

  test('an answer that decompresses beyond the limit is refused, so a gzip bomb is cut off', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const base = await serve((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
    await rejects(downloader({ maxBytes: 2_000_000 }).download(base), /larger than 2 MB/);
  });

  test('an answer larger than the limit on the wire is refused, with or without a declared length', async () => {
    const base = await serve((request, response) => {
      if (request.url === '/declared') response.writeHead(200, { 'content-length': 3000 });
      response.write(Buffer.alloc(1500));
      response.end(Buffer.alloc(1500));
    });
    const { download } = downloader({ maxBytes: 2999 });
    await rejects(download(`${base}/declared`), /larger than 2999 bytes/);
    await rejects(download(`${base}/open`), /larger than 2999 bytes/);
  });

  test('an answer of exactly the limit is accepted', async () => {
    const base = await serve((_, response) => response.end(Buffer.alloc(3000)));
    assert.equal((await downloader({ maxBytes: 3000 }).download(base)).body.length, 3000);
  });

  test('a coding that was not requested is refused', async () => {
    const base = await serve((_, response) => response.writeHead(200, { 'content-encoding': 'zstd' }).end('x'));
    await rejects(downloader().download(base), /coded as "zstd"/);
  });

  test('a redirect is not followed, and its target is named', async () => {
    const base = await serve((_, response) =>
      response.writeHead(302, { location: 'https://elsewhere.example/a' }).end(),
    );
    await rejects(downloader().download(base), /redirects to elsewhere\.example, and redirects are not followed/);
  });

  for (const status of [200, 204, 400, 403, 404, 500]) {
    test(`${status} is returned and not retried`, async () => {
      let asked = 0;
      const base = await serve((_, response) => {
        asked += 1;
        response.writeHead(status).end();
      });
      assert.equal((await downloader({ retries: 3 }).download(base)).status, status);
      assert.equal(asked, 1);
    });
  }

  for (const status of [429, 502, 503, 504]) {
    test(`${status} is retried with growing pauses, then fails`, async () => {
      const base = await serve((_, response) => response.writeHead(status).end('busy'));
      const clock = fakeClock();
      await rejects(
        downloader({ retries: 2, backoffMs: 100, clock }).download(base),
        new RegExp(`after 3 tries: it answered ${status}`),
      );
      assert.deepEqual(clock.waits, [75, 150]);
    });
  }

  test('an answer after a retried status is returned', async () => {
    let asked = 0;
    const base = await serve((_, response) => {
      asked += 1;
      response.writeHead(asked < 3 ? 503 : 200).end('ok');
    });
    const { download, sent } = downloader({ retries: 2, clock: fakeClock() });
    assert.equal((await download(base)).status, 200);
    assert.equal(sent(), 3, 'further tries are counted');
  });

  test('Retry-After is honoured for every request to the host, up to the bound', async () => {
    let asked = 0;
    const base = await serve((_, response) => {
      asked += 1;
      response.writeHead(asked === 1 ? 429 : 200, { 'retry-after': asked === 1 ? '3600' : '0' }).end();
    });
    const clock = fakeClock();
    await downloader({ retries: 1, backoffMs: 100, maxRetryAfterMs: 7000, clock }).download(base);
    assert.deepEqual(clock.waits, [7000]);
  });

  test('Retry-After pauses all requests to the host', { timeout: 120_000 }, async () => {
    const base = await serve(({ url }, response) =>
      response.writeHead(url === '/other' ? 200 : 429, { 'retry-after': '7' }).end(),
    );
    const rests = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
    let waits = 0;
    const wait = (ms: number) => {
      rests[waits]?.resolve(ms);
      waits += 1;
      return new Promise<void>(() => undefined);
    };
    const { download } = downloader({ retries: 1, clock: { now: () => 0, wait } });
    download(base).catch(() => undefined);
    assert.equal(await rests[0]?.promise, 7000);
    download(`${base}/other`).catch(() => undefined);
    assert.equal(await rests[1]?.promise, 7000);
  });

  test('a broken connection is retried, and its error is readable', async () => {
    let asked = 0;
    const base = await serve((request) => {
      asked += 1;
      request.socket.destroy();
    });
    await rejects(
      downloader({ retries: 1, clock: fakeClock() }).download(base),
      /after 2 tries: the connection was broken off/,
    );
    assert.equal(asked, 2);
  });

  test('a truncated body is a failure', async () => {
    const base = await serve((_, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('half', () => response.destroy());
    });
    await rejects(downloader().download(base), /broken off/);
  });

  test('a truncated gzip stream is a failure', async () => {
    const half = gzipSync('x'.repeat(10_000)).subarray(0, 20);
    const base = await serve((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(half));
    await rejects(downloader().download(base), /compressed answer was broken off/);
  });

  test('a refused connection gives a readable error', async () => {
    const base = await serve(() => undefined);
    await open.pop()?.close();
    await rejects(downloader().download(base), /the connection was refused/);
  });

  test('the deadline ends a request to a hanging server, before the headers and inside the body', async () => {
    const base = await serve((request, response) => {
      if (request.url === '/body') response.writeHead(200).write('{');
    });
    const { download } = downloader({ timeoutMs: 60 });
    await rejects(download(`${base}/silent`), /no complete answer within 0.06 s/);
    await rejects(download(`${base}/body`), /no complete answer within 0.06 s/);
  });

  test('the deadline also ends a request to a server that keeps sending a little', async () => {
    const base = await serve((_, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write(' '), 10);
      response.on('close', () => clearInterval(drip));
    });
    await rejects(downloader({ timeoutMs: 200 }).download(base), /no complete answer within 0.2 s/);
  });

  test('an aborted signal stops the request immediately, even while it waits or backs off', async () => {
    const arrived = Promise.withResolvers<void>();
    const base = await serve(() => arrived.resolve());
    const stop = new AbortController();
    const { download } = downloader({ parallel: 1 });
    const first = download(base, { signal: stop.signal });
    const waiting = download(base, { signal: stop.signal });
    await arrived.promise;
    stop.abort();
    await rejects(first, /was stopped/);
    await rejects(waiting, /was stopped/);
    await rejects(download(base, { signal: stop.signal }), /was stopped/);
  });

  test('at most `parallel` requests run at once, and their starts are `pauseMs` apart', async () => {
    let under = 0;
    let most = 0;
    const base = await serve((_, response) => {
      under += 1;
      most = Math.max(most, under);
      setImmediate(() => {
        under -= 1;
        response.end();
      });
    });
    const clock = fakeClock();
    const { download } = downloader({ parallel: 3, pauseMs: 300, clock });
    await Promise.all(Array.from({ length: 10 }, () => download(base)));
    assert.ok(most <= 3, `${most} at once`);
    assert.ok(clock.now() >= 9 * 300, `the last one started at ${clock.now()}`);
  });

  test('a private address is refused unless the operator allows it', async () => {
    const base = await serve((_, response) => response.end());
    const { download } = downloader({ allowPrivate: false });
    await rejects(download(base), /private/);
    await rejects(download(base.replace('127.0.0.1', 'localhost')), /private/);
    await rejects(download(base.replace('127.0.0.1', '[::ffff:127.0.0.1]')), /private/);
    await rejects(download('http://2130706433/'), /private/);
  });

  test('the error names an address that is not http or https', async () => {
    await rejects(
      downloader().download('file:///etc/passwd'),
      /"file:\/\/\/etc\/passwd" is not an http or https address/,
    );
  });
});

describe('a server that sends the wrong intermediate certificate', () => {
  const pem = (name: string) => readFileSync(new URL(`./test-certificates/${name}.pem`, import.meta.url), 'utf8');

  test('is refused with only its root, and accepted with the missing certificate supplied', async () => {
    const server = createTlsServer(
      { key: pem('server-key'), cert: pem('server') + pem('wrong-intermediate') },
      (_, response) => response.end('verified'),
    );
    const base = (await listen(server)).replace('http:', 'https:');

    await rejects(downloader({ ca: [pem('root')] }).download(base), /its certificate cannot be verified \(UNABLE_TO/);
    await rejects(downloader({}).download(base), /its certificate cannot be verified/);
    const answer = await downloader({ ca: [pem('root'), pem('intermediate')] }).download(base);
    assert.equal(answer.body.toString(), 'verified');
  });
});

function downloader(options: Partial<DownloaderOptions> = {}): Downloader {
  const made = createDownloader({
    userAgent: 'Pompa test',
    timeoutMs: 20_000,
    maxBytes: 1_000_000,
    retries: 0,
    pauseMs: 0,
    parallel: 2,
    allowPrivate: true,
    random: () => 0.5,
    ...options,
  });
  open.push(made);
  return made;
}

function serve(listener: RequestListener): Promise<string> {
  return listen(createServer(listener));
}

async function listen(server: Server): Promise<string> {
  open.push({
    close: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(done));
    },
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function fakeClock(): Clock & { waits: number[] } {
  const waits: number[] = [];
  let now = 0;
  return {
    waits,
    now: () => now,
    wait: async (ms) => {
      waits.push(ms);
      now += ms;
    },
  };
}

async function rejects(promise: Promise<unknown>, message: RegExp): Promise<void> {
  await assert.rejects(promise, (error: Error) => {
    assert.ok(error instanceof NoResponse, `${error}`);
    assert.match(error.message, message);
    assert.equal(error.message.includes('\n'), false);
    return true;
  });
}

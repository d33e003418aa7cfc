import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { readConfig } from '../config/config.ts';
import { GERMANY_RATE_LIMIT } from '../domain/access/request-limits.ts';
import { NO_PUBLISHED_FACTS } from '../domain/prices/facts.ts';
import { saveLastGood } from '../store/prices/last-good.ts';
import { startService } from './start-service.ts';

test('the built-in roads are read once, soon after the start of a service with prices, not at the first journey', async (t) => {
  let reads = 0;
  const { readFileSync } = fs;
  t.mock.method(fs, 'readFileSync', (...args: Parameters<typeof readFileSync>) => {
    if (String(args[0]).endsWith('roads.txt')) reads += 1;
    return readFileSync(...args);
  });
  syncBuiltinESMExports();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pompa-service-'));
  const at = 1_795_168_800_000;
  const facts = { ...NO_PUBLISHED_FACTS, version: 1, publishedAt: at, updatedAt: at };
  await saveLastGood(folder, { facts, series: new Map() });
  const stop = new AbortController();
  const settings = { DATABASE_URL: 'postgres://127.0.0.1:1/none', DATA_DIR: folder, HOST: '127.0.0.1', PORT: '0' };
  const service = await startService({
    config: readConfig(settings, folder),
    log: pino({ level: 'silent' }),
    worker: false,
    simulated: false,
    signal: stop.signal,
  });
  t.after(async () => {
    stop.abort();
    await service.close();
    t.mock.restoreAll();
    syncBuiltinESMExports();
    fs.rmSync(folder, { recursive: true });
  });
  await t.waitFor(() => assert.equal(reads, 1, 'before any journey'), { timeout: 10_000 });
  const response = await fetch(`${service.address}/api/v1/traseu/custom`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ start: 'Cluj', end: 'Turda' }),
  });
  assert.equal(response.status, 200);
  assert.equal(reads, 1);
});

test('requests that arrive while the program is loaded are answered as later ones, whatever reads them', async (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pompa-service-'));
  const stop = new AbortController();
  const reserved = net.createServer();
  await once(reserved.listen(0, '127.0.0.1'), 'listening');
  const { port } = reserved.address() as net.AddressInfo;
  await new Promise((resolve) => reserved.close(resolve));
  const settings = {
    DATABASE_URL: 'postgres://127.0.0.1:1/none',
    DATA_DIR: folder,
    HOST: '127.0.0.1',
    PORT: `${port}`,
  };
  const starting = startService({
    config: readConfig(settings, folder),
    log: pino({ level: 'silent' }),
    worker: false,
    simulated: false,
    signal: stop.signal,
  });
  // Its failure is told below.
  starting.catch(() => undefined);
  const ask = async (request: string) => {
    const socket = await connectSoon(port);
    socket.write(`${request}\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
    return (await text(socket)).slice(0, 12);
  };
  const requests = ['GET /livez', 'HEAD /livez', 'GET /', 'GET /harta'].flatMap((target) => [
    `${target} HTTP/1.1`,
    `${target} HTTP/1.0`,
  ]);
  const early = await Promise.all(requests.map(ask));
  const service = await starting;
  t.after(async () => {
    stop.abort();
    await service.close();
    fs.rmSync(folder, { recursive: true });
  });
  assert.deepEqual(early, await Promise.all(requests.map(ask)));
  assert.deepEqual(new Set(early), new Set(['HTTP/1.1 200']));
});

/** Connects as soon as somebody listens. */
async function connectSoon(port: number): Promise<net.Socket> {
  for (let tries = 0; tries < 100_000; tries += 1) {
    const socket = net.connect(port, '127.0.0.1');
    const connected = await once(socket, 'connect').catch(() => null);
    if (connected !== null) return socket;
    await setImmediate();
  }
  throw new Error('nobody listens');
}

test('searches on the page of the German channel and requests to its API count under one limit', async (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pompa-service-'));
  const stop = new AbortController();
  const settings = {
    ...{ DATABASE_URL: 'postgres://127.0.0.1:1/none', DATA_DIR: folder, HOST: '127.0.0.1', PORT: '0' },
    ...{ TANKERKOENIG_URL: 'http://127.0.0.1:1', TANKERKOENIG_API_KEY: 'key' },
  };
  const service = await startService({
    config: readConfig(settings, folder),
    log: pino({ level: 'silent' }),
    worker: false,
    simulated: false,
    signal: stop.signal,
  });
  t.after(async () => {
    stop.abort();
    await service.close();
    fs.rmSync(folder, { recursive: true });
  });
  const { perMinute } = GERMANY_RATE_LIMIT;
  const statusOf = async (target: string) => (await fetch(`${service.address}${target}`)).status;
  const asked = Array.from({ length: perMinute - 1 }, () => statusOf('/api/v1/de-statii?lat=48.57&lng=13.43'));
  assert.deepEqual(new Set(await Promise.all(asked)), new Set([503]), 'there is no database');
  assert.equal(await statusOf('/germania'), 200);
  assert.equal(await statusOf('/germania?loc=Passau'), 503);
  const refused = await fetch(`${service.address}/germania?loc=Passau`);
  assert.equal(refused.status, 429);
  const wait = Number(refused.headers.get('Retry-After'));
  assert.ok(wait > 0 && wait <= 60, String(wait));
  assert.match(await refused.text(), /sunt permise 30 pe minut, API-ul inclus\. Reveniți peste \d+ (de )?secunde/);
  assert.equal(await statusOf('/api/v1/de-statii?lat=48.57&lng=13.43'), 429);
});

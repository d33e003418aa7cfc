/** The register source over real connections: the downloader, the sweep, and a register on loopback that misbehaves. */

import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createDownloader, type DownloaderOptions } from '../../clients/http/download.ts';
import { DEFAULT_RANGES } from '../../domain/fuel.ts';
import type { Sweep } from '../../domain/reports/sweep.ts';
import { ProgrammableRegister } from '../../simulation/register/programmable-register.ts';
import { answerXml } from '../../simulation/register/register-xml.ts';
import { type Fetch, SourceFailed } from '../source.ts';
import { registerSource } from './register.ts';
import { byUnit } from './requests/targets.ts';

const CLUJ = 54975;
const PETROL_IN_CLUJ = byUnit(CLUJ, 'petrol');
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0).reverse()) await thing.close();
});

describe('over real connections', () => {
  test('the whole register is read, compressed, in JSON, with our User-Agent', async () => {
    const headers: unknown[] = [];
    const sweep = await read(clujAndBucharest(), (response, body) => {
      headers.push(response.req.headers.accept, response.req.headers['user-agent']);
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(gzipSync(body));
      return true;
    });
    assert.equal(sweep.readings.length, 10);
    assert.deepEqual([...new Set(headers)], ['application/json', 'Pompa test (+mailto:me@example.org)']);
  });

  test('a register that answers in XML is read just the same', async () => {
    const inJson = await read(clujAndBucharest(), () => false);
    const inXml = await read(clujAndBucharest(), (response, body, status) => {
      if (status !== 200) return false;
      response
        .writeHead(200, { 'content-type': 'application/xml; charset=utf-8' })
        .end(answerXml('GasItems', JSON.parse(body)));
      return true;
    });
    assert.deepEqual(inXml.stations, inJson.stations);
    assert.deepEqual(inXml.readings, inJson.readings);
  });

  test('a slowly arriving answer is read completely', async () => {
    const sweep = await read(clujAndBucharest(), (response, body) => {
      if (!isCluj(response)) return false;
      drip(
        response,
        [...Buffer.from(body)].map((byte) => Buffer.of(byte)),
      );
      return true;
    });
    assert.equal(sweep.units.get(`${CLUJ}:petrol`), 'read');
  });
});

describe('a unit with a bad answer fails, and only that one', () => {
  const ways: Record<string, [reason: string, misbehave: (response: ServerResponse) => void]> = {
    '403': ['unit_status_403', (response) => response.writeHead(403).end()],
    '503 for ever': ['unit_no_answer', (response) => response.writeHead(503).end()],
    hanging: ['unit_no_answer', () => undefined],
    'hanging in the middle': ['unit_no_answer', (response) => response.writeHead(200).write('{"Stations":[')],
    'cut in the middle': [
      'unit_no_answer',
      (response) => response.writeHead(200, { 'content-length': 500 }).write('{"Stations":[', () => response.destroy()),
    ],
    'a gzip bomb': [
      'unit_no_answer',
      (response) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(20_000_000, '['))),
    ],
    'a redirect': [
      'unit_no_answer',
      (response) => response.writeHead(301, { location: 'https://elsewhere.example/' }).end(),
    ],
    'HTML with 200': ['unit_wrong_shape', (response) => response.end('<html><body>Mentenanță<br></body></html>')],
    'half a body, complete by its own word': [
      'unit_wrong_shape',
      (response) => response.end('{"Stations":[{"id":"R1"'),
    ],
  };
  for (const [title, [reason, misbehave]] of Object.entries(ways)) {
    test(title, async () => {
      const handle: Handle = (response) => {
        if (isCluj(response)) misbehave(response);
        return isCluj(response);
      };
      // Short only where it must run out, so that a busy machine fails no other test.
      const patience = title.startsWith('hanging') ? { timeoutMs: 1500, retries: 0 } : {};
      const sweep = await read(clujAndBucharest(), handle, patience);
      assert.deepEqual(sweep.rejections.counts(), { [reason]: 1 });
      assert.equal(sweep.units.get(`${CLUJ}:petrol`), 'failed');
      assert.equal([...sweep.units.values()].filter((outcome) => outcome === 'read').length, 9);
    });
  }
});

test('an unreachable register fails the source with one sentence', async () => {
  const base = await listen(new ProgrammableRegister(), () => false);
  await open.pop()?.close();
  await assert.rejects(sweepOver(fetchFrom(base)), (error: Error) => {
    assert.ok(error instanceof SourceFailed);
    assert.match(
      error.message,
      /^the register is unhealthy: for petrol in Bucharest it gave no answer from 127.* the connection was refused$/,
    );
    return true;
  });
});

test('a deadline ends a sweep of a hanging register immediately', async () => {
  const stop = new AbortController();
  const base = await listen(new ProgrammableRegister(), () => {
    stop.abort(new Error('no result in time'));
    return true;
  });
  await assert.rejects(sweepOver(fetchFrom(base, {}, stop.signal), stop.signal), /no result in time/);
});

/** Handles an answer its own way, or leaves it as it is (`false`). */
type Handle = (response: ServerResponse, body: string, status: number) => boolean;

async function read(
  register: ProgrammableRegister,
  handle: Handle,
  options: Partial<DownloaderOptions> = {},
): Promise<Sweep> {
  return sweepOver(fetchFrom(await listen(register, handle), options));
}

function sweepOver(fetch: Fetch, signal = new AbortController().signal): Promise<Sweep> {
  return registerSource({ units: [179132, CLUJ] }).sweep({
    fetch,
    parallel: 2,
    now: Date.parse('2026-11-20T08:00:00Z'),
    ranges: DEFAULT_RANGES,
    unitsWithRows: new Set(),
    extraUnits: [],
    onProgress: () => undefined,
    signal,
  });
}

function fetchFrom(base: string, options: Partial<DownloaderOptions> = {}, signal?: AbortSignal): Fetch {
  const downloader = createDownloader({
    userAgent: 'Pompa test (+mailto:me@example.org)',
    timeoutMs: 20_000,
    maxBytes: 2_000_000,
    retries: 1,
    pauseMs: 0,
    parallel: 2,
    backoffMs: 0,
    allowPrivate: true,
    ...options,
  });
  open.push(downloader);
  return (target, wish) => downloader.download(`${base}/${target}`, { ...wish, signal });
}

async function listen(register: ProgrammableRegister, handle: Handle): Promise<string> {
  const server = createServer(async ({ url = '' }, response) => {
    const { status, contentType, body } = await register.fetch(url.replace('/pmonsvc/Gas/', ''));
    if (handle(response, body.toString(), status)) return;
    response.writeHead(status, { 'content-type': contentType }).end(body);
  });
  open.push({
    close: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(done));
    },
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/pmonsvc/Gas`;
}

function clujAndBucharest(): ProgrammableRegister {
  const prices = { petrol: 9.1, petrol_premium: 9.9, diesel: 9.3, diesel_premium: 10.1, lpg: 4.3 };
  return new ProgrammableRegister().add({ id: 'R1', network: 'PETROM', unit: CLUJ, lat: 46.77, lng: 23.59, prices });
}

function isCluj({ req }: ServerResponse): boolean {
  return req.url?.endsWith(PETROL_IN_CLUJ) === true;
}

function drip(response: ServerResponse, drops: readonly Buffer[]): void {
  const [drop, ...rest] = drops;
  if (drop) response.write(drop, () => drip(response, rest));
  else response.end();
}

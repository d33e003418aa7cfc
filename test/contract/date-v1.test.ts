/** `/date/v1/…`: the files of open data, as downloads, caches and readers of Parquet ask for them. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type PublishedDumps, publishedDumps } from '../../src/app/dumps/published-dumps.ts';
import { dataPackage } from '../../src/dumps/description/data-package.ts';
import { type DumpFile, type DumpManifest, MANIFEST_FILE } from '../../src/dumps/manifest.ts';
import { dumpFolder } from '../../src/dumps/published/dump-folder.ts';
import { aWaitingSite } from '../support/service/site-builders.ts';
import { TestService } from '../support/service/test-service.ts';

const dataDir = mkdtempSync(path.join(os.tmpdir(), 'pompa-dumps-'));
const folder = dumpFolder(dataDir);
const CURRENT = 'preturi/preturi.parquet';
const PAST = 'zilnic/an=2026/zilnic-2026-03.csv.gz';
const HUGE = 'preturi/preturi.geojson';
const TEXT = 'abcdefghij'.repeat(10);
const DATE = 'Fri, 20 Nov 2026 08:00:00 GMT';

const aFile = (file: Pick<DumpFile, 'path' | 'table' | 'format' | 'month' | 'isFinal'>): DumpFile => ({
  ...{ revision: 1, bytes: 100, sha256: '0'.repeat(64), rows: 1, sources: ['register'] },
  ...file,
});
const MANIFEST: DumpManifest = {
  madeAt: Date.parse('2026-11-20T08:00:00Z'),
  updatedAt: null,
  cursor: null,
  simulated: false,
  allowed: ['register'],
  files: [
    aFile({ path: CURRENT, table: 'preturi', format: 'parquet', month: null, isFinal: false }),
    aFile({ path: HUGE, table: 'preturi', format: 'geojson', month: null, isFinal: false }),
    aFile({ path: PAST, table: 'zilnic', format: 'csv.gz', month: '2026-03', isFinal: true }),
  ],
  emptyMonths: [],
  errata: [],
};

let dumps: PublishedDumps;
let service: TestService;
before(async () => {
  for (const [name, text] of Object.entries({
    [CURRENT]: TEXT,
    [PAST]: TEXT,
    [HUGE]: 'x'.repeat(8_000_000),
    'secret.txt': TEXT,
  }))
    put(name, text);
  writeFileSync(path.join(dataDir, 'secret.txt'), TEXT);
  put(MANIFEST_FILE, JSON.stringify(dataPackage(MANIFEST, 'https://pompa.example/date/v1/')));
  dumps = (await publishedDumps(dataDir, ['register'])) as PublishedDumps;
  const site = aWaitingSite();
  service = await TestService.start({ dumps, site: (target) => site(target) });
});
after(async () => {
  dumps.close();
  await service.api.close();
  rmSync(dataDir, { recursive: true });
});

function put(name: string, text: string): void {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  utimesSync(file, new Date(DATE), new Date(DATE));
}
const get = (name: string, headers: Record<string, string> = {}, method = 'GET') =>
  service.ask(`/date/v1/${name}`, { method, headers });

describe('200', () => {
  it('has the bytes of the file, its type, its licence, and what caches and pages of other origins need', async () => {
    const { status, headers, raw } = await get(CURRENT);
    assert.equal(status, 200);
    assert.equal(raw.toString(), TEXT);
    assert.equal(headers['content-type'], 'application/vnd.apache.parquet');
    assert.equal(headers['content-length'], '100');
    assert.equal(headers['accept-ranges'], 'bytes');
    assert.equal(headers['last-modified'], DATE);
    assert.equal(headers['cache-control'], 'public, max-age=300');
    assert.equal(headers['access-control-allow-origin'], '*');
    assert.match(String(headers.link), /rel="license"/);
    assert.match(String(headers.etag), /^"[\w-]+"$/);
  });

  it('of a past month may be kept for ever, and is the archive itself, not a coding of the answer', async () => {
    const { headers } = await get(PAST, { 'Accept-Encoding': 'gzip, br' });
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal(headers['content-type'], 'application/gzip');
    assert.equal(headers['content-encoding'], undefined);
  });

  it('is the same for an encoded equals sign, and for HEAD without the body', async () => {
    const plain = await get(PAST);
    assert.equal((await get(PAST.replace('=', '%3D'))).raw.toString(), TEXT);
    const head = await get(PAST, {}, 'HEAD');
    assert.equal(head.raw.length, 0);
    assert.equal((await get(PAST, { Range: 'bytes=0-9' }, 'HEAD')).status, 200);
    for (const name of ['etag', 'content-length', 'content-type', 'last-modified'])
      assert.equal(head.headers[name], plain.headers[name], name);
  });

  it('has the small tables for spreadsheets, as new as the pages', async () => {
    const { status, headers, text } = await get('preturi/national.csv');
    assert.equal(status, 200);
    assert.equal(headers['content-type'], 'text/csv; charset=utf-8; header=present');
    assert.equal(headers['access-control-allow-origin'], '*');
    assert.match(text, /^data,actualizat_la,tip,nume,min,mediu,max\r\n2026-11-20,/);
    for (const name of ['orase', 'retele']) assert.equal((await get(`preturi/${name}.csv`)).status, 200);
  });
});

describe('206 and 416', () => {
  it('have the part that was asked for, or say how long the file is', async () => {
    const part = await get(CURRENT, { Range: 'bytes=10-14' });
    assert.deepEqual([part.status, part.raw.toString()], [206, 'abcde']);
    assert.equal(part.headers['content-range'], 'bytes 10-14/100');
    assert.equal(part.headers['content-length'], '5');
    assert.equal((await get(CURRENT, { Range: 'bytes=-3' })).raw.toString(), 'hij');
    const beyond = await get(CURRENT, { Range: 'bytes=100-' });
    assert.deepEqual([beyond.status, beyond.headers['content-range'], beyond.raw.length], [416, 'bytes */100', 0]);
    assert.equal(beyond.headers['cache-control'], 'no-store');
    assert.equal((await get(CURRENT, { Range: 'bytes=0-1,5-6' })).status, 200);
  });

  it('continue a download only of the same bytes', async () => {
    const { headers } = await get(CURRENT);
    const continued = (tag: string) => get(CURRENT, { Range: 'bytes=90-', 'If-Range': tag });
    assert.equal((await continued(String(headers.etag))).status, 206);
    assert.equal((await continued(DATE)).status, 206);
    assert.deepEqual([(await continued('"other"')).status, (await continued('"other"')).raw.length], [200, 100]);
  });
});

describe('304', () => {
  it('answers a client that has the file', async () => {
    const { headers } = await get(CURRENT);
    for (const condition of [{ 'If-None-Match': String(headers.etag) }, { 'If-Modified-Since': DATE }]) {
      const { status, raw, headers: again } = await get(CURRENT, condition);
      assert.deepEqual([status, raw.length, again.etag], [304, 0, headers.etag]);
    }
    assert.equal((await get(CURRENT, { 'If-None-Match': '"other"' })).status, 200);
  });
});

describe('302', () => {
  it('leads from the address of the folder, which the files name as theirs, to the page that lists them', async () => {
    for (const target of ['/date/v1', '/date/v1/'])
      for (const method of ['GET', 'HEAD']) {
        const { status, headers } = await service.ask(target, { method });
        assert.deepEqual([status, headers.location], [302, '/date'], target);
      }
  });
});

describe('404', () => {
  it('is a sentence in both languages for programs, not a page', async () => {
    for (const method of ['GET', 'POST']) {
      const { status, headers, text } = await get('preturi/preturi.xlsx', {}, method);
      assert.equal(status, 404);
      assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
      assert.equal(headers['access-control-allow-origin'], '*');
      assert.match(text, /^Nu există un fișier cu acest nume\..*\/date\.\nThere is no file of this name\..*\n$/);
    }
  });

  it('answers every name that the manifest does not have, in the folder or outside', async () => {
    symlinkSync(path.join(dataDir, 'secret.txt'), path.join(folder, 'ERATA.md'));
    for (const name of [
      'secret.txt',
      '../secret.txt',
      '..%2fsecret.txt',
      'zilnic/../../secret.txt',
      'ERATA.md',
      'zilnic/',
      '%00',
      'preturi/preturi.parquet/',
      '.preparing-x/a',
    ])
      assert.equal((await get(name)).status, 404, name);
  });

  it('answers all of them where no source may be dumped, or not all of those that were', async () => {
    assert.equal(await publishedDumps(dataDir, []), null);
    const fewer = (await publishedDumps(dataDir, ['manual'])) as PublishedDumps;
    assert.equal(fewer.has(CURRENT), false);
    fewer.close();
  });
});

describe('503', () => {
  it('says before the first dump is made that there will be files, with the time after which to try again', async (test) => {
    const empty = mkdtempSync(path.join(os.tmpdir(), 'pompa-dumps-'));
    const none = (await publishedDumps(empty, ['register'])) as PublishedDumps;
    const site = aWaitingSite();
    test.after(() => rmSync(empty, { recursive: true }));
    test.after(() => none.close());
    const other = await TestService.during(test, { dumps: none, site: (target) => site(target) });
    const { status, headers, text } = await other.ask(`/date/v1/${CURRENT}`);
    assert.deepEqual([status, headers['retry-after']], [503, '60']);
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
    assert.match(text, /^Fișierele se pregătesc acum/);
    assert.equal((await other.ask('/date/v1/preturi/national.csv')).status, 200);
  });
});

describe('405 and OPTIONS', () => {
  it('allow reading only, with the headers of ranges from any origin', async () => {
    assert.equal((await get(CURRENT, {}, 'DELETE')).status, 405);
    const { status, headers } = await get(CURRENT, {}, 'OPTIONS');
    assert.equal(status, 204);
    assert.match(String(headers['access-control-allow-headers']), /Range/);
  });
});

describe('a download', () => {
  it('ends with the file that it began with, although another one takes its name', async () => {
    const socket = net.connect(service.port, '127.0.0.1');
    socket.write(`GET /date/v1/${HUGE} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    let received = '';
    for await (const chunk of socket.setEncoding('latin1')) {
      if (received === '') {
        writeFileSync(path.join(folder, 'next'), '{"y":1}');
        renameSync(path.join(folder, 'next'), path.join(folder, HUGE));
      }
      received += chunk;
    }
    const body = received.slice(received.indexOf('\r\n\r\n') + 4);
    assert.equal(body.length, 8_000_000);
    assert.ok(!body.includes('y'));
    assert.deepEqual((await get(HUGE)).json, { y: 1 });
  });

  it('of one client waits when it has many, and leaves room for others; one that has gone gives its turn back', async () => {
    const gone = new AbortController();
    const turn = (client: string) => dumps.takeTurn(client, gone.signal);
    const held = await Promise.all(Array.from({ length: 6 }, () => turn('192.0.2.1')));
    assert.ok(held.every((release) => release !== null));
    const waiting = turn('192.0.2.1');
    const other = await turn('198.51.100.1');
    assert.ok(other !== null);
    held[0]?.();
    const next = await waiting;
    assert.ok(next !== null);
    const refused = turn('192.0.2.1');
    gone.abort();
    assert.equal(await refused, null);
    for (const release of [...held, other, next]) release?.();
  });

  it('that cannot begin is 503, with the time after which to try again', async () => {
    const busy: PublishedDumps = { ...dumps, takeTurn: async () => null };
    const other = await TestService.start({ dumps: busy });
    const { status, headers, json } = await other.ask(`/date/v1/${CURRENT}`);
    assert.deepEqual([status, headers['retry-after']], [503, '5']);
    assert.match(json.message, /^Prea multe fișiere se descarcă/);
    assert.equal((await other.ask(`/date/v1/${CURRENT}`, { method: 'HEAD' })).status, 200);
    await other.api.close();
  });
});

/** Servers that follow each other over HTTP: one reads a database, the others have none. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, test } from 'node:test';
import { pino } from 'pino';
import { startService } from '../../src/app/start-service.ts';
import { readConfig } from '../../src/config/config.ts';
import { KEY_BYTES, makeApiKey } from '../../src/domain/access/api-key.ts';
import type { PublicationAnnouncement } from '../../src/domain/prices/publication-announcement.ts';
import { digestOf } from '../../src/worker/serving/publication-parts.ts';
import { setUpCollector } from '../support/collection/collector-fixture.ts';

const { database, fakeSource, bench } = setUpCollector();
const TOKEN = 'a-token-of-at-least-thirty-two-characters';
const PUBLICATION = '/internal/publication';
const authorization = `Bearer ${TOKEN}`;

const open: { close(): Promise<unknown> | unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

type Settings = Record<string, string>;

/** A running `serve` with a folder of its own, and what it logged. */
async function serve(settings: Settings, folder = newFolder()) {
  const logged: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(JSON.parse(line).msg) });
  const stop = new AbortController();
  const config = readConfig(
    { DATA_DIR: folder, PORT: '0', METRICS_PORT: '0', FOLLOW_TOKEN: TOKEN, ...settings },
    folder,
  );
  const service = await startService({ config, log, worker: false, simulated: false, signal: stop.signal });
  let closed: Promise<void> | undefined;
  const close = () => {
    stop.abort();
    closed ??= service.close();
    return closed;
  };
  open.push({ close });
  return { ...service, folder, logged, close };
}

function newFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-followers-'));
  open.push({ close: () => rmSync(folder, { recursive: true }) });
  return folder;
}

const leader = () => serve({ DATABASE_URL: database.url });
const followerOf = (url: string, folder?: string) => serve({ FOLLOW_URL: url }, folder);

/** Publishes a price of now; resolves with its version. */
async function publish(price: number, when = Date.now()): Promise<number> {
  fakeSource.respondsWith({ R1: { petrol: price }, R2: { petrol: price + 100, diesel: price + 200 } });
  const { version } = await bench.run(new Date(when).toISOString());
  return version as number;
}

const get = (address: string, target: string, headers: Settings = {}) => fetch(`${address}${target}`, { headers });
const textOf = async (address: string, target: string) => (await get(address, target)).text();
const announced = async (address: string) =>
  (await (await get(address, PUBLICATION, { authorization })).json()) as PublicationAnnouncement;

/** Waits until a server is ready for requests. */
const ready = ({ address }: { readonly address: string }) =>
  eventually(async () => (await get(address, '/readyz')).status === 200);

/** The announcement of a server, once it is as wanted. */
async function announcedOnce(address: string, wanted: (announcement: PublicationAnnouncement) => boolean) {
  let last = await announced(address);
  await eventually(async () => {
    last = await announced(address);
    return wanted(last);
  });
  return last;
}

/** The digest that a request names; empty = the announcement. */
const digestIn = (url: string) => new URL(url, 'http://localhost').pathname.slice(PUBLICATION.length + 1);

/** A server that answers as told. */
async function fakeServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a server that follows another', { timeout: 120_000 }, () => {
  test('serves without a database what that one serves, each publication of it, and forwards it', async () => {
    await publish(7_000);
    const first = await leader();
    const second = await followerOf(first.address);
    const third = await followerOf(second.address);
    await third.follower.waitForVersion(1);
    const version = await publish(7_100);
    await third.follower.waitForVersion(version);
    for (const target of ['/api/v1/preturi/minime', '/api/v1/statii?lat=44.5&lon=26.1', '/api/v1/retele'])
      assert.equal(await textOf(third.address, target), await textOf(first.address, target), target);
    const healthOf = async (address: string) => (await get(address, '/api/v1/health')).status;
    assert.equal(await healthOf(third.address), await healthOf(first.address));
    assert.equal((await get(third.address, '/')).status, 200);
    const own = await announcedOnce(first.address, ({ parts }) => parts.length === 3);
    const forwarded = await announcedOnce(third.address, (each) => each.version === version && each.parts.length === 3);
    assert.deepEqual(forwarded.parts, own.parts, 'the same bytes');
    assert.deepEqual([forwarded.servers.length, forwarded.isFromDatabase, forwarded.isLoop], [3, true, false]);
    assert.doesNotMatch([...first.logged, ...second.logged, ...third.logged].join('\n'), /FOLLOW_URL|follow/);
  });

  test('shows whether it can follow, when it last took a publication, and who waits for one', async () => {
    await publish(7_000);
    const first = await leader();
    const second = await followerOf(first.address);
    await second.follower.waitForVersion(1);
    const figure = async ({ metrics }: typeof first, name: string, from?: string) => {
      const { values = [] } = (await metrics()).find((metric) => metric.name === name) ?? {};
      return values.find(({ labels }) => from === undefined || labels.from === from)?.value;
    };
    assert.equal(await figure(second, 'pompa_followed_up'), 1);
    const reads = (from: string) => figure(second, 'pompa_publication_reads_total', from);
    assert.ok(((await reads('followed')) as number) >= 1);
    assert.equal(await reads('primary'), 0);
    assert.ok(((await figure(first, 'pompa_publication_reads_total', 'primary')) as number) >= 1);
    await eventually(async () => (await figure(first, 'pompa_followers_waiting')) === 1);
    const takenAt = (await figure(second, 'pompa_followed_taken_timestamp_seconds')) as number;
    assert.ok(Math.abs(Date.now() / 1000 - takenAt) < 60, String(takenAt));
    assert.equal(await figure(first, 'pompa_followed_up'), undefined, 'it follows nobody');
    await first.close();
    await eventually(async () => (await figure(second, 'pompa_followed_up')) === 0);
  });

  test('has the statistics of past days', async () => {
    await publish(7_000, Date.now() - 2 * 86_400_000);
    await publish(7_100);
    const first = await leader();
    const second = await followerOf(first.address);
    const days = (service: typeof first) => service.snapshot().statistics('national', 'petrol');
    await ready(first);
    assert.ok(days(first).length > 0, 'a server that is ready has them');
    await ready(second);
    assert.deepEqual(days(second), days(first));
    const isWhole = ({ version, parts }: PublicationAnnouncement) => version === 2 && parts.length === 3;
    await announcedOnce(second.address, isWhole);
  });

  test('answers what needs a database as when the database is away, and promises no feed of changes', async () => {
    await publish(7_000);
    const first = await leader();
    const second = await followerOf(first.address);
    await second.follower.waitForVersion(1);
    const withKey = await get(second.address, '/api/v1/preturi', { 'x-api-key': makeApiKey(randomBytes(KEY_BYTES)) });
    assert.deepEqual([withKey.status, withKey.headers.get('Retry-After')], [503, '30']);
    const capped = async () => (await get(second.address, '/api/v1/judete/Cluj')).status;
    assert.deepEqual([await capped(), await capped()], [200, 429]);
    const prices = await get(second.address, '/api/v1/preturi/minime');
    assert.equal(prices.headers.get('Pompa-Cursor'), null);
    await ready(second);
  });

  test('keeps its last publication without the other, after a start too, and never takes an older one', async () => {
    const now = Date.now();
    await publish(7_000, now - 60_000);
    const old = await leader();
    await old.follower.waitForVersion(1);
    const older = await announcedOnce(old.address, ({ version }) => version === 1);
    const parts = new Map(
      await Promise.all(
        older.parts.map(async ({ digest }) => {
          const part = await get(old.address, `${PUBLICATION}/${digest}`, { authorization });
          return [digest, Buffer.from(await part.arrayBuffer())] as const;
        }),
      ),
    );
    await publish(7_100, now);
    const folder = newFolder();
    const second = await followerOf(old.address, folder);
    await second.follower.waitForVersion(2);
    const served = await textOf(second.address, '/api/v1/preturi/minime');
    await second.close();
    await old.close();
    let asked = 0;
    const behind = await fakeServer(({ url = '' }, response) => {
      const digest = digestIn(url);
      if (digest === '') asked += 1;
      response.end(parts.get(digest) ?? JSON.stringify(older));
    });
    const again = await followerOf(behind, folder);
    // It asks again once it has decided on the first answer.
    await eventually(() => asked >= 2);
    assert.equal(again.snapshot().version, 2);
    await ready(again);
    assert.equal(await textOf(again.address, '/api/v1/preturi/minime'), served);
  });

  test('takes nothing that is not what was announced', async () => {
    await publish(7_000);
    const first = await leader();
    await first.follower.waitForVersion(1);
    const announcement = await announcedOnce(first.address, ({ version }) => version === 1);
    const wrong: [string, PublicationAnnouncement | string, (digest: string) => Buffer][] = [
      ['damaged bytes', announcement, () => Buffer.from('damaged')],
      ['another format', { ...announcement, format: 'pompa-publication-0' }, () => Buffer.alloc(0)],
      ['another program', '<html>', () => Buffer.alloc(0)],
    ];
    const expected = [/is not what it announced/, /sends "pompa-publication-0"/, /is not Pompa/];
    for (const [index, [what, body, part]] of wrong.entries()) {
      const url = await fakeServer((request, response) => {
        const digest = digestIn(request.url as string);
        const announcementText = typeof body === 'string' ? body : JSON.stringify(body);
        response.end(digest === '' ? announcementText : part(digest));
      });
      const follower = await followerOf(url);
      await eventually(() => follower.logged.length > 0);
      assert.match(follower.logged[0] as string, expected[index] as RegExp, what);
      assert.equal(follower.snapshot().version, 0, what);
    }
  });

  test('finds that it follows itself, by way of another', async () => {
    const second = await followerOf('http://127.0.0.1:1');
    const third = await followerOf(second.address);
    await announcedOnce(third.address, ({ servers }) => servers.length === 2);
    await second.close();
    const again = await serve({ FOLLOW_URL: third.address, PORT: new URL(second.address).port }, second.folder);
    await announcedOnce(third.address, ({ isLoop }) => isLoop);
    await eventually(() => [again, third].every(({ logged }) => LOOP.test(logged.join('\n'))));
    const found = [again, third].filter(({ logged }) => /FOLLOW_URL leads back to this server/.test(logged.join('\n')));
    assert.ok(found.length > 0);
  });
});

/** Each of the two that follow each other names it. */
const LOOP = /FOLLOW_URL leads back to this server|the server at FOLLOW_URL follows itself, by way of/;

describe('the publication', { timeout: 120_000 }, () => {
  test('is relayed to holders of the token alone, and by nobody without one', async () => {
    await publish(7_000);
    const first = await leader();
    await announcedOnce(first.address, ({ version }) => version === 1);
    const status = async (headers: Settings, target = PUBLICATION) =>
      (await get(first.address, target, headers)).status;
    const [part] = (await announced(first.address)).parts;
    const target = `${PUBLICATION}/${part?.digest}`;
    assert.equal(await status({}), 401);
    assert.equal(await status({ authorization: `Bearer ${TOKEN}x` }), 401);
    assert.equal(await status({ authorization: `Basic ${TOKEN}` }), 401);
    assert.equal(await status({}, target), 401);
    assert.equal(await status({ authorization }, `${PUBLICATION}/${'0'.repeat(64)}`), 404);
    const received = await get(first.address, target, { authorization });
    assert.equal(digestOf(Buffer.from(await received.arrayBuffer())), part?.digest);
    const closed = await serve({ FOLLOW_TOKEN: '', DATABASE_URL: database.url });
    assert.equal((await get(closed.address, PUBLICATION, { authorization })).status, 404);
    const secret = randomBytes(16).toString('hex');
    assert.equal((await get(closed.address, `${PUBLICATION}/${secret}`, { authorization })).status, 404);
  });

  test('is announced as soon as it is there to whoever waits, and is unchanged until then', async () => {
    await publish(7_000);
    const first = await leader();
    await announcedOnce(first.address, ({ version, parts }) => version === 1 && parts.length === 3);
    const known = await get(first.address, PUBLICATION, { authorization });
    const tag = known.headers.get('etag') as string;
    assert.equal(tag, `"${digestOf(await known.text())}"`);
    const ask = (wait: string) => get(first.address, PUBLICATION + wait, { authorization, 'if-none-match': tag });
    assert.equal((await ask('')).status, 304);
    const waiting = ask('?wait=20');
    await publish(7_100);
    const answer = await waiting;
    assert.equal(((await answer.json()) as PublicationAnnouncement).version, 2);
  });
});

/** Waits for a condition that the events of servers bring about. */
async function eventually(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 10));
}

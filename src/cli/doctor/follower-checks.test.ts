import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { collectionSettingsOf } from '../../app/settings/derived-settings.ts';
import { readConfig } from '../../config/config.ts';
import { NO_PUBLISHED_FACTS } from '../../domain/prices/facts.ts';
import { settingsDigest } from '../../domain/prices/publication-announcement.ts';
import { deleteLastGood, saveLastGood } from '../../store/prices/last-good.ts';
import { followFindings } from './follower-checks.ts';
import { replicaFindings } from './replica-checks.ts';

const TOKEN = 'a-token-of-at-least-thirty-two-characters';
const NOW = Date.parse('2026-11-27T12:00:00Z');
const MINUTE_MS = 60_000;

let folder: string;
let server: Server;
/** What the followed server answers. */
let reply: { status: number; body: string };
before(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-follower-checks-'));
  server = createServer(({ headers }, response) => {
    assert.equal(headers.authorization, `Bearer ${TOKEN}`);
    response.writeHead(reply.status).end(reply.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
after(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const place = () => `127.0.0.1:${(server.address() as AddressInfo).port}`;
const configOf = (url = `http://${place()}`, more: Record<string, string> = {}) =>
  readConfig({ DATA_DIR: folder, FOLLOW_URL: url, FOLLOW_TOKEN: TOKEN, ...more }, folder);

const part = (name: string) => ({ name, digest: 'a'.repeat(64), bytes: 10 });
const announcement = () => ({
  ...{ format: 'pompa-publication-2', version: 7, publishedAt: NOW - 3 * MINUTE_MS },
  parts: [part('facts'), part('history')],
  ...{ servers: ['0123456789abcdef'], isFromDatabase: true, isLoop: false },
  settings: settingsDigest(collectionSettingsOf(configOf())),
});

/** What doctor says of the server when it answers with this. */
async function finding(answer: object | string, status = 200, config = configOf()) {
  reply = { status, body: typeof answer === 'string' ? answer : JSON.stringify(answer) };
  const [found] = await followFindings(config, NOW);
  return { ok: found?.ok, line: found?.detail.replace(place(), 'HOST'), advice: found?.advice };
}

describe('doctor, of the followed server', () => {
  test('says how old its publication is, and by way of how many servers it comes', async () => {
    const line = 'HOST relays publication 7, published 3 minutes ago, by way of 1 servers';
    assert.deepEqual(await finding(announcement()), { ok: true, line, advice: null });
  });

  test('says nothing of it where none is followed', async () => {
    const [found] = await followFindings(readConfig({ DATA_DIR: folder }, folder), NOW);
    assert.deepEqual([found?.ok, found?.detail], [true, 'none: the database is followed']);
  });

  const failures: [string, () => Promise<Awaited<ReturnType<typeof finding>>>, RegExp, RegExp][] = [
    [
      'that cannot be reached',
      () => finding('', 200, configOf('http://127.0.0.1:1')),
      /^127.0.0.1:1: no answer .*connection was refused$/,
      /^check that serve runs there/,
    ],
    ['that is another program', () => finding('<html>'), /what answers there is not Pompa$/, /^check FOLLOW_URL/],
    [
      'that knows no such address',
      () => finding('', 404),
      /relays no publication: it is another program, or Pompa without FOLLOW_TOKEN$/,
      /^check FOLLOW_URL, and set FOLLOW_TOKEN there, too$/,
    ],
    ['with another token', () => finding('{}', 401), /refuses our FOLLOW_TOKEN$/, /^set FOLLOW_TOKEN to that of/],
    [
      'of another version',
      () => finding({ ...announcement(), format: 'pompa-publication-9' }),
      /sends "pompa-publication-9", and this version reads pompa-publication-2$/,
      /same version of Pompa on both$/,
    ],
    [
      'in a loop',
      () => finding({ ...announcement(), isLoop: true }),
      /follows itself/,
      /^set FOLLOW_URL of one of them/,
    ],
    [
      'at the end of a long row',
      () => finding({ ...announcement(), servers: Array(8).fill('0123456789abcdef') }),
      /is the 8th in a chain/,
      /^set FOLLOW_URL of one of them/,
    ],
    [
      'without a publication',
      () => finding({ ...announcement(), version: 0, publishedAt: null, parts: [] }),
      /has no publication yet$/,
      /first collection/,
    ],
    [
      'that has reached no database',
      () => finding({ ...announcement(), isFromDatabase: false }),
      /relays publication 7 from its disk/,
      /^run doctor there/,
    ],
    [
      'whose publication is more than a day old',
      () => finding({ ...announcement(), publishedAt: NOW - 24 * 60 * MINUTE_MS - 1 }),
      /^HOST relays publication 7, published 24 hours ago: its prices have expired$/,
      /^run doctor there/,
    ],
    [
      'with other settings',
      () => finding(announcement(), 200, configOf(undefined, { PRICE_RANGES: 'gpl=2.00-6.00' })),
      /judges prices by other SOURCES or PRICE_RANGES/,
      /^set both as they are set there$/,
    ],
  ];
  for (const [what, find, line, advice] of failures)
    test(`warns of one ${what}, in one line`, async () => {
      const found = await find();
      assert.equal(found.ok, false);
      assert.match(found.line as string, line);
      assert.match(found.advice as string, advice);
      assert.doesNotMatch(`${found.line}${found.advice}`, /\n|thirty/);
    });

  test('warns of one whose publication is older than the one that is here', async () => {
    const facts = { ...NO_PUBLISHED_FACTS, version: 9, publishedAt: NOW };
    await saveLastGood(folder, { facts, series: new Map() });
    const found = await finding(announcement());
    await deleteLastGood(folder);
    assert.match(found.line as string, /relays publication 7, and a later one, 9, is in DATA_DIR here$/);
  });
});

describe('doctor, of the replica', () => {
  let primary: TestDatabase;
  let other: TestDatabase;
  before(async () => {
    primary = await testDatabase();
    other = await testDatabase();
  });
  after(() => Promise.all([primary.drop(), other.drop()]));

  const replica = async (url: string) => {
    const settings = { DATA_DIR: folder, DATABASE_URL: primary.url, DATABASE_READ_URL: url };
    const [found] = await replicaFindings(readConfig(settings, folder), primary);
    return `${found?.ok} ${found?.detail}: ${found?.advice}`;
  };

  test('warns of an address that is none: unreachable, another database, a primary', async () => {
    assert.match(
      await replica('postgres://127.0.0.1:1/none'),
      /^false .*ECONNREFUSED.* are read from the primary: check/,
    );
    assert.match(
      await replica(other.url),
      /^false DATABASE_READ_URL is no replica of DATABASE_URL: it is another database/,
    );
    const same = `${primary.url}?application_name=reader`;
    assert.match(await replica(same), /^false DATABASE_READ_URL is a primary server, and no replica.*or unset it$/);
  });
});

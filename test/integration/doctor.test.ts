/** `pompa doctor` as an operator sees it: it reports what is healthy and what is not, and never prints a secret. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import net, { type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../support/database/test-database.ts';
import { errorSentence, type PompaResult, runPompa } from '../support/processes/pompa-process.ts';
import { timed } from '../support/stopwatch.ts';

type FindingLine = { check: string; ok: boolean; detail: string; advice: string | null };

let folder: string;
let database: TestDatabase;
let place: string;
const sockets = new Set<net.Socket>();
const listener = net.createServer((socket) => {
  sockets.add(socket.on('error', () => undefined));
  socket.once('data', () => assert.fail('doctor sends services no request'));
});

before(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-doctor-'));
  database = await testDatabase();
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  place = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
});
after(async () => {
  for (const socket of sockets) socket.destroy();
  listener.close();
  await database.drop();
  rmSync(folder, { recursive: true });
});

const doctor = (settings: Record<string, string>, words = ['doctor', '--json']): Promise<PompaResult> =>
  runPompa(folder, words, settings);

function findings({ out }: PompaResult): Map<string, FindingLine> {
  const findingsByCheck = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as FindingLine);
  for (const finding of findingsByCheck) {
    assert.deepEqual(Object.keys(finding), ['check', 'ok', 'detail', 'advice']);
    assert.equal(finding.ok, finding.advice === null, finding.check);
  }
  return new Map(findingsByCheck.map((finding) => [finding.check, finding]));
}

/** The database with this setting in every session. The server of the tests does not wait for its disk. */
const withSetting = (setting: string) => `${database.url}?options=${encodeURIComponent(`-c ${setting}`)}`;

const failedChecks = (findingsByCheck: Map<string, FindingLine>) =>
  [...findingsByCheck.values()].filter(({ ok }) => !ok).map(({ check }) => check);

describe('doctor', () => {
  test('ends with 0 for a healthy service', async () => {
    await database.pool.query(`
      insert into sources values ('register', now() - interval '30 minutes', now());
      insert into runs (source, at, started_at, finished_at, outcome, scheduled, forced, requests, rows, rejected, samples,
        matched, new, ambiguous, changed, failed_units, means)
      values ('register', now() - interval '30 minutes', now() - interval '40 minutes', now() - interval '30 minutes', 'delivered', true, false,
        1, 5646, '{}', '{}', 1, 0, '[]', 0, '{}', '{}')`);
    const settings = {
      DATABASE_URL: withSetting('synchronous_commit=on'),
      ...{ SOURCES: 'register', REGISTER_URL: `${place}/pmonsvc/Gas` },
    };
    const ended = await doctor(settings);
    const findingsByCheck = findings(ended);
    assert.deepEqual([failedChecks(findingsByCheck), ended.code, ended.err], [[], 0, '']);
    assert.match(findingsByCheck.get('database')?.detail ?? '', /^PostgreSQL \d+.*, by DATABASE_URL, .*UTF8/);
    assert.equal(findingsByCheck.get('commits')?.detail, 'synchronous_commit is on: accepted counts survive a crash');
    assert.match(findingsByCheck.get('source register')?.detail ?? '', /^delivered 30 minutes ago, 5646 rows$/);
    assert.match(findingsByCheck.get('worker')?.detail ?? '', /^the last run ended 30 minutes ago$/);
    assert.match(findingsByCheck.get('way to register')?.detail ?? '', /^127\.0\.0\.1:\d+ is reachable, \d+ ms$/);
    for (const check of ['program', 'settings', 'migrations', 'connections', 'clock', 'push', 'disk', 'archive']) {
      assert.ok(findingsByCheck.has(check), check);
    }
    const lines = await doctor(settings, ['doctor']);
    assert.deepEqual([lines.code, lines.err], [0, '']);
    assert.ok(
      lines.out.split('\n').every((line) => line === '' || line.startsWith('ok   ')),
      lines.out,
    );
    assert.deepEqual(readdirSync(folder), [], 'it leaves no files behind');
  });

  test('reports a database that may lose what was counted, and one that stores nothing', async () => {
    const [losing, readOnly] = await Promise.all([
      doctor({ DATABASE_URL: withSetting('synchronous_commit=off') }),
      doctor({ DATABASE_URL: withSetting('default_transaction_read_only=on') }),
    ]);
    const commits = findings(losing).get('commits');
    assert.equal(commits?.detail, 'synchronous_commit is off: a crash of the server loses accepted counts');
    assert.match(commits?.advice ?? '', /^set it to on, /);
    const storing = findings(readOnly).get('database');
    assert.match(storing?.detail ?? '', /; it is read-only$/);
    assert.match(storing?.advice ?? '', /^reset default_transaction_read_only/);
  });

  test('continues without the database, reports what is wrong, and ends with 1', async () => {
    const settings = {
      DATABASE_URL: 'postgres://u:geheim@127.0.0.1:1/nothing',
      CAPTCHA_SECRET: 'geheim',
      CAPTCHA_URL: 'http://127.0.0.1:1/verify',
      TANKERKOENIG_API_KEY: 'geheim',
      TANKERKOENIG_URL: place,
      ROUTER_URL: 'http://127.0.0.1:1',
      PUBLIC_URL: 'https://pompa.example.ro',
    };
    const ended = await doctor(settings);
    const findingsByCheck = findings(ended);
    assert.equal(ended.code, 1);
    assert.deepEqual(failedChecks(findingsByCheck), ['proxies', 'database', 'way to the captcha', 'routing engine']);
    assert.equal(
      errorSentence(ended),
      `pompa: 4 of ${findingsByCheck.size} checks failed: proxies, database, way to the captcha, routing engine`,
    );
    assert.match(findingsByCheck.get('database')?.detail ?? '', /ECONNREFUSED.*were not checked$/);
    assert.match(
      findingsByCheck.get('way to the captcha')?.detail ?? '',
      /cannot be reached: the connection was refused$/,
    );
    assert.doesNotMatch(ended.out + ended.err, /geheim/);
  });

  test('reports an invalid setting, and a key pair that does not match', async () => {
    const [setting, pair] = await Promise.all([
      doctor({ COLLECT_EVERY: '3' }),
      doctor({
        VAPID_PUBLIC_KEY: `B${'A'.repeat(86)}`,
        VAPID_PRIVATE_KEY: `${'A'.repeat(42)}E`,
        VAPID_SUBJECT: 'mailto:a@b.ro',
      }),
    ]);
    assert.match(findings(setting).get('settings')?.detail ?? '', /^COLLECT_EVERY must be a duration/);
    assert.equal(errorSentence(setting), 'pompa: 1 of 2 checks failed: settings');
    assert.match(findings(pair).get('settings')?.detail ?? '', /VAPID_PUBLIC_KEY must belong to VAPID_PRIVATE_KEY/);
    assert.deepEqual([setting.code, pair.code], [1, 1]);
  });

  test('creates no database where there is none, and does not report that as healthy', async () => {
    const own = path.join(folder, 'fresh');
    const ended = await doctor({ DATA_DIR: own });
    assert.deepEqual(failedChecks(findings(ended)), ['database']);
    assert.deepEqual(readdirSync(folder), []);
  });

  test('finishes within 10 seconds even if nothing answers', async () => {
    const unresponsive = net.createServer((socket) => void sockets.add(socket.on('error', () => undefined)));
    unresponsive.listen(0, '127.0.0.1');
    await once(unresponsive, 'listening');
    const at = `127.0.0.1:${(unresponsive.address() as AddressInfo).port}`;
    const { ms, result: ended } = await timed(() =>
      doctor({
        DATABASE_URL: `postgres://u:p@${at}/x`,
        SOURCES: 'register',
        // Accepts the connection, but never sends a handshake.
        REGISTER_URL: `https://${at}/Gas`,
        CONTACT: 'ops@example.org',
        ROUTER_URL: `http://${at}`,
        ...{ STRIPE_SECRET_KEY: 'sk_test_123456', STRIPE_WEBHOOK_SECRET: 'whsec_123456' },
        ...{ STRIPE_API_URL: `http://${at}`, SMTP_URL: `smtp://${at}`, MAIL_FROM: 'pompa@example.org' },
        ...{
          SELLER_NAME: 'Pompa SRL',
          SELLER_ADDRESS: 'Cluj',
          SELLER_TAX_ID: 'RO1',
          SELLER_CONTACT: 'ops@example.org',
        },
      }),
    );
    unresponsive.close();
    const findingsByCheck = findings(ended);
    const ofSelling = ['mail relay', 'prices at Stripe', 'portal at Stripe', 'endpoint at Stripe'];
    assert.deepEqual(failedChecks(findingsByCheck), ['database', 'way to register', 'routing engine', ...ofSelling]);
    assert.match(findingsByCheck.get('way to register')?.detail ?? '', /no connection within 5 s$/);
    assert.ok(ms < 15_000, `${ms} ms`);
  });

  test('names the migrations of a newer release, and refuses those that do not suit this one', async () => {
    const migrationsLine = async () => findings(await doctor({ DATABASE_URL: database.url })).get('migrations');
    const add = 'insert into schema_migrations (number, name, sha256, compatible_from) values (9001, $1, $2, $3)';
    await database.pool.query(add, ['9001-next', 'x', 20]);
    const suits = await migrationsLine();
    assert.deepEqual(
      [suits?.ok, suits?.detail],
      [true, 'all are applied, and of a newer release 9001-next: back up with that release'],
    );
    await database.pool.query('update schema_migrations set compatible_from = 9000 where number = 9001');
    const refused = await migrationsLine();
    assert.equal(refused?.ok, false);
    assert.match(
      refused?.detail ?? '',
      /^the database is of a newer Pompa: it has the migration 9001-next, .* start the newer version/,
    );
    await database.pool.query('delete from schema_migrations where number = 9001');
  });

  test('detects a damaged last good state and missing migrations', async () => {
    const own = path.join(folder, 'damaged');
    await mkdir(own);
    writeFileSync(path.join(own, 'last-good.snapshot'), 'half');
    await database.pool.query(
      'delete from schema_migrations where number = (select max(number) from schema_migrations)',
    );
    const findingsByCheck = findings(
      await doctor({ DATABASE_URL: withSetting('synchronous_commit=on'), DATA_DIR: own }),
    );
    assert.deepEqual(failedChecks(findingsByCheck), ['migrations', 'last good state']);
    assert.match(findingsByCheck.get('migrations')?.detail ?? '', /^not applied yet: \d{4}-/);
    rmSync(own, { recursive: true });
  });

  test('accepts no arguments', async () => {
    const ended = await doctor({}, ['doctor', 'all']);
    assert.deepEqual([ended.code, ended.out], [2, '']);
    assert.match(errorSentence(ended), /^pompa: usage: pompa doctor/);
  });
});

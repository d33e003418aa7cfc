/** The service with a role that owns nothing, as docs/DATABASE.md sets it up, and migrations by the owner. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ServiceProcesses } from '../../resilience/engine/service-processes.ts';
import { newAddress } from '../../support/builders/client-addresses.ts';
import { waitFor } from '../../support/database/embedded-database.ts';
import { snippetsOf } from '../../support/documented-code.ts';
import { startChild } from '../../support/processes/child-process.ts';
import { errorSentence, runPompa, startPompa } from '../../support/processes/pompa-process.ts';
import { WebhookReceiver } from '../../support/webhooks/webhook-receiver.ts';
import { PostgresServer } from './database-server.ts';

const SOON_MS = 20_000;
const folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-roles-'));
const backups = path.join(folder, 'backups');
const ending: (() => unknown)[] = [];
let server: PostgresServer;
let processes: ServiceProcesses;
let receiver: WebhookReceiver;

const urlOf = (user: string) => server.url({ user, database: 'pompa' });
const command = (user: string, words: string, more: Record<string, string> = {}) =>
  runPompa(folder, words.split(' '), { DATABASE_URL: urlOf(user), ...more });
async function findingOf(check: string) {
  const { out } = await command('pompa_app', 'doctor --json');
  const findings = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return findings.find((finding) => finding.check === check);
}

before(async () => {
  mkdirSync(backups, { mode: 0o700 });
  receiver = await WebhookReceiver.during({ after: (end) => void ending.push(end as () => unknown) });
  server = await PostgresServer.start();
  const [roles = '', rights = ''] = snippetsOf('docs/DATABASE.md', 'sql');
  // A database cannot be created within a group of statements.
  for (const statement of roles.split(';\n').filter((text) => text.trim() !== '')) await server.sql(statement);
  await server.sql(rights, 'pompa');
  processes = new ServiceProcesses({
    folder,
    settings: { DATABASE_URL: urlOf('pompa_app'), WEBHOOK_ORIGINS: receiver.origin, CAPTCHA_KIND: 'none' },
    answeredWithinMs: SOON_MS,
    onEnd: () => server.end(),
  });
});
after(async () => {
  for (const end of ending) await end();
  await processes.close();
});

describe('a role that owns nothing', { timeout: 600_000 }, () => {
  test('says what to run on an empty database, and serves as soon as the owner has migrated', async () => {
    const serve = startPompa(folder, ['serve', '--no-worker'], {
      ...{ PORT: '0', DATABASE_URL: urlOf('pompa_app'), DATA_DIR: path.join(folder, 'early') },
    });
    ending.push(() => serve.kill('SIGTERM'));
    const said = { out: '', err: '' };
    serve.stdout?.on('data', (text) => {
      said.out += text;
    });
    serve.stderr?.on('data', (text) => {
      said.err += text;
    });
    const exited = new Promise((resolve) => serve.once('exit', resolve));
    const sentence =
      /the database needs migrations that this role may not apply \(.+\): run pompa migrate with the role that owns the tables/;
    await waitFor('the sentence', SOON_MS, () => sentence.test(said.err));
    const address = await waitFor('an address', SOON_MS, () => /listening on (\S+)/.exec(said.out)?.[1]);
    assert.equal((await fetch(`${address}/livez`)).status, 200);
    assert.match(errorSentence(await command('pompa_app', 'migrate')), sentence);
    const finding = await findingOf('migrations');
    assert.equal(finding.ok, false);
    assert.match(finding.advice, /^run pompa migrate with the role that owns the tables/);
    const migrated = await command('pompa_owner', 'migrate');
    assert.equal(migrated.code, 0, migrated.err);
    const { key } = JSON.parse((await command('pompa_app', 'keys create --plan pro --json')).out);
    const ask = async () => (await fetch(`${address}/api/v1/cheie`, { headers: { 'X-Api-Key': key } })).status;
    await waitFor('an answer with a key', SOON_MS, async () => (await ask()) === 200);
    serve.kill('SIGTERM');
    await exited;
    assert.deepEqual([(await findingOf('migrations')).ok, (await findingOf('rights')).ok], [true, true]);
  });

  test('does all that servers and workers do', async () => {
    await processes.open(null);
    const [server1] = processes.servers;
    const address = server1?.address ?? '';
    const worker = startChild('bin/pompa', ['worker'], processes.settings, processes.logFile);
    ending.push(() => worker.end());
    const { key } = JSON.parse((await command('pompa_app', 'keys create --plan pro --json')).out);
    const headers = { 'X-Api-Key': key, 'Content-Type': 'application/json' };
    const post = async (target: string, body: object) => {
      const answer = await fetch(`${address}/api/v1${target}`, { method: 'POST', headers, body: JSON.stringify(body) });
      return { status: answer.status, json: (await answer.json()) as Record<string, never> };
    };
    // From then on changes are told.
    await waitFor('the feed', SOON_MS, async () => (await server.sql(FEED, 'pompa')).length > 0);
    const made = await post('/cheie/webhookuri', { url: `${receiver.origin}/` });
    assert.equal(made.status, 201, JSON.stringify(made.json));
    const tested = await post(`/cheie/webhookuri/${(made.json as { webhook?: { id: string } }).webhook?.id}/test`, {});
    assert.equal(tested.status, 200, JSON.stringify(tested.json));
    receiver.received.length = 0;
    const { collection, ended } = await processes.collect({ leaseMs: null });
    assert.equal((await ended).code, 0, processes.log());
    await processes.waitUntilServed(collection);
    await waitFor('a message', SOON_MS, () => receiver.received.length > 0);
    await review(address, processes.oracle.ids[0] as string);
    await worker.end();
    assert.deepEqual(processes.publications.violations, []);
    assert.doesNotMatch(server.log(), /permission denied|must be owner/);
  });

  test('does the nightly work: backups with their trial and drill, files of open data, pruning', async () => {
    const settings = { BACKUP_DIR: backups, DUMP_SOURCES: 'register', DATA_DIR: processes.dataDir };
    await server.sql(`update leases set expires_at = now() - interval '1 day'`, 'pompa');
    const worked = await command('pompa_app', 'worker --once', settings);
    assert.deepEqual([worked.code, worked.err], [0, '']);
    const [name = ''] = readdirSync(backups);
    assert.match(name, /\.backup$/);
    assert.match((await command('pompa_app', 'restore --drill', settings)).out, /restored beside the service/);
    assert.equal((await command('pompa_app', `erase ${newAddress()}`)).code, 0);
    assert.doesNotMatch(server.log(), /permission denied|must be owner/);
  });

  test('deletes a row, and says that only the owner can erase its bytes', async () => {
    const { out } = await command('pompa_app', 'reviews pending --json');
    const [first] = out
      .trim()
      .split('\n')
      .filter((line) => line !== '');
    const rows = first === undefined ? await server.sql('select id::int from reviews', 'pompa') : [JSON.parse(first)];
    const deleted = await command('pompa_app', `reviews delete ${rows[0]?.id}`);
    assert.equal(deleted.code, 0, deleted.err);
    assert.match(deleted.err, /its bytes stay in the files of reviews for now \(only the owner of the table may erase/);
    const left = await server.sql(`select count(*)::int as left from reviews where id = ${rows[0]?.id}`, 'pompa');
    assert.deepEqual(left, [{ left: 0 }]);
  });

  test('that lacks a right is named by doctor, with the table', async () => {
    await server.sql('revoke delete on reviews from pompa_app', 'pompa');
    const finding = await findingOf('rights');
    assert.equal(finding.ok, false);
    assert.match(finding.detail, /^the role pompa_app may not read and write reviews$/);
    await server.sql('grant delete on reviews to pompa_app', 'pompa');
  });

  test('keeps its running servers while a migration waits for the owner', async () => {
    const taken = `delete from schema_migrations where number = (select max(number) from schema_migrations)
      returning number, name, sha256`;
    const [row] = await server.sql(taken, 'pompa');
    const { collection, ended } = await processes.collect({ leaseMs: null, captureStderr: true });
    const { code, errorOutput } = await ended;
    assert.equal(code, 1);
    assert.match(errorOutput, new RegExp(`may not apply \\(${row?.name}\\): run pompa migrate`));
    for (const { address } of processes.servers) assert.equal((await fetch(`${address}/readyz`)).status, 200);
    await server.sql(
      `insert into schema_migrations (number, name, sha256) values (${row?.number}, '${row?.name}', '${row?.sha256}')`,
      'pompa',
    );
    assert.equal(collection, processes.publications.latest);
    assert.deepEqual(processes.publications.violations, []);
  });
});

const FEED = 'select from change_feed where epoch is not null';

/** Stars, which need no captcha. */
async function review(address: string, station: string): Promise<void> {
  const answer = await fetch(`${address}/api/v1/review`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': newAddress() },
    body: JSON.stringify({ statie_slug: `a-b-${station}`, rating: 5 }),
  });
  assert.equal(answer.status, 200, await answer.text());
}

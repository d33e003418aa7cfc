/** The service behind PgBouncer, with and without the address of the server itself. */
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createWebhookService } from '../../../src/app/webhooks/stored-webhooks.ts';
import { createWebhookSender } from '../../../src/clients/webhook-sender.ts';
import { openDatabase } from '../../../src/store/connection/database.ts';
import type { Schema } from '../../../src/store/connection/schema.ts';
import { newAddress } from '../../support/builders/client-addresses.ts';
import { waitFor } from '../../support/database/embedded-database.ts';
import { errorSentence } from '../../support/processes/pompa-process.ts';
import { WebhookReceiver } from '../../support/webhooks/webhook-receiver.ts';
import { PostgresServer } from './database-server.ts';
import { PgBouncer } from './pgbouncer.ts';
import { APP_ROLE, PooledService } from './pooled-service.ts';

const SOON_MS = 10_000;
const POOL_SIZE = 4;
const silent = { info: () => undefined, warn: () => undefined };
const ask = (address: string, target: string, headers: Record<string, string>) =>
  fetch(`${address}/api/v1${target}`, { headers });
const statusOf = async (address: string, key: string) => (await ask(address, '/retele', { 'X-Api-Key': key })).status;
const leftIn = async (address: string, key: string) =>
  Number((await ask(address, '/health', { 'X-Api-Key': key })).headers.get('x-ratelimit-remaining'));

for (const hasDirect of [false, true])
  describe(`a service behind a pooler, ${hasDirect ? 'with' : 'without'} the address of its server`, {
    timeout: 600_000,
  }, () => {
    let service: PooledService;
    let receiver: WebhookReceiver;
    const ending: (() => unknown)[] = [];
    before(async () => {
      receiver = await WebhookReceiver.during({ after: (end) => void ending.push(end as () => unknown) });
      service = await PooledService.start({ hasDirect, settings: { WEBHOOK_ORIGINS: receiver.origin } });
    });
    after(async () => {
      await service.close();
      for (const end of ending) await end();
    });
    const unviolated = () => assert.deepEqual(service.processes.publications.violations, [], service.processes.log());

    test('counts every request with a key once over both servers, and answers none beyond a quota or a weekly cap', async () => {
      const quotas = [...Array<number>(10).fill(3), ...Array<number>(10).fill(1_000)];
      const keys = await Promise.all(
        [...new Set(quotas)].map(async (quota) => (await service.issueKeys(10, quota)).map((key) => ({ key, quota }))),
      );
      const { holders, statuses } = await service.whileClientsAsk(keys.flat(), (clients) =>
        waitFor('answers and refusals', 60_000, () => {
          const { holders: ofHolders, visitors: ofVisitors } = clients.statuses;
          const most = Math.min(...[ofHolders, ofVisitors].flatMap((each) => [each.get(200) ?? 0, each.get(429) ?? 0]));
          return most >= 20 && (ofHolders.get(200) ?? 0) > 80;
        }),
      );
      assert.deepEqual([...statuses.holders.keys()].sort(), [200, 429]);
      assert.deepEqual([...statuses.visitors.keys()].sort(), [200, 429]);
      for (const { key, quota, accepted } of holders) {
        assert.equal(await service.counted(key), accepted);
        assert.ok(accepted <= quota, `${accepted} of ${quota}`);
      }
      unviolated();
    });

    test('keeps the limits of a second and of a minute over both servers', async () => {
      const [key = ''] = await service.issueKeys(1, 1_000);
      const both = service.addresses;
      const asked = await Promise.all([...both, ...both, ...both, ...both].map((address) => statusOf(address, key)));
      assert.equal(asked.filter((status) => status === 200).length, 5, asked.join());
      const crawler = { 'User-Agent': 'GPTBot/1.0', 'X-Forwarded-For': newAddress() };
      const crawled = await Promise.all(
        Array.from({ length: 80 }, (_, index) => ask(both[index % 2] as string, '/retele', crawler)),
      );
      assert.equal(crawled.filter(({ status }) => status === 200).length, 60);
    });

    test('takes a new key at once, refuses a revoked one within a second, and knows everywhere what was used', async () => {
      const created = await service.command('keys create --plan pro --json');
      assert.equal(created.code, 0, created.err);
      const { id, key } = JSON.parse(created.out);
      const [here = '', there = ''] = service.addresses;
      assert.equal(await statusOf(here, key), 200);
      const left = await leftIn(here, key);
      await waitFor('the usage elsewhere', SOON_MS, async () => (await leftIn(there, key)) === left);
      assert.equal(await statusOf(there, key), 200);
      await waitFor('the usage elsewhere', SOON_MS, async () => (await leftIn(here, key)) === left - 1);
      assert.equal((await service.command(`keys revoke ${id}`)).code, 0);
      await sleep(1_000);
      assert.deepEqual(await Promise.all(service.addresses.map((address) => statusOf(address, key))), [401, 401]);
    });

    test('serves a publication everywhere, tells its changes, and posts them to webhooks', async () => {
      const [key = ''] = await service.issueKeys(1, 1_000_000);
      const database = await openDatabase<Schema>({ ...databaseOptions(service), dataDir: '', log: silent });
      const sender = createWebhookSender({ allowedOrigins: [receiver.origin], userAgent: 'test', clock: Date.now });
      const [row] = await service.server.sql('select max(id)::int as id from api_keys', 'pompa');
      const webhooks = createWebhookService(database, sender, Date.now);
      const filter = { fuel: null, county: null, city: null, network: null, stations: null };
      const made = await webhooks.create(Number(row?.id), { url: `${receiver.origin}/`, filter, kinds: ['price'] });
      assert.ok(made !== 'too many');
      await webhooks.ping(Number(row?.id), made.webhook.id);
      await Promise.all([sender.close(), database.close()]);
      const [here = '', there = ''] = service.addresses;
      const cursor = await waitFor('a cursor', SOON_MS, async () =>
        (await ask(here, '/statii?judet=Cluj', { 'X-Api-Key': key })).headers.get('pompa-cursor'),
      );
      receiver.received.length = 0;
      await service.publish();
      const told = await waitFor('the changes', SOON_MS, async () => {
        const answer = await ask(there, `/modificari?dupa=${cursor}`, { 'X-Api-Key': key });
        const { modificari } = (await answer.json()) as { modificari?: unknown[] };
        return modificari !== undefined && modificari.length > 0 ? modificari : null;
      });
      assert.ok(told.length > 10);
      await waitFor('a message', SOON_MS, () => receiver.received.length > 0);
      unviolated();
    });

    test('leaves no setting and no statement of ours in the sessions of the pooler', async () => {
      const client = new pg.Client(service.settings.DATABASE_URL);
      await client.connect();
      for (let count = 0; count < 20; count += 1) {
        const { rows } = await client.query(`select current_setting('idle_session_timeout') as idle,
          current_setting('statement_timeout') as statement,
          (select count(*)::int from pg_prepared_statements) as prepared`);
        assert.deepEqual(rows, [{ idle: '0', statement: '15s', prepared: 0 }]);
      }
      await client.end();
    });

    test('is made known by doctor, with what is missing', async () => {
      const findingOf = async (check: string, more: Record<string, string> = {}) => {
        const { out } = await service.command('doctor --json', more);
        return out
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
          .find((finding) => finding.check === check);
      };
      if (hasDirect) {
        assert.match((await findingOf('direct address')).detail, /^leads to the server, past the pooler/);
        const pooled = { DATABASE_DIRECT_URL: service.bouncer.url({ user: 'pompa', database: 'pompa' }) };
        assert.match(
          (await findingOf('direct address', pooled)).detail,
          /^DATABASE_DIRECT_URL is the address of a pooler/,
        );
        assert.equal((await findingOf('time limits')).ok, true);
      } else {
        const { detail, advice } = await findingOf('pooler');
        assert.match(detail, /^DATABASE_URL is the address of a pooler: notifications do not arrive/);
        assert.match(advice, /DATABASE_DIRECT_URL/);
        const ofSuperuser = { DATABASE_URL: service.bouncer.url({ user: 'postgres', database: 'pompa' }) };
        assert.match(
          (await findingOf('time limits', ofSuperuser)).advice,
          /^alter role postgres set statement_timeout/,
        );
      }
    });

    if (hasDirect)
      test('with two roles: doctor names the one that migrates, and the one that lacks rights', async () => {
        await service.server.sql('create database two owner pompa');
        const [app, owner] = [APP_ROLE, 'pompa'].map((user) => ({ user, database: 'two' }));
        const doctor = async (url: string, direct: string) => {
          const { out } = await service.command('doctor', { DATABASE_URL: url, DATABASE_DIRECT_URL: direct });
          return out;
        };
        const { bouncer, server } = service;
        const ofOwner = await doctor(bouncer.url(app), server.url(owner));
        assert.match(ofOwner, /^BAD +migrations: not applied yet.*\n +run pompa migrate, or start serve$/m);
        assert.match(ofOwner, /^ok +direct address: leads to the server, past the pooler/m);
        const ofApp = await doctor(bouncer.url(owner), server.url(app));
        assert.match(ofApp, /\n +run pompa migrate with the role that owns the tables \(in DATABASE_DIRECT_URL,/);
        const addresses = { DATABASE_URL: bouncer.url(app), DATABASE_DIRECT_URL: server.url(owner) };
        const migrated = await service.command('migrate', addresses);
        assert.equal(migrated.code, 0, migrated.err);
        assert.match(
          await doctor(bouncer.url(owner), server.url(app)),
          /^BAD +rights: the role pompa_app may not read and write .* more\n +grant the rights/m,
        );
      });

    if (hasDirect)
      test('with two roles is restored past the pooler, by the owner', async () => {
        const file = path.join(service.processes.dataDir, 'roles.backup');
        assert.equal((await service.command(`backup ${file}`)).code, 0);
        await service.server.sql('create database again owner pompa');
        const restored = await service.command(`restore ${file}`, {
          DATABASE_URL: service.bouncer.url({ user: APP_ROLE, database: 'again' }),
          DATABASE_DIRECT_URL: service.server.url({ user: 'pompa', database: 'again' }),
        });
        assert.equal(restored.code, 0, restored.err);
      });

    if (hasDirect)
      test('is restored without the pooler where that keeps connections open', async () => {
        const file = path.join(service.processes.dataDir, 'kept.backup');
        assert.equal((await service.command(`backup ${file}`)).code, 0);
        await service.server.sql('create database kept owner pompa');
        const role = { user: 'pompa', database: 'kept' };
        const url = service.bouncer.url(role);
        // What servers and workers leave that were just stopped.
        const clients = [1, 2, 3].map(() => new pg.Client({ connectionString: url, application_name: 'pompa' }));
        await Promise.all(clients.map((client) => client.connect()));
        await Promise.all(clients.map((client) => client.query('select pg_sleep(0.2)')));
        await Promise.all(clients.map((client) => client.end()));
        const addresses = { DATABASE_URL: url, DATABASE_DIRECT_URL: service.server.url(role) };
        assert.match(
          errorSentence(await service.command(`restore ${file}`, addresses)),
          /other connection\(s\) to this database \(pompa\): stop every other process on it first/,
        );
        await service.bouncer.killConnections('kept');
        const past = { DATABASE_URL: service.server.url(role), DATABASE_DIRECT_URL: '' };
        const restored = await service.command(`restore ${file}`, past);
        assert.equal(restored.code, 0, restored.err);
        await service.bouncer.resume('kept');
        assert.equal((await service.command('migrate', addresses)).out, 'the tables are up to date\n');
      });

    if (hasDirect)
      test('is backed up and restored past the pooler', async () => {
        const file = path.join(service.processes.dataDir, 'test.backup');
        const saved = await service.command(`backup ${file} --json`);
        assert.equal(saved.code, 0, saved.err);
        const { rows } = JSON.parse(saved.out);
        assert.ok(rows > 100 && statSync(file).size > 1_000);
        await service.server.sql('create database restored owner pompa');
        const role = { user: 'pompa', database: 'restored' };
        const addresses = {
          DATABASE_URL: service.bouncer.url(role),
          DATABASE_DIRECT_URL: service.server.url(role),
        };
        const restored = await service.command(`restore ${file} --json`, addresses);
        assert.equal(restored.code, 0, restored.err);
        assert.equal(JSON.parse(restored.out).rows, rows);
        assert.equal((await service.command('migrate', addresses)).out, 'the tables are up to date\n');
      });
    else
      test('is not backed up: the message names the setting that is missing', async () => {
        const file = path.join(service.processes.dataDir, 'test.backup');
        assert.match(
          errorSentence(await service.command(`backup ${file}`)),
          /a backup needs a session of the server, and DATABASE_URL is the address of a pooler: set DATABASE_DIRECT_URL/,
        );
      });

    test('answers without a key while the pooler is restarted, and with one soon afterwards', async () => {
      const keys = (await service.issueKeys(20, 100_000)).map((key) => ({ key, quota: 100_000 }));
      const { holders, visitors } = await service.whileClientsAsk(keys, async () => {
        await sleep(1_000);
        await service.restartBouncer(1_500);
        await waitFor('answers with a key', SOON_MS, async () => {
          const statuses = await Promise.all(
            service.addresses.map((address, index) => statusOf(address, keys[index]?.key as string)),
          );
          return statuses.every((status) => status !== 503);
        });
        await sleep(1_000);
      });
      for (const { key, accepted, lost, unavailable } of holders) {
        const counted = await service.counted(key);
        // The two that were asked here as well.
        const own = keys.findIndex((each) => each.key === key) < 2 ? Number.POSITIVE_INFINITY : 0;
        assert.ok(counted >= accepted && counted <= accepted + lost + unavailable + own, `${counted}, ${accepted}`);
      }
      // Without the database each server decides alone.
      for (const [address, answered] of visitors) assert.ok(answered <= 2, `${address}: ${answered} answers`);
      const { violations } = service.processes.publications;
      const others = violations.filter((sentence) => !/ was answered 200 twice in a week$/.test(sentence));
      assert.deepEqual(others, [], service.processes.log());
      await service.publish();
    });
  });

function databaseOptions({ settings }: PooledService) {
  return { databaseUrl: settings.DATABASE_URL, directUrl: settings.DATABASE_DIRECT_URL };
}

test('a pooler in session mode counts as one: it gets no settings, and what runs is exact', async (t) => {
  const server = await PostgresServer.start();
  const bouncer = await PgBouncer.start(server, ['postgres'], POOL_SIZE, 'session');
  const url = bouncer.url();
  const database = await openDatabase<Schema>({ databaseUrl: url, dataDir: '', log: silent, connections: 2 });
  t.after(async () => {
    await database.close();
    await bouncer.stop();
    await server.end();
  });
  assert.equal(database.isPooled, true);
  await database.pool.query('create table counted (n int); insert into counted values (0)');
  const count = () => database.query({ text: 'update counted set n = n + 1', name: 'count' }, { withinMs: 5_000 });
  await Promise.all(Array.from({ length: 40 }, count));
  assert.deepEqual(await server.sql('select n from counted'), [{ n: 40 }]);
  const settings = 'show idle_session_timeout';
  assert.deepEqual(await database.query({ text: settings }, { withinMs: 5_000 }), [{ idle_session_timeout: '0' }]);
  const prepared = 'select count(*)::int as n from pg_prepared_statements';
  assert.deepEqual(await database.query({ text: prepared }, { withinMs: 5_000 }), [{ n: 0 }]);
});

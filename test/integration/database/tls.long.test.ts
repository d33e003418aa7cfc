/** A database that is reached by TLS only, and every way in which that can fail. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { waitFor } from '../../support/database/embedded-database.ts';
import { runPompa, servePompa, startPompa } from '../../support/processes/pompa-process.ts';
import { Authority, type CertificateFiles, tlsOf } from './certificates.ts';
import { PostgresServer } from './database-server.ts';

const PASSWORD = 'Geheimnis1';
const folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-tls-'));
let authority: Authority;
let other: Authority;
let ofClient: CertificateFiles;
let ofStranger: CertificateFiles;
const servers: PostgresServer[] = [];
let usual: PostgresServer;
let expired: PostgresServer;
let named: PostgresServer;
let plain: PostgresServer;
let demanding: PostgresServer;

before(async () => {
  authority = new Authority('Pompa Test');
  other = new Authority('Somebody else');
  ofClient = authority.issue('pompa');
  ofStranger = other.issue('pompa');
  const start = async (files: CertificateFiles | null, access: string) => {
    const server = await PostgresServer.start({
      ...(files !== null && tlsOf(files, authority)),
      access: [access],
    });
    servers.push(server);
    await server.sql(`set password_encryption = 'scram-sha-256'; create role pompa login password '${PASSWORD}'`);
    await server.sql('create database pompa owner pompa');
    return server;
  };
  const TLS_ONLY = 'hostssl all all 127.0.0.1/32 scram-sha-256';
  usual = await start(authority.issue('127.0.0.1'), TLS_ONLY);
  named = await start(authority.issue('localhost'), TLS_ONLY);
  expired = await start(authority.issue('127.0.0.1', { isExpired: true }), TLS_ONLY);
  plain = await start(null, 'host all all 127.0.0.1/32 scram-sha-256');
  demanding = await start(authority.issue('127.0.0.1'), `${TLS_ONLY} clientcert=verify-full`);
});
after(async () => {
  for (const server of servers) await server.end();
  for (const each of [authority, other]) each?.close();
  rmSync(folder, { recursive: true });
});

const urlOf = (server: PostgresServer, query: string) =>
  `${server.url({ user: 'pompa', database: 'pompa' }, PASSWORD)}${query}`;
const verified = () => `?sslmode=verify-full&sslrootcert=${authority.file}`;

describe('a database with TLS', { timeout: 300_000 }, () => {
  test('whose certificate is verified answers requests with a key, without a word on stderr', async () => {
    const settings = { DATABASE_URL: urlOf(usual, verified()) };
    const created = await runPompa(folder, ['keys', 'create', '--plan', 'pro', '--json'], settings);
    assert.deepEqual([created.code, created.err], [0, '']);
    const { address, end } = await servePompa(folder, settings);
    try {
      const headers = { 'X-Api-Key': JSON.parse(created.out).key };
      assert.equal((await fetch(`${address}/api/v1/cheie`, { headers })).status, 200);
      const rows = await usual.sql(
        `select bool_and(ssl) as all from pg_stat_ssl join pg_stat_activity using (pid) where usename = 'pompa'`,
      );
      assert.deepEqual(rows, [{ all: true }]);
    } finally {
      await end();
    }
  });

  for (const mode of ['require', 'prefer', 'verify-ca'])
    test(`with sslmode=${mode} is verified all the same, and nothing is said about it`, async () => {
      const query = `?sslmode=${mode}`;
      const known = await runPompa(folder, ['keys', 'list'], {
        DATABASE_URL: urlOf(usual, `${query}&sslrootcert=${authority.file}`),
      });
      assert.deepEqual([known.code, known.err], [0, '']);
      const { code, err } = await runPompa(folder, ['keys', 'list'], { DATABASE_URL: urlOf(usual, query) });
      assert.deepEqual([code, err.trim().split('\n').length], [1, 1]);
      assert.match(err, /its certificate is not from an authority that is trusted here/);
    });

  test('with sslmode=no-verify is encrypted, whatever its certificate is', async () => {
    for (const server of [usual, expired]) {
      const { code, err } = await runPompa(folder, ['keys', 'list'], {
        DATABASE_URL: urlOf(server, '?sslmode=no-verify'),
      });
      assert.deepEqual([code, err], [0, '']);
    }
  });

  test('by its name is the one in the certificate', async () => {
    const url = urlOf(named, verified()).replace('127.0.0.1', 'localhost');
    const { code, err } = await runPompa(folder, ['keys', 'list'], { DATABASE_URL: url });
    assert.deepEqual([code, err], [0, '']);
  });

  test('that demands a certificate gets that of sslcert', async () => {
    const client = `&sslcert=${ofClient.cert}&sslkey=${ofClient.key}`;
    const { code, err } = await runPompa(folder, ['keys', 'list'], {
      DATABASE_URL: urlOf(demanding, verified() + client),
    });
    assert.deepEqual([code, err], [0, '']);
  });

  const FAILURES: readonly (readonly [string, () => string, RegExp])[] = [
    ['of an unknown authority', () => urlOf(usual, '?sslmode=verify-full'), /not from an authority .*sslrootcert=/],
    [
      'of another authority',
      () => urlOf(usual, `?sslmode=verify-full&sslrootcert=${other.file}`),
      /not from an authority .*sslrootcert=/,
    ],
    ['for another host', () => urlOf(named, verified()), /its certificate is for another host \(localhost\)/],
    ['that has expired', () => urlOf(expired, verified()), /its certificate has expired/],
    ['that does not exist: no TLS', () => urlOf(plain, verified()), /it offers no TLS, which sslmode demands/],
    [
      'that is not asked for',
      () => urlOf(usual, ''),
      /it admits nobody without TLS from here .*add \?sslmode=verify-full/,
    ],
    [
      'where one of the client is missing',
      () => urlOf(demanding, verified()),
      /it demands a certificate of its clients/,
    ],
    [
      'where that of the client is of a stranger',
      () => urlOf(demanding, `${verified()}&sslcert=${ofStranger.cert}&sslkey=${ofStranger.key}`),
      /it refused our certificate, that of sslcert=/,
    ],
    [
      'whose file cannot be read',
      () => urlOf(usual, `?sslmode=verify-full&sslrootcert=${folder}/none.crt`),
      /the file of sslrootcert cannot be read \(.*none\.crt/,
    ],
    ['with an unknown sslmode', () => urlOf(usual, '?sslmode=verify'), /its sslmode must be one of disable, no-verify/],
  ];
  for (const [what, url, message] of FAILURES)
    test(`and a certificate ${what} is told in one sentence, without the password`, async () => {
      const settings = { DATABASE_URL: url(), LOG_LEVEL: 'warn' };
      const command = await runPompa(folder, ['keys', 'list'], settings);
      assert.equal(command.code, 1);
      assert.equal(command.err.trim().split('\n').length, 1, command.err);
      const doctor = await runPompa(folder, ['doctor', '--json'], settings);
      const found = doctor.out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      const { ok, detail } = found.find(({ check }) => check === 'database');
      assert.equal(ok, false);
      const served = await firstWarning(settings);
      for (const text of [command.err, detail, served]) {
        assert.match(text, message);
        assert.doesNotMatch(text, new RegExp(PASSWORD));
      }
    });
});

/** What `serve` says first on stderr. */
async function firstWarning(settings: Record<string, string>): Promise<string> {
  const child = startPompa(folder, ['serve', '--no-worker'], { PORT: '0', ...settings });
  let err = '';
  child.stderr?.on('data', (text) => {
    err += text;
  });
  child.stdout?.resume();
  const exited = new Promise((resolve) => child.once('exit', resolve));
  try {
    return await waitFor('a warning', 20_000, () => err.split('\n').find((line) => line !== ''));
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
}

/**
 * Point-in-time recovery as docs/BACKUPS.md describes it: its commands, word for word, with Debian's PostgreSQL and
 * pgBackRest; a mistake is undone, and nothing before it is lost.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { snippetsOf } from '../../support/documented-code.ts';
import { runPompa } from '../../support/processes/pompa-process.ts';
import { type DebianCluster, startDebianCluster } from './debian-cluster.ts';

const DOCUMENTED_MOMENT = '2026-11-20 14:05:00+02';
const [setUp = '', nightly = '', look = '', goBack = ''] = snippetsOf('docs/BACKUPS.md', 'sh');
const [config = ''] = snippetsOf('docs/BACKUPS.md', 'ini');

let cluster: DebianCluster;
let folder: string;
before(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-pitr-'));
  cluster = await startDebianCluster();
});
after(() => {
  cluster?.end();
  rmSync(folder, { recursive: true });
});

/** Each command of a snippet by itself; returns what they printed. */
function runAll(snippet: string, moment = ''): string {
  let printed = '';
  for (const line of snippet.trim().split('\n')) {
    printed += cluster.run(line.replaceAll(DOCUMENTED_MOMENT, moment));
    const [, created] = /^pg_createcluster 15 (\w+)/.exec(line) ?? [];
    if (created !== undefined) cluster.configure(created);
  }
  return printed;
}
async function pompa(...words: string[]): Promise<string> {
  const ended = await runPompa(folder, words, { DATABASE_URL: cluster.url });
  assert.equal(ended.code, 0, ended.err);
  return ended.out;
}
async function recoveryFinding(): Promise<string> {
  const { out } = await runPompa(folder, ['doctor', '--json'], { DATABASE_URL: cluster.url });
  const found = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const { ok, detail, advice } = found.find(({ check }) => check === 'point-in-time recovery');
  return `${ok ? 'ok' : 'BAD'} ${detail} -> ${advice}`;
}
const sql = (statement: string) => cluster.run(`psql -qtA -d pompa -c "${statement}"`).trim();
const keys = async () => (await pompa('keys', 'list', '--json')).trim().split('\n').length;

describe('point-in-time recovery', () => {
  test('is seen by doctor while it is set up', { timeout: 900_000 }, async () => {
    await pompa('migrate');
    assert.match(await recoveryFinding(), /^ok not set up: archive_mode is off/);
    cluster.write('pgbackrest.conf', config);
    const [stanza = '', command = '', timeout = '', mode = '', ...rest] = setUp.trim().split('\n');
    cluster.run(stanza);
    cluster.run(`${command} -c 'select pg_reload_conf()'`);
    assert.match(
      await recoveryFinding(),
      /^BAD archive_command is set, but archive_mode is off: nothing is archived -> /,
    );
    cluster.run(`${timeout}; ${mode} -c 'select pg_reload_conf()'`);
    assert.match(
      await recoveryFinding(),
      /^BAD archive_mode is on only after a restart: nothing is archived -> restart PostgreSQL/,
    );
    for (const line of rest) cluster.run(line);
    assert.match(
      await recoveryFinding(),
      /^ok the last segment was archived .*, one follows every 300 s at the latest -> null$/,
    );
    runAll(nightly);
    assert.match(cluster.run('pgbackrest --stanza=pompa info'), /status: ok[\s\S]*full backup: [\s\S]*diff backup: /);
  });

  test('undoes a mistake and keeps what came before it', { timeout: 900_000 }, async () => {
    await pompa('keys', 'create', '--plan', 'starter');
    await pompa('keys', 'create', '--plan', 'pro');
    sql(`update change_feed set epoch = 'before'`);
    const moment = sql('select clock_timestamp()');
    sql('delete from api_keys');
    sql('select pg_switch_wal()');
    assert.equal(sql('select count(*) from api_keys'), '0');

    const looked = runAll(look, moment);
    assert.match(looked, /count\s+-+\s+2\n/);
    assert.equal(sql('select count(*) from api_keys'), '0');

    runAll(goBack, moment);
    assert.equal(await keys(), 2);
    assert.equal(sql('select epoch is null from change_feed'), 't');
    await pompa('keys', 'create', '--plan', 'pro');
    assert.match(await recoveryFinding(), /^ok the last segment was archived/);
  });

  test('is told by doctor to fail when the repository is away', { timeout: 120_000 }, async () => {
    cluster.run('mv /var/lib/pgbackrest /var/lib/pgbackrest.away');
    sql('create table moved (at int); drop table moved; select pg_switch_wal()');
    const deadline = Date.now() + 60_000;
    while (sql('select failed_count from pg_stat_archiver') === '0')
      assert.ok(Date.now() < deadline, 'it does not fail');
    assert.match(
      await recoveryFinding(),
      /^BAD archiving fails, the last time .* ago: the log piles up on the disk -> /,
    );
  });
});

/** Nightly backups as an operator runs them: the worker, the command that takes them away, the drill, doctor. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../support/database/test-database.ts';
import { stopProcess } from '../../support/processes/child-process.ts';
import { errorSentence, runPompa, startPompa } from '../../support/processes/pompa-process.ts';

let database: TestDatabase;
let settings: Record<string, string>;
const folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-nightly-'));
const backups = path.join(folder, 'backups');
const away = path.join(folder, 'away');
before(async () => {
  database = await testDatabase();
  for (const each of [backups, away]) mkdirSync(each, { mode: 0o700 });
  settings = { DATABASE_URL: database.url, BACKUP_DIR: backups, BACKUP_COMMAND: `cp {} ${away}` };
});
after(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

const pompa = (words: string, more: Record<string, string> = {}, shell?: string) =>
  runPompa(folder, words.split(' '), { ...settings, ...more }, shell);
async function badFindings(more?: Record<string, string>): Promise<string[]> {
  const { out } = await pompa('doctor --json', more);
  const findings = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const ours = findings.filter(({ check }) => /backup|drill|BACKUP/.test(check));
  assert.ok(ours.length >= 4, out);
  return ours.filter(({ ok }) => !ok).map(({ check, detail }) => `${check}: ${detail}`);
}

describe('nightly backups', () => {
  test('are made, taken elsewhere and drilled by the worker, and drilled by an operator', {
    timeout: 600_000,
  }, async () => {
    // The folder for temporary files is made where it is missing: on a new volume, for example.
    const TMPDIR = path.join(folder, 'volume/tmp');
    const worked = await pompa('worker --once', { TMPDIR });
    assert.deepEqual([worked.code, worked.err], [0, '']);
    assert.equal(statSync(TMPDIR).mode & 0o777, 0o700);
    const [name = '', ...others] = readdirSync(backups);
    assert.match(name, /^pompa-[0-9a-f]{8}-\d{8}T\d{6}Z\.backup$/);
    assert.deepEqual([others, readdirSync(away)], [[], [name]]);
    assert.deepEqual(readFileSync(path.join(away, name)), readFileSync(path.join(backups, name)));
    assert.deepEqual(await badFindings(), []);
    const drilled = await pompa('restore --drill --json');
    assert.equal(drilled.code, 0, drilled.err);
    const { file, differences, failure } = JSON.parse(drilled.out);
    assert.deepEqual([file, differences, failure], [name, [], null]);
    assert.match((await pompa(`restore --check ${path.join(backups, name)}`)).out, /: good: /);
  });

  test('are shown in the metrics of a worker that runs apart from serve', { timeout: 120_000 }, async () => {
    const more = { METRICS_PORT: '0', LOG_LEVEL: 'info' };
    const worker = startPompa(folder, ['worker'], { ...settings, ...more });
    try {
      const { promise: address, resolve, reject } = Promise.withResolvers<string>();
      let written = '';
      const read = (text: Buffer) => {
        written += text;
        const [, found] = /metrics at (http:[^\s"]+).*working: /s.exec(written) ?? [];
        if (found !== undefined) resolve(found);
      };
      worker.stdout?.on('data', read);
      worker.stderr?.on('data', read);
      worker.once('close', () => reject(new Error(written)));
      const text = await (await fetch(await address)).text();
      assert.match(text, /^pompa_backup_last_success_timestamp_seconds [1-9]/m);
      assert.match(text, /^pompa_backup_sent_timestamp_seconds [1-9]/m);
    } finally {
      await stopProcess(worker);
    }
  });

  test('that fail on a full disk leave what is there, and doctor says why', { timeout: 600_000 }, async () => {
    const before = readdirSync(backups);
    await database.pool.query(`update backup_runs set started_at = started_at - interval '1 day'`);
    const small = 'unset NODE_V8_COVERAGE; trap "" XFSZ; ulimit -f 4';
    const full = await pompa('worker --once', { LOG_LEVEL: 'fatal' }, small);
    assert.equal(full.code, 1);
    assert.match(errorSentence(full), /^pompa: .*cannot be written: it is larger than a file may be$/);
    assert.deepEqual(readdirSync(backups), before);
    assert.match(
      (await badFindings()).join(),
      /^backups: the newest is .* old; the last try, .* failed: .*larger than a file may be$/,
    );
  });

  test('that cannot be taken elsewhere stay, and doctor says why', { timeout: 600_000 }, async () => {
    await database.pool.query('update leases set expires_at = now()');
    const broken = { BACKUP_COMMAND: 'cp {} /no/such/place' };
    assert.equal((await pompa('worker --once', { ...broken, LOG_LEVEL: 'fatal' })).code, 0);
    assert.equal(readdirSync(backups).length, 2);
    assert.match(
      (await badFindings(broken)).join(),
      /^backups elsewhere: the newest was not taken there: cp ended with 1: .*No such file/,
    );
  });

  test('are not drilled where there are none, and say so in one line', async () => {
    const calls: [words: string, code: number, why: RegExp, more?: Record<string, string>][] = [
      ['restore', 2, /^pompa: usage: pompa restore \(FILE \[--check\] \| --drill\)/],
      ['restore --drill x', 2, /^pompa: usage: pompa restore/],
      ['restore --drill', 1, /^pompa: BACKUP_DIR is not set/, { BACKUP_DIR: '', BACKUP_COMMAND: '' }],
      ['restore --drill', 1, /^pompa: .*pompa-.* cannot be read: there is no such file/, { BACKUP_DIR: away }],
      ['worker --once', 1, /^pompa: BACKUP_DIR must be set when BACKUP_COMMAND is/, { BACKUP_DIR: '' }],
    ];
    for (const [words, code, why, more] of calls) {
      const ended = await pompa(words, more);
      assert.equal(ended.code, code, ended.err);
      assert.match(errorSentence(ended), why);
    }
  });
});

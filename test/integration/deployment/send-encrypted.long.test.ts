/** What takes backups elsewhere encrypted, with rclone and age of Debian: all of a backup, or nothing. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { ROOT } from '../../project/project-files.ts';
import { program, runHere } from './programs.ts';

let folder: string;
let backup: string;
let away: string;
let key: string;
before(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-encrypted-'));
  program('rclone', 'rclone');
  key = path.join(folder, 'key.txt');
  assert.equal(runHere(program('age-keygen', 'age'), ['--output', key], { cwd: folder }).status, 0);
  backup = path.join(folder, 'pompa-1.backup');
  writeFileSync(backup, Buffer.alloc(3_000_000, 'rows'));
  away = path.join(folder, 'away');
});
after(() => rmSync(folder, { recursive: true }));

const recipient = () => runHere('age-keygen', ['-y', key], { cwd: folder }).out.trim();

/** Sends the backup; `left` = what stays in the folder for temporary files. */
function send(env: NodeJS.ProcessEnv) {
  const temporary = mkdtempSync(path.join(folder, 'tmp-'));
  const script = path.join(ROOT, 'deploy/backups/send-encrypted');
  const result = runHere(script, [backup], { cwd: folder, env: { TMPDIR: temporary, HOME: folder, ...env } });
  return { ...result, left: readdirSync(temporary) };
}

test('sends a file that the owner of the private key reads, and leaves nothing behind', () => {
  const { status, err, left } = send({ AGE_RECIPIENT: recipient(), OFFSITE: away });
  assert.deepEqual([status, left], [0, []], err);
  const sent = path.join(away, 'pompa-1.backup.age');
  assert.equal(readFileSync(sent).includes('rowsrows'), false);
  const read = path.join(folder, 'read');
  assert.equal(runHere('age', ['--decrypt', '--identity', key, '--output', read, sent], { cwd: folder }).status, 0);
  assert.ok(readFileSync(read).equals(readFileSync(backup)));
});

test('sends nothing, and fails, where the backup cannot be encrypted', () => {
  const nowhere = path.join(folder, 'nowhere');
  const { status, err, left } = send({ AGE_RECIPIENT: 'age1wrong', OFFSITE: nowhere });
  assert.notEqual(status, 0);
  assert.match(err, /age1wrong/);
  assert.deepEqual([existsSync(nowhere), left], [false, []]);
});

test('fails where the other place takes nothing', () => {
  const full = path.join(folder, 'full');
  mkdirSync(full);
  writeFileSync(path.join(full, 'file'), '');
  const { status, left } = send({ AGE_RECIPIENT: recipient(), OFFSITE: path.join(full, 'file') });
  assert.notEqual(status, 0);
  assert.deepEqual(left, []);
});

test('says which setting is missing', () => {
  assert.match(send({ OFFSITE: away, AGE_RECIPIENT: '' }).err, /AGE_RECIPIENT: set it to the public key/);
  assert.match(send({ AGE_RECIPIENT: recipient(), OFFSITE: '' }).err, /OFFSITE: set it to a folder/);
});

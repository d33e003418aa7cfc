import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { readConfig } from './config.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-backup-settings-'));
after(() => rmSync(folder, { recursive: true }));
const read = (settings: Record<string, string>) => readConfig(settings, folder);

describe('the settings of backups', () => {
  test('make none by default, and two weeks of them in the folder that is set', () => {
    const { BACKUP_DIR, BACKUP_COMMAND } = read({});
    assert.deepEqual([BACKUP_DIR, BACKUP_COMMAND], [null, null]);
    const set = read({ BACKUP_DIR: 'backups', BACKUP_COMMAND: '  rclone copy {}  offsite:pompa/{} ' });
    assert.deepEqual([set.BACKUP_DIR, set.BACKUP_KEEP], [path.join(folder, 'backups'), 14]);
    assert.deepEqual(set.BACKUP_COMMAND, ['rclone', 'copy', '{}', 'offsite:pompa/{}']);
    assert.equal(set.BACKUP_COMMAND_TIMEOUT, 3_600_000);
  });

  test('refuse a command that needs a shell, one without the file, and one without a folder', () => {
    const command = (BACKUP_COMMAND: string) => () => read({ BACKUP_DIR: '/srv/backups', BACKUP_COMMAND });
    for (const words of [
      'cp {} "/my disk"',
      'cp {} /x && sync',
      'cp {} $HOME',
      'gpg {} | ssh x',
      'cp {} ~/x',
      'cp {} /x/*',
    ])
      assert.throws(
        command(words),
        /^Error: BACKUP_COMMAND must have no \S: no shell reads it; put what needs one into a script/,
      );
    for (const words of ['rclone copy', '{} now', '{}'])
      assert.throws(
        command(words),
        /BACKUP_COMMAND must be a program and up to 49 arguments with \{\} for the file, such as/,
      );
    assert.throws(() => read({ BACKUP_COMMAND: 'cp {} /x' }), /BACKUP_DIR must be set when BACKUP_COMMAND is/);
    assert.throws(() => read({ BACKUP_KEEP: '0' }), /BACKUP_KEEP must be a whole number from 1 to 3660/);
  });
});

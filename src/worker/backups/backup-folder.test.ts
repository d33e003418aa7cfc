import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { acceptBackup, backupName, pruneBackups, removeUnfinished, unverifiedPath } from './backup-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-backup-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const put = (...names: string[]) => {
  for (const name of names) writeFileSync(path.join(folder, name), '');
};
const nameOn = (day: string) => backupName(Date.parse(`${day}T00:00:07.250Z`));

describe('the folder of backups', () => {
  test('keeps the newest ones, and every file that is none of ours', async () => {
    assert.equal(nameOn('2026-11-20'), 'pompa-20261120T000007Z.backup');
    const others = ['pompa-2026-11-01.backup', 'notes.txt', `${nameOn('2026-11-01')}.asc`];
    put(...others, ...['2026-11-18', '2026-12-01', '2026-11-20', '2025-12-31'].map(nameOn));
    assert.equal(await pruneBackups(folder, 2), 2);
    assert.deepEqual(readdirSync(folder).sort(), [...others, nameOn('2026-11-20'), nameOn('2026-12-01')].sort());
    assert.equal(await pruneBackups(folder, 14), 0);
  });

  test('gives a backup its name once it is accepted, and drops what a killed process left', async () => {
    const name = nameOn('2026-11-20');
    writeFileSync(unverifiedPath(folder, name), '');
    put(`${nameOn('2026-11-19')}.unverified`, `${nameOn('2026-11-19')}.unverified.0a1b2c3d.part`);
    await acceptBackup(folder, name);
    await removeUnfinished(folder);
    assert.deepEqual(readdirSync(folder), [name]);
  });
});

import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import {
  acceptBackup,
  backupName,
  backupsOfOthers,
  pruneBackups,
  removeUnfinished,
  unverifiedPath,
} from './backup-folder.ts';
import { ensureInstallationId, readInstallationId } from './installation-id.ts';

const [OURS, THEIRS] = ['0a1b2c3d', 'ffffffff'];
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-backup-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const put = (...names: string[]) => {
  for (const name of names) writeFileSync(path.join(folder, name), name);
};
const nameOn = (day: string, installation = OURS) => backupName(installation, Date.parse(`${day}T00:00:07.250Z`));

describe('the folder of backups', () => {
  test('keeps the newest ones, and every file that is none of ours', async () => {
    assert.equal(nameOn('2026-11-20'), 'pompa-0a1b2c3d-20261120T000007Z.backup');
    const others = ['pompa-2026-11-01.backup', 'notes.txt', `${nameOn('2026-11-01')}.asc`];
    const theirs = [nameOn('2026-11-19', THEIRS), 'pompa-20261119T000007Z.backup'];
    const ours = ['2026-11-18', '2026-12-01', '2026-11-20', '2025-12-31'].map((day) => nameOn(day));
    put(...others, ...theirs, ...ours);
    assert.equal(await pruneBackups(folder, nameOn('2026-12-01'), 2), 2);
    const kept = [...others, ...theirs, nameOn('2026-11-20'), nameOn('2026-12-01')];
    assert.deepEqual(readdirSync(folder).sort(), kept.sort());
    assert.equal(await pruneBackups(folder, nameOn('2026-12-01'), 14), 0);
    assert.deepEqual(await backupsOfOthers(folder, OURS), theirs.sort());
  });

  test('keeps the one just made where a clock was ahead before', async () => {
    put(nameOn('2030-01-01'), nameOn('2026-11-20'), nameOn('2026-11-19'));
    assert.equal(await pruneBackups(folder, nameOn('2026-11-20'), 1), 1);
    assert.deepEqual(readdirSync(folder).sort(), [nameOn('2026-11-20'), nameOn('2030-01-01')]);
  });

  test('gives a backup its name once it is accepted, and drops what a killed process of ours left', async () => {
    const name = nameOn('2026-11-20');
    writeFileSync(unverifiedPath(folder, name), '');
    put(`${nameOn('2026-11-19')}.unverified`, `${nameOn('2026-11-19')}.unverified.0a1b2c3d.part`);
    const theirs = `${nameOn('2026-11-20', THEIRS)}.unverified`;
    put(theirs);
    await acceptBackup(folder, name);
    await removeUnfinished(folder, OURS);
    assert.deepEqual(readdirSync(folder).sort(), [name, theirs]);
  });

  for (const links of ['with', 'without'])
    test(`replaces no file, on a file system ${links} hard links`, async (t) => {
      if (links === 'without')
        t.mock.method(fs, 'link', () => Promise.reject(Object.assign(new Error('no links'), { code: 'EPERM' })));
      const [first, second] = [nameOn('2026-11-20'), nameOn('2026-11-21')];
      put(first, `${first}.unverified`, `${second}.unverified`);
      await assert.rejects(acceptBackup(folder, first), /is there already, and no backup is replaced$/);
      assert.equal(readFileSync(path.join(folder, first), 'utf8'), first);
      await acceptBackup(folder, second);
      assert.deepEqual(readdirSync(folder).sort(), [first, `${first}.unverified`, second]);
    });
});

describe('the id of an installation', () => {
  test('is made once, and is another one for another DATA_DIR', async () => {
    const [one, other] = [path.join(folder, 'one'), path.join(folder, 'other')];
    assert.equal(await readInstallationId(one), null);
    const id = await ensureInstallationId(one);
    assert.match(id, /^[0-9a-f]{8}$/);
    assert.deepEqual([await ensureInstallationId(one), await readInstallationId(one)], [id, id]);
    assert.notEqual(await ensureInstallationId(other), id);
  });
});

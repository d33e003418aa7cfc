import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { TRIAL_PREFIX } from '../../store/backup/trial-leftovers.ts';
import { findDatabaseDirectory } from '../../store/embedded/database-directory.ts';
import { removeEmbeddedDatabase } from '../../store/embedded/remove.ts';
import { diskFindings } from './disk-checks.ts';

test('what a killed trial of a backup left is named, with what may have been killed', async (t) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), TRIAL_PREFIX));
  t.after(() => rmSync(folder, { recursive: true }));
  utimesSync(folder, 0, 0);
  const findings = (await diskFindings({ DATA_DIR: path.join(folder, 'none') })).map(
    ({ detail, advice }) => `${detail}: ${advice}`,
  );
  const said = `${folder} is left of a killed nightly backup, drill or restore --check: the next one removes it`;
  assert.ok(findings.includes(said), findings.join('\n'));
});

if (process.getuid?.() === 0) {
  test('as root, the database of a deleted DATA_DIR is named until it is deleted as well', async (t) => {
    const dataDir = mkdtempSync(path.join(os.tmpdir(), 'pompa-disk-'));
    t.after(() => removeEmbeddedDatabase(dataDir).then(() => rmSync(dataDir, { recursive: true })));
    const log = { info: () => undefined, warn: () => undefined };
    const earlier = async () =>
      (await diskFindings({ DATA_DIR: dataDir })).filter((one) => one.check === 'earlier data');
    const { home } = await findDatabaseDirectory(dataDir, log);
    mkdirSync(path.join(home, 'data'));
    assert.deepEqual(await earlier(), []);
    rmSync(dataDir, { recursive: true });
    await findDatabaseDirectory(dataDir, log);
    const [finding] = await earlier();
    const left = /^(\S+) holds the database/.exec(finding?.detail ?? '')?.[1] ?? '';
    assert.ok(left.startsWith(`${home}-left-`));
    rmSync(left, { recursive: true });
    assert.deepEqual(await earlier(), []);
  });
}

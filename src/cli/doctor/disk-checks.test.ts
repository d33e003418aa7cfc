import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { NO_PUBLISHED_FACTS } from '../../domain/prices/facts.ts';
import { TRIAL_PREFIX } from '../../store/backup/trial-leftovers.ts';
import { findDatabaseDirectory } from '../../store/embedded/database-directory.ts';
import { removeEmbeddedDatabase } from '../../store/embedded/remove.ts';
import { saveLastGood } from '../../store/prices/last-good.ts';
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

test('a last good state whose past days are damaged or missing is named, and what to do', async (t) => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'pompa-disk-'));
  t.after(() => rmSync(dataDir, { recursive: true }));
  const said = async () => {
    const found = (await diskFindings({ DATA_DIR: dataDir })).find(({ check }) => check === 'last good state');
    return `${found?.ok} ${found?.detail}: ${found?.advice}`;
  };
  await saveLastGood(dataDir, {
    facts: { ...NO_PUBLISHED_FACTS, version: 7, publishedAt: 1_795_168_800_000 },
    series: new Map(),
  });
  assert.match(await said(), /^true version 7, intact/);
  const [name = ''] = readdirSync(dataDir).filter((each) => each.startsWith('last-good.history-'));
  const pastDays = path.join(dataDir, name);
  const advice = `remove ${dataDir}/last-good.*: serve writes them after the next publication`;
  writeFileSync(pastDays, 'half');
  assert.equal(await said(), `false ${pastDays} is damaged or of another version and was not used: ${advice}`);
  rmSync(pastDays);
  assert.equal(await said(), `false ${pastDays} is missing: past days are unknown: ${advice}`);
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

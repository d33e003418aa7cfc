import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { dataPackage } from '../../dumps/description/data-package.ts';
import { type DumpManifest, MANIFEST_FILE } from '../../dumps/manifest.ts';
import { dumpFolder } from '../../dumps/published/dump-folder.ts';
import { dumpFindings } from './dump-checks.ts';

const DATA_DIR = mkdtempSync(path.join(os.tmpdir(), 'pompa-dump-checks-'));
after(() => rmSync(DATA_DIR, { recursive: true }));
const NOW = Date.parse('2026-11-20T10:00:00Z');
const HOUR = 3_600_000;

const fresh: DumpManifest = {
  ...{
    madeAt: NOW - 6 * HOUR,
    updatedAt: NOW - 7 * HOUR,
    cursor: null,
    allowed: ['manual', 'register'],
    simulated: false,
  },
  ...{ files: [], emptyMonths: [], errata: [] },
};
function findingOf(manifest: Partial<DumpManifest>, DUMP_SOURCES: readonly string[] = ['register', 'manual']) {
  mkdirSync(dumpFolder(DATA_DIR), { recursive: true });
  const text = JSON.stringify(dataPackage({ ...fresh, ...manifest }, 'https://pompa.example/date/v1/'));
  writeFileSync(path.join(dumpFolder(DATA_DIR), MANIFEST_FILE), text);
  const [finding] = dumpFindings({ DUMP_SOURCES, DATA_DIR }, NOW);
  return `${finding?.ok ? 'ok' : 'BAD'}: ${finding?.detail}`;
}

test('dumps older than two days are found, and those that nobody made', () => {
  const [none] = dumpFindings({ DUMP_SOURCES: ['register'], DATA_DIR }, NOW);
  assert.match(`${none?.ok} ${none?.detail}`, /^false there are none in /);
  assert.equal(findingOf({}), 'ok: 0 files, made 6 hours ago, of data updated 7 hours ago');
  assert.equal(findingOf({ madeAt: NOW - 49 * HOUR }), 'BAD: 0 files, made 2 days ago');
});

test('fresh files with old data are found, and those of other sources', () => {
  assert.match(findingOf({ updatedAt: NOW - 72 * HOUR }), /^BAD: .*of data updated 3 days ago$/);
  assert.match(findingOf({ updatedAt: null }), /^BAD: .*of no data$/);
  assert.match(findingOf({}, ['register']), /^BAD: .*of other sources than DUMP_SOURCES: manual, register$/);
});

test('nothing is wrong where no source may be dumped', () => {
  assert.equal(findingOf({ madeAt: 0 }, []), 'ok: none, since DUMP_SOURCES is unset');
});

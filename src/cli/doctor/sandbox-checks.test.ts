import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import type { Finding } from '../reports/finding.ts';
import { type ProcessSurroundings, sandboxFindings } from './sandbox-checks.ts';

let folder: string;
before(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-process-'));
});
after(() => rmSync(folder, { recursive: true }));

async function findings(different: Partial<ProcessSurroundings>, url: string | null = null): Promise<Finding[]> {
  const usual = { uid: 10001, userName: 'pompa', isContainer: true, temporaryFolder: folder };
  return sandboxFindings({ DATABASE_URL: url }, { ...usual, ...different });
}

test('the user and temporary folder of our image are fine', async () => {
  assert.deepEqual(
    (await findings({})).map(({ check, ok }) => [check, ok]),
    [
      ['user', true],
      ['temporary folder', true],
    ],
  );
});

test('root is reported in a container only', async () => {
  const [inside] = await findings({ uid: 0, userName: 'root' });
  assert.deepEqual([inside?.ok, inside?.detail], [false, 'Pompa runs as root in a container']);
  assert.match(inside?.advice ?? '', /10001/);
  const [outside] = await findings({ uid: 0, userName: 'root', isContainer: false });
  assert.equal(outside?.ok, true);
});

test('a user without a name is reported where PostgreSQL is embedded', async () => {
  const [embedded] = await findings({ uid: 12345, userName: null });
  assert.deepEqual(
    [embedded?.ok, embedded?.detail.slice(0, 42)],
    [false, 'user 12345 has no entry in /etc/passwd, wh'],
  );
  const [elsewhere] = await findings({ uid: 12345, userName: null }, 'postgres://u@h/d');
  assert.equal(elsewhere?.ok, true);
});

test('a folder for temporary files that cannot be written to is reported', async () => {
  const [, missing] = await findings({ temporaryFolder: path.join(folder, 'missing') });
  assert.deepEqual([missing?.ok, missing?.advice], [false, 'set TMPDIR to a folder that this user can write to']);
  assert.match(missing?.detail ?? '', /missing cannot be written to: ENOENT/);
});

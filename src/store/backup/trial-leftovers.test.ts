import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { findDatabaseDirectory } from '../embedded/database-directory.ts';
import { takeLock } from '../embedded/lock.ts';
import { SUPERVISOR_LOCK } from '../embedded/supervisor-files.ts';
import { removeTrialLeftovers, TRIAL_PREFIX, trialLeftovers } from './trial-leftovers.ts';

const temporary = mkdtempSync(path.join(os.tmpdir(), 'pompa-leftovers-'));
const before = process.env.TMPDIR;
process.env.TMPDIR = temporary;
after(() => {
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
  rmSync(temporary, { recursive: true });
});
const SILENT = { info: () => undefined, warn: () => undefined };
const LATER = Date.now() + 3_600_000;

async function trial(): Promise<{ folder: string; home: string }> {
  const folder = mkdtempSync(path.join(temporary, TRIAL_PREFIX));
  const { home } = await findDatabaseDirectory(folder, SILENT);
  mkdirSync(path.join(home, 'data'));
  return { folder, home };
}

test('the folder of a killed trial is named and removed with its database, one in use or of others is not', async () => {
  const [killed, inUse] = [await trial(), await trial()];
  const foreign = mkdtempSync(path.join(temporary, TRIAL_PREFIX));
  chmodSync(foreign, 0o755);
  assert.deepEqual(await trialLeftovers(Date.now()), [], 'they may be about to start');
  assert.ok((await trialLeftovers(LATER)).includes(killed.folder));
  const lock = await takeLock(path.join(inUse.home, SUPERVISOR_LOCK), 0);
  await removeTrialLeftovers(LATER);
  const exist = [killed, inUse].flatMap(({ folder, home }) => [existsSync(folder), existsSync(home)]);
  assert.deepEqual([...exist, existsSync(foreign)], [false, false, true, true, true]);
  lock?.release();
  await removeTrialLeftovers(LATER);
  assert.deepEqual(await trialLeftovers(LATER), []);
});

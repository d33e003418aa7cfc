/** The process of a drill that is killed: its drill has failed. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DEFAULT_RANGES } from '../../domain/fuel.ts';
import { runDrillProcess } from './run-backup-process.ts';

const NOW = Date.parse('2026-11-20T00:00:05Z');
const FILE = 'pompa-0a1b2c3d-20261120T000005Z.backup';

test('a drill whose process is killed has failed, and says of what', async () => {
  const task = {
    ...{ databaseUrl: 'postgres://127.0.0.1:1/none', directUrl: null, dataDir: '/nowhere', folder: '/nowhere' },
    ...{ program: '1', now: NOW, ranges: DEFAULT_RANGES, inService: null },
  };
  const drilling = runDrillProcess(task, FILE, new AbortController().signal);
  process.kill(await childProcess(), 'SIGKILL');
  const { seconds, ...drill } = await drilling;
  assert.ok(seconds >= 0);
  assert.deepEqual(drill, {
    ...{ startedAt: NOW, file: FILE, compared: [], differences: [] },
    failure: 'the process was killed by SIGKILL',
  });
});

/** The process that this one has started for it. */
async function childProcess(): Promise<number> {
  for (;;) {
    const found = readdirSync('/proc').find((pid) => /^\d+$/.test(pid) && isOurs(pid));
    if (found !== undefined) return Number(found);
    await nextTurn();
  }
}

function isOurs(pid: string): boolean {
  try {
    const [, parent] = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(parent) === process.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('backup-process');
  } catch {
    // It has ended.
    return false;
  }
}

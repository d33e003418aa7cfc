import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Command, parseCommandLine } from '../app/command.ts';
import { serveCommand } from '../cli/processes/serve.ts';
import { workerCommand } from '../cli/processes/worker.ts';
import { readConfig } from '../config/config.ts';
import { whenAborted } from './when-aborted.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'pompa-stopped-'));
});
after(() => rm(folder, { recursive: true }));

/** Runs a command that was asked to end before it was up; there is no database. */
async function endedEarly(command: Command): Promise<{ code: number; printed: string[] }> {
  const printed: string[] = [];
  const settings = {
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: 'fatal',
  };
  const code = await command.run({
    ...parseCommandLine(command, []),
    config: readConfig(settings, folder),
    terminal: { out: (line) => printed.push(line), err: () => {}, interactive: false, progress: () => {} },
    signal: AbortSignal.abort(new Error('the process is being stopped')),
  });
  return { code, printed };
}

describe('a process that is asked to end while it starts', { timeout: 120_000 }, () => {
  test('ends in order, and does not say that it listens', async () => {
    assert.deepEqual(await endedEarly(serveCommand), { code: 0, printed: [] });
  });

  test('ends in order as a worker, too', async () => {
    assert.deepEqual(await endedEarly(workerCommand), { code: 0, printed: [] });
  });
});

test('a wish to end is heard before and after one waits for it', async () => {
  await whenAborted(AbortSignal.abort());
  const stop = new AbortController();
  const waiting = whenAborted(stop.signal);
  stop.abort();
  await waiting;
});

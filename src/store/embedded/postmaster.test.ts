import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { isPostmaster, runningPostmaster, stopPostmaster } from './postmaster.ts';

/** A process with the given command line. */
const spawnNamed = (...args: string[]) => spawn('sleep', ['60'], { argv0: args.join(' ') });

test('only a process whose command line names this folder counts as its server', async () => {
  const data = mkdtempSync(path.join(os.tmpdir(), 'pompa-postmaster-'));
  const write = (pid: number | string) =>
    writeFileSync(path.join(data, 'postmaster.pid'), `${pid}\n${data}\n1\n5432\n/run\n\n\nready   \n`);
  for (const pid of [1, process.pid, process.ppid, 4_194_304, -1, 0, '', 'x']) {
    write(pid);
    assert.equal(runningPostmaster(data), undefined, `pid ${pid}`);
  }
  const other = spawnNamed('postgres', '-D', `${data}-other`);
  assert.equal(isPostmaster(other.pid ?? 0, data), false);
  other.kill();
  rmSync(data, { recursive: true });
});

test('a server that ignores a shutdown request is killed', async () => {
  const data = mkdtempSync(path.join(os.tmpdir(), 'pompa-postmaster-'));
  const program = path.join(data, 'program.cjs');
  writeFileSync(program, `process.on('SIGINT', () => {}); setInterval(() => {}, 1000); console.log('deaf');`);
  const stubborn = spawn(process.execPath, [program, '-D', data, '-c', 'x=1'], { argv0: 'postgres' });
  await once(stubborn.stdout, 'data');
  writeFileSync(path.join(data, 'postmaster.pid'), `${stubborn.pid}\n${data}\n1\n5432\n/run\n\n\nready   \n`);
  assert.equal(runningPostmaster(data)?.pid, stubborn.pid);
  const ended = once(stubborn, 'exit');
  await stopPostmaster(data);
  const [, signal] = await ended;
  assert.equal(signal, 'SIGQUIT');
  assert.equal(runningPostmaster(data), undefined);
  rmSync(data, { recursive: true });
});

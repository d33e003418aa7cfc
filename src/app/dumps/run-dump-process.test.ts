/** The process that makes dumps: what it reports, how it fails, and that it ends with whoever started it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { setUpCollector } from '../../../test/support/collection/collector-fixture.ts';
import { DEFAULT_RANGES } from '../../domain/fuel.ts';
import type { DumpTask } from './dump-task.ts';
import { runDumpProcess } from './run-dump-process.ts';

const { database, dataDir, fakeSource, bench } = setUpCollector();
const folder = path.join(dataDir, 'dumps');
const task = (more: Partial<DumpTask> = {}): DumpTask => ({
  ...{ databaseUrl: database.url, dataDir, folder, allowed: ['register'], inService: null },
  ...{ ranges: DEFAULT_RANGES, publicUrl: 'https://pompa.example', simulated: true },
  ...more,
});
const never = new AbortController().signal;

describe('the process that makes dumps', () => {
  test('makes them and reports', async () => {
    fakeSource.respondsWith({ R1: { petrol: 7_000 } });
    await bench.run('2026-11-19T08:00Z');
    const report = await runDumpProcess(task(), never);
    assert.equal(report.folder, folder);
    assert.ok(report.rows > 0);
    const { title } = JSON.parse(readFileSync(path.join(folder, 'datapackage.json'), 'utf8'));
    assert.match(title, /^DATE SIMULATE: /);
  });

  test('says in one line why it fails, and leaves nothing', async () => {
    await assert.rejects(runDumpProcess(task(), never), { message: /^nothing was collected yet/ });
    assert.deepEqual(readdirSync(folder), []);
    writeFileSync(path.join(dataDir, 'file'), '');
    await assert.rejects(runDumpProcess(task({ folder: path.join(dataDir, 'file', 'x') }), never), /ENOTDIR|no folder/);
  });

  test('is stopped by the signal', async () => {
    const stop = new AbortController();
    const stopped = runDumpProcess(task(), stop.signal);
    stop.abort(new Error('the worker is being stopped'));
    await assert.rejects(stopped, /the worker is being stopped/);
  });

  test('ends when the one that started it has gone', async () => {
    fakeSource.respondsWith({ R1: { petrol: 7_000 } });
    await bench.run('2026-11-19T08:00Z');
    const program = fileURLToPath(new URL('./dump-process.ts', import.meta.url));
    const child = spawn(process.execPath, [program], { stdio: ['pipe', 'ignore', 'ignore'] });
    const exited = once(child, 'exit');
    child.stdin.end(`${JSON.stringify(task())}\n`);
    assert.deepEqual(await exited, [1, null]);
    assert.ok(!existsSync(path.join(folder, 'datapackage.json')));
  });
});

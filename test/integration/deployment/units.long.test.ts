/** The units of systemd: read by systemd-analyze, and their commands run with one file of settings. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ROOT } from '../../project/project-files.ts';
import { stopProcess } from '../../support/processes/child-process.ts';
import { freePort } from '../../support/processes/free-port.ts';
import { program, runHere } from './programs.ts';

const UNITS = path.join(ROOT, 'deploy/systemd');
const INSTANCES = ['serve', 'worker', 'doctor'];

let folder: string;
let analyze: string;
before(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-units-'));
  analyze = program('systemd-analyze', 'systemd');
});
after(() => rmSync(folder, { recursive: true }));

/** The units in a folder of their own, of the program in this clone; each text changed first. */
function units(change: (text: string) => string = (text) => text): string {
  const copy = mkdtempSync(path.join(folder, 'units-'));
  cpSync(UNITS, copy, { recursive: true });
  for (const name of globSync('**/*.{service,conf}', { cwd: copy })) {
    const file = path.join(copy, name);
    writeFileSync(file, change(readFileSync(file, 'utf8').replaceAll('/opt/pompa', ROOT)));
  }
  return copy;
}

describe('the units of systemd', () => {
  const verify = (copy: string, name: string) =>
    runHere(analyze, ['verify', `${copy}/pompa@${name}.service`], { cwd: folder });
  const security = (copy: string, name: string) =>
    runHere(analyze, ['security', '--offline=yes', '--threshold=20', `${copy}/pompa@${name}.service`], { cwd: folder });

  test('are free of warnings', () => {
    const copy = units();
    for (const name of INSTANCES) {
      const { status, out, err } = verify(copy, name);
      assert.deepEqual([status, out, err], [0, '', ''], name);
    }
    const misspelt = units((text) => text.replace('ProtectHome', 'ProtectHouse').replace('Type=', 'Typo='));
    assert.match(verify(misspelt, 'serve').err, /Unknown key 'ProtectHouse'/);
    assert.match(verify(misspelt, 'doctor').err, /Unknown key 'Typo'/);
  });

  // Its manual: when a user's last session ends, systemd would remove the semaphores of a server that still runs.
  test('leave the embedded PostgreSQL, which outlives the main process, what it shares', () => {
    const text = readFileSync(path.join(UNITS, 'pompa@.service'), 'utf8');
    assert.match(text, /^KillMode=process$/m);
    assert.doesNotMatch(text, /^RemoveIPC=/m);
  });

  test('expose 2.0 at most', (t) => {
    const copy = units();
    for (const name of INSTANCES) {
      const { status, out } = security(copy, name);
      t.diagnostic(out.trimEnd().split('\n').at(-1) ?? '');
      assert.equal(status, 0, out);
    }
    assert.notEqual(
      security(
        units((text) => text.replace(/^SystemCallFilter.*$/gm, '')),
        'serve',
      ).status,
      0,
    );
  });

  test('let doctor look once, as the same user, with the settings and in the sandbox of the service', () => {
    const { command, drops } = unitOf('doctor');
    assert.deepEqual(command.slice(1), ['doctor']);
    // A failed check is no reason to look again: the unit starts again where a process fails.
    assert.deepEqual(drops, ['Type=oneshot', 'Restart=no']);
  });
});

describe('with one file of settings', { timeout: 60_000 }, () => {
  const settings = async () => ({
    DATABASE_URL: 'postgres://u:p@127.0.0.1:1/x',
    PORT: '0',
    METRICS_PORT: String(await freePort()),
  });

  test('serve and worker show their metrics on ports of their own', async () => {
    const file = { ...(await settings()), WORKER_METRICS_PORT: String(await freePort()) };
    const [serve, worker] = [start('serve', file), start('worker', file)];
    try {
      assert.equal(await serve.line(/metrics at .*:(\d+)\/metrics/), file.METRICS_PORT);
      assert.equal(await worker.line(/metrics at .*:(\d+)\/metrics/), file.WORKER_METRICS_PORT);
    } finally {
      await Promise.all([serve.end(), worker.end()]);
    }
  });

  test('the worker starts beside a service that shows metrics', async () => {
    const file = await settings();
    const serve = start('serve', file);
    try {
      await serve.line(/(metrics) at/);
      const worker = start('worker', file);
      await worker.line(/(the database) cannot be used/).finally(() => worker.end());
    } finally {
      await serve.end();
    }
  });
});

/** What systemd would start of an instance, and what the files of that instance alone say. */
function unitOf(name: string): { command: string[]; environment: Record<string, string>; drops: string[] } {
  const linesOf = (file: string) =>
    readFileSync(path.join(UNITS, file), 'utf8')
      .split('\n')
      .filter((line) => /^\w+=/.test(line));
  const drops = globSync(`pompa@${name}.service.d/*.conf`, { cwd: UNITS }).sort().flatMap(linesOf);
  const lines = [...linesOf('pompa@.service'), ...drops];
  const last = (key: string) => lines.findLast((line) => line.startsWith(`${key}=`))?.slice(key.length + 1) ?? '';
  const environment = lines
    .filter((line) => line.startsWith('Environment='))
    .flatMap((line) => line.slice(12).split(' '));
  return {
    command: last('ExecStart').replaceAll('%i', name).replaceAll('/opt/pompa', ROOT).split(' '),
    environment: Object.fromEntries(environment.map((each) => each.split(/=(.*)/, 2) as [string, string])),
    drops,
  };
}

/** Starts the command of an instance as systemd does: a file of settings goes before the unit's own. */
function start(name: string, file: Record<string, string>) {
  const { command, environment } = unitOf(name);
  const env = {
    ...environment,
    DATA_DIR: mkdtempSync(path.join(folder, 'data-')),
    NODE_COMPILE_CACHE: folder,
    ...file,
  };
  const given: Readonly<Record<string, string>> = env;
  const [executable = '', ...args] = command.map((word) => word.replace(/\$\{(\w+)\}/g, (_, key) => given[key] ?? ''));
  const child = spawn(executable, args, {
    env: { PATH: process.env.PATH, HOME: folder, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return { line: (pattern: RegExp) => firstMatch(child, pattern), end: () => stopProcess(child) };
}

/** What the first group finds in the log; rejects when the process exits first. */
function firstMatch(child: ChildProcess, pattern: RegExp): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let log = '';
  child.stderr?.on('data', (part) => {
    log += part;
    const found = pattern.exec(log)?.[1];
    if (found !== undefined) resolve(found);
  });
  child.once('close', () => reject(new Error(log)));
  return promise;
}

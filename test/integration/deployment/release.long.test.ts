/**
 * The archive of a release starts where there is neither npm nor Node.js, and the image made from it runs as
 * docs/DEPLOYMENT.md says: as its own user, with nothing to write to but its volume, under the filter of system calls
 * of the unit of systemd.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chownSync,
  cpSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { ROOT } from '../../project/project-files.ts';
import { findProgram } from '../../support/debian-packages.ts';
import { stopProcess } from '../../support/processes/child-process.ts';
import { runProgram } from '../../support/processes/run-program.ts';
import { type Containers, IMAGE, prepareContainers } from './containers.ts';
import { program } from './programs.ts';
import { seccompProfileOf } from './seccomp.ts';

const TAG = IMAGE;
const OFFSITE_TAG = `${IMAGE}-offsite`;
const MOST_IMAGE_BYTES = 300e6;
/** A container that takes longer hangs. */
const STOPPED_WITHIN_MS = 60_000;
const HARDENED = ['--read-only', '--tmpfs', '/tmp', '--cap-drop=all', '--security-opt', 'no-new-privileges'];

let folder: string;
let archive: string;
before(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-release-'));
  archive = await makeArchive('one');
});
after(() => rmSync(folder, { recursive: true }));

async function makeArchive(name: string): Promise<string> {
  const out = path.join(folder, name);
  await runProgram([path.join(ROOT, 'scripts/release-archive'), '--out', out], { cwd: ROOT });
  const [file] = globSync('pompa-*-linux-*.tar.gz', { cwd: out });
  return path.join(out, file ?? assert.fail('no archive'));
}

const digestOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Waits until a demo that listens there has prices. */
async function pricesOf(address: string, child: ChildProcess): Promise<number> {
  for (;;) {
    assert.equal(child.exitCode, null, 'the demo has ended');
    const answer = await fetch(`${address}/api/v1/preturi/minime`).catch(() => null);
    const body = (await answer?.json()) as { preturi: { benzina_standard: { min: number | null } } } | undefined;
    const price = body?.preturi.benzina_standard.min ?? null;
    if (price !== null) return price;
    await delay(100);
  }
}

/** The address that a demo prints; goes on reading what it writes. */
async function listening(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let written = '';
  const read = (text: Buffer) => {
    written += text;
    const address = /listening on (\S+)/.exec(written)?.[1];
    if (address !== undefined) resolve(address);
  };
  child.stdout?.on('data', read);
  child.stderr?.on('data', read);
  child.once('close', () => reject(new Error(written)));
  return promise;
}

describe('the archive of a release', () => {
  test('has the same bytes when it is made again', async () => {
    assert.equal(digestOf(await makeArchive('two')), digestOf(archive));
  });

  test('is not made of what differs from the commit', () => {
    const clone = path.join(folder, 'changed');
    runSync('git', ['clone', '--quiet', '--shared', ROOT, clone]);
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(clone, 'node_modules'));
    writeFileSync(path.join(clone, 'src/start.ts'), '');
    const made = spawnSync(process.execPath, ['scripts/release-archive.ts'], { cwd: clone, encoding: 'utf8' });
    assert.deepEqual(
      [made.status, made.stderr],
      [1, 'pompa: files differ from the commit: src/start.ts; commit or restore them, then try again\n'],
    );
  });

  test('starts where there is no npm and no Node.js, and installs nothing', async () => {
    const root = unpacked();
    const bare = path.join(folder, 'bare');
    mkdirSync(bare);
    for (const name of ['sh', 'readlink', 'dirname', 'sed'])
      symlinkSync(findProgram([name]) ?? assert.fail(name), path.join(bare, name));
    const [filesBefore, home] = [filesOf(root), path.join(folder, 'home')];
    const env = {
      PATH: bare,
      HOME: home,
      DATA_DIR: home,
      PORT: '0',
      NODE_COMPILE_CACHE: path.join(folder, 'compiled'),
    };
    const demo = spawn(path.join(root, 'bin/pompa'), ['demo'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    try {
      assert.ok((await pricesOf(await listening(demo), demo)) > 1);
    } finally {
      await stopProcess(demo);
    }
    assert.deepEqual([demo.exitCode, filesOf(root)], [0, filesBefore]);
  });

  test('holds neither tests nor what only compilers read, nor where packages were fetched', () => {
    const names = runSync('tar', ['-tzf', archive]).split('\n');
    assert.deepEqual(
      names.filter((name) => /\.test\.ts$|\.d\.ts$|\.map$|\/include\/|node_modules\/typescript\//.test(name)),
      [],
    );
    assert.doesNotMatch(readFileSync(path.join(unpacked(), 'node_modules/.package-lock.json'), 'utf8'), /"resolved"/);
  });

  function unpacked(): string {
    const into = mkdtempSync(path.join(folder, 'unpacked-'));
    runSync('tar', ['-xzf', archive, '-C', into]);
    return path.join(into, path.basename(archive, '.tar.gz'));
  }
});

function filesOf(root: string): string[] {
  const names = globSync('**/*', { cwd: root }).sort();
  return names.map((name) => `${name} ${lstatSync(path.join(root, name)).size}`);
}

function runSync(program: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 64e6 });
  assert.equal(status, 0, stderr);
  return stdout;
}

describe('the image', () => {
  let containers: Containers;
  let layers: string;
  let context: string;
  before(async () => {
    containers = await prepareContainers(folder);
    context = path.join(folder, 'context');
    for (const name of ['Containerfile', '.dockerignore', 'deploy'])
      cpSync(path.join(ROOT, name), path.join(context, name), { recursive: true });
    mkdirSync(path.join(context, 'dist'));
    cpSync(archive, path.join(context, 'dist', path.basename(archive)));
    layers = (await containers.build(context, TAG, 'docker')).layers;
  });
  after(async () => {
    await containers.podman(['volume', 'rm', '--force', 'pompa-test']);
    await containers.podman(['volume', 'rm', '--force', 'pompa-test-backups']);
    await containers.podman(['image', 'rm', '--force', OFFSITE_TAG, TAG]);
  });

  // In Docker's format, which has health checks, buildah also writes a random id of its own: the layer is compared.
  test('has the same digest when it is built again', async () => {
    const tag = `${TAG}-again`;
    const [first, second] = [await containers.build(context, tag, 'oci'), await containers.build(context, tag, 'oci')];
    await containers.podman(['image', 'rm', '--force', tag]);
    assert.deepEqual(second, first);
    assert.equal(first.layers, layers);
  });

  test('has 300 MB at most', async (t) => {
    const bytes = await containers.size(TAG);
    t.diagnostic(`${(bytes / 1e6).toFixed(0)} MB`);
    assert.ok(bytes <= MOST_IMAGE_BYTES, `${bytes}`);
  });

  test('refuses to be built of two releases', async () => {
    const second = path.join(context, 'dist/pompa-0.0.1-linux-x64.tar.gz');
    const other = path.join(folder, 'pompa-0.0.1-linux-x64');
    mkdirSync(other);
    runSync('tar', ['-czf', second, '-C', folder, path.basename(other)]);
    await assert.rejects(
      containers.build(context, `${TAG}-two`, 'docker'),
      /pompa: the build found 2 releases in dist\/ and needs one/,
    );
    rmSync(second);
  });

  test('serves prices hardened, is healthy, stops with 0 and goes on with its volume', async () => {
    const profile = path.join(folder, 'seccomp.json');
    writeFileSync(profile, JSON.stringify(seccompProfileOf(path.join(ROOT, 'deploy/systemd/pompa@.service'))));
    const place = ['--network=host', '-v', 'pompa-test:/data', '-e', 'HOST=127.0.0.1', '-e', 'PORT=0'];
    const hardened = [...HARDENED, '--security-opt', `seccomp=${profile}`];
    for (const name of ['pompa-test-first', 'pompa-test-second']) {
      const container = containers.start(['--name', name, ...hardened, ...place, TAG, 'demo']);
      try {
        const address = await listening(container);
        assert.ok((await pricesOf(address, container)) > 1);
        const port = new URL(address).port;
        await containers.podman(['exec', '-e', `PORT=${port}`, name, ...(await healthCheck())]);
        await assert.rejects(
          containers.podman(['exec', '-e', 'PORT=1', name, ...(await healthCheck())]),
          /127.0.0.1:1\/livez/,
        );
        const user = await containers.podman(['exec', name, 'sh', '-c', 'exec cat /proc/self/status']);
        assert.match(user, /^Uid:\s10001\s10001[\s\S]*^CapEff:\s0+$[\s\S]*^NoNewPrivs:\s1$[\s\S]*^Seccomp:\s2$/m);
        await assert.rejects(
          containers.podman(['exec', name, 'sh', '-c', 'echo >/opt/pompa/x']),
          /Read-only file system/,
        );
      } finally {
        await stopProcess(container, STOPPED_WITHIN_MS);
      }
      assert.equal(container.exitCode, 0);
    }
  });

  test('makes and drills a nightly backup hardened', async () => {
    const profile = path.join(folder, 'seccomp.json');
    writeFileSync(profile, JSON.stringify(seccompProfileOf(path.join(ROOT, 'deploy/systemd/pompa@.service'))));
    const backups = folderOf(10001);
    const place = ['--network=host', '-v', `${folderOf(10001)}:/data`, '-v', `${backups}:/backups`];
    const settings = ['-e', 'BACKUP_DIR=/backups', '-e', 'LOG_LEVEL=warn'];
    const hardened = [...HARDENED, '--security-opt', `seccomp=${profile}`];
    const worked = await containers.run([...hardened, ...place, ...settings, TAG, 'worker', '--once']);
    assert.equal(worked.code, 0, worked.err);
    assert.equal(globSync('pompa-*.backup', { cwd: backups }).length, 1);
    const found = await containers.run([...hardened, ...place, ...settings, TAG, 'doctor', '--json']);
    assert.match(found.out, /"check":"drill","ok":true/);
  });

  test('with rclone and age sends a nightly backup away encrypted', async () => {
    await containers.build(context, OFFSITE_TAG, 'docker', 'deploy/backups/Containerfile');
    const key = path.join(folder, 'key.txt');
    runSync(program('age-keygen', 'age'), ['--output', key]);
    const [backups, away] = [folderOf(10001), folderOf(10001)];
    const place = ['-v', `${folderOf(10001)}:/data`, '-v', `${backups}:/backups`, '-v', `${away}:/away`];
    const settings = {
      BACKUP_DIR: '/backups',
      BACKUP_COMMAND: '/opt/pompa/deploy/backups/send-encrypted {}',
      AGE_RECIPIENT: runSync('age-keygen', ['-y', key]).trim(),
      OFFSITE: 'offsite:/away',
      RCLONE_CONFIG_OFFSITE_TYPE: 'alias',
      RCLONE_CONFIG_OFFSITE_REMOTE: '/',
      LOG_LEVEL: 'warn',
    };
    const given = Object.entries(settings).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    const worked = await containers.run([
      ...HARDENED,
      '--network=host',
      ...place,
      ...given,
      OFFSITE_TAG,
      'worker',
      '--once',
    ]);
    assert.equal(worked.code, 0, worked.err);
    const [name = assert.fail(worked.err)] = globSync('pompa-*.backup.age', { cwd: away });
    const read = path.join(folder, 'decrypted.backup');
    runSync('age', ['--decrypt', '--identity', key, '--output', read, path.join(away, name)]);
    assert.equal(digestOf(read), digestOf(path.join(backups, name.replace(/\.age$/, ''))));
  });

  test('has a folder for a volume of backups, and tells who reads its metrics', async () => {
    const volume = ['-v', 'pompa-test-backups:/backups', '-e', 'BACKUP_DIR=/backups', '-e', 'METRICS_PORT=9464'];
    const { out } = await containers.run([...HARDENED, '--network=host', ...volume, TAG, 'doctor', '--json']);
    assert.match(out, /"check":"backup folder","ok":true/);
    assert.match(out, /"check":"readers of metrics","ok":true,"detail":"METRICS_HOST is 0\.0\.0\.0: anybody/);
  });

  /** The command that the image has for it. */
  async function healthCheck(): Promise<string[]> {
    const [kind, ...command] = JSON.parse(
      await containers.podman(['image', 'inspect', '--format', '{{json .HealthCheck.Test}}', TAG]),
    ) as string[];
    assert.equal(kind, 'CMD');
    return command;
  }

  const folderOf = (user: number) => {
    const data = mkdtempSync(path.join(folder, 'data-'));
    chownSync(data, user, user);
    return data;
  };
  const MISTAKES: readonly [mistake: string, check: string, detail: RegExp, advice: RegExp, args: () => string[]][] = [
    [
      'a volume of another user',
      'data folder',
      /cannot be written to: EACCES/,
      /chown -R 10001 \/data/,
      () => ['-v', `${folderOf(4711)}:/data`],
    ],
    [
      'a read-only volume',
      'data folder',
      /cannot be written to: EROFS/,
      /mount a volume there/,
      () => ['-v', `${folderOf(10001)}:/data:ro`],
    ],
    [
      'no folder for temporary files',
      'temporary folder',
      /EROFS/,
      /--tmpfs \/tmp/,
      () => ['--read-only', '--read-only-tmpfs=false'],
    ],
    [
      'few open files',
      'open files',
      /hold 824 connections/,
      /--ulimit nofile=16384/,
      () => ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=4096:4096'],
    ],
    ['root', 'user', /as root in a container/, /user 10001/, () => ['--user', '0']],
    [
      'a user without a name',
      'user',
      /12345 has no entry in \/etc\/passwd/,
      /own user 10001/,
      () => ['--user', '12345', '--passwd=false'],
    ],
  ];
  for (const [mistake, check, detail, advice, args] of MISTAKES) {
    test(`that runs with ${mistake} is told by doctor, with what to do`, async () => {
      const { out, err, code } = await containers.run(['--network=host', ...args(), TAG, 'doctor', '--json']);
      const findings = out
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, string>);
      const finding = findings.find((each) => each.check === check) ?? assert.fail(out + err);
      assert.equal(code, 1);
      assert.match(finding.detail ?? '', detail);
      assert.match(finding.advice ?? '', advice);
    });
  }
});

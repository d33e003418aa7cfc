/**
 * Writes `pompa-VERSION-linux-ARCH.tar.gz`: the program, the packages that it runs with and its runtime, so that it
 * starts on a machine without npm and Node.js. The same commit gives the same bytes: entries are sorted, belong to
 * root and have the time of the commit, or that of SOURCE_DATE_EPOCH.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  createReadStream,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { createGzip } from 'node:zlib';
import tar from 'tar-stream';
import {
  installedRecord,
  type ReleaseFile,
  refuseUncommitted,
  releasedPackageFiles,
  releasedSources,
} from './release-files.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const USAGE = 'usage: scripts/release-archive [--out DIR] [--arch x64|arm64]';

const { out, arch } = options();
const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string };
const name = `pompa-${version}-linux-${arch}`;
try {
  refuseUncommitted(run('git', ['diff', '--name-only', '-z', 'HEAD'], ROOT).split('\0'));
} catch (error) {
  console.error(`pompa: ${(error as Error).message}`);
  process.exit(1);
}
mkdirSync(out, { recursive: true });
const staging = mkdtempSync(path.join(out, '.release-'));
try {
  installPackages(staging);
  const archive = path.join(out, `${name}.tar.gz`);
  await writeArchive(archive);
  console.log(`${archive}: ${(statSync(archive).size / 1e6).toFixed(1)} MB`);
} finally {
  rmSync(staging, { recursive: true });
}

function options(): { out: string; arch: string } {
  try {
    const { values } = parseArgs({ options: { out: { type: 'string' }, arch: { type: 'string' } } });
    const { out = path.join(ROOT, 'dist'), arch = process.arch } = values;
    if (arch === 'x64' || arch === 'arm64') return { out: path.resolve(out), arch };
  } catch {
    // Reported below, with the usage.
  }
  console.error(USAGE);
  process.exit(2);
}

/** From the lockfile, for the platform of the archive; no package's own scripts run. */
function installPackages(folder: string): void {
  for (const file of ['package.json', 'package-lock.json', '.npmrc'])
    cpSync(path.join(ROOT, file), path.join(folder, file));
  const platform = ['--os=linux', `--cpu=${arch}`, '--libc=glibc'];
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'];
  run('npm', ['ci', '--omit=dev', '--include=optional', ...platform, ...quiet], folder);
}

async function writeArchive(file: string): Promise<void> {
  const modified = new Date(
    1000 * Number(process.env.SOURCE_DATE_EPOCH ?? run('git', ['log', '-1', '--format=%ct'], ROOT)),
  );
  const sources = releasedSources(ROOT, run('git', ['ls-files', '-z'], ROOT).split('\0'));
  const files = [...sources, ...releasedPackageFiles(staging)].sort((a, b) => (a.name < b.name ? -1 : 1));
  const pack = tar.pack();
  const written = pipeline(pack, createGzip({ level: 9 }), createWriteStream(file));
  await Promise.all([addFiles(pack, files, modified), written]);
}

async function addFiles(pack: tar.Pack, files: readonly ReleaseFile[], mtime: Date): Promise<void> {
  const owner = { uid: 0, gid: 0, uname: 'root', gname: 'root', mtime };
  for (const { name: inside, file, link, executable } of files) {
    const header = { ...owner, name: `${name}/${inside}`, mode: executable ? 0o755 : 0o644 };
    if (link !== null) {
      pack.entry({ ...header, type: 'symlink', linkname: link });
    } else if (inside === 'node_modules/.package-lock.json') {
      pack.entry(header, installedRecord(file));
    } else {
      await pipeline(createReadStream(file), pack.entry({ ...header, size: statSync(file).size }));
    }
  }
  pack.finalize();
}

/** What the program writes to stdout; ends the process if it fails. */
function run(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, error } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status === 0) return stdout;
  throw new Error(`${program} ${args[0]} failed${error === undefined ? '' : `: ${error.message}`}`);
}

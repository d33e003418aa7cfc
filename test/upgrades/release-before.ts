/** The release before this one, from the history of this repository: `release-before.json` names its commit. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { runProgram } from '../support/processes/run-program.ts';

export type ReleaseRecord = {
  readonly version: string;
  readonly commit: string;
  /** The number of its newest migration. */
  readonly migration: number;
};

const ROOT = path.resolve(import.meta.dirname, '../..');

export const RELEASE_BEFORE: ReleaseRecord = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'release-before.json'), 'utf8'),
);

/** A checkout of a release, with its packages. */
export type Checkout = {
  /** Its `bin/pompa`. */
  readonly program: string;
  /** Imports one of its modules, whose types are those of today at best. */
  import<T>(file: string): Promise<T>;
};

/** Writes the release before this one to a folder of that name, and installs its packages. */
export async function checkOutReleaseBefore(folder: string): Promise<Checkout> {
  mkdirSync(folder, { recursive: true });
  const { commit } = RELEASE_BEFORE;
  if (!git('cat-file', '-e', `${commit}^{commit}`)) fetchCommit(commit);
  const archive = path.join(folder, 'release.tar');
  await runProgram(['git', 'archive', '--format=tar', `--output=${archive}`, commit], { cwd: ROOT });
  await runProgram(['tar', '-xf', archive], { cwd: folder });
  await installPackages(folder);
  return {
    program: path.join(folder, 'bin/pompa'),
    import: (file) => import(pathToFileURL(path.join(folder, file)).href),
  };
}

/** A clone may have the newest commits only. */
function fetchCommit(commit: string): void {
  if (git('fetch', '--quiet', '--depth=1', 'origin', commit)) return;
  throw new Error(`this clone lacks the release before this one, commit ${commit}: git fetch --unshallow`);
}

function git(...args: string[]): boolean {
  return spawnSync('git', args, { cwd: ROOT, stdio: 'ignore' }).status === 0;
}

/** Those of this checkout, if the release has the same. */
async function installPackages(folder: string): Promise<void> {
  if (lockedPackages(folder) === lockedPackages(ROOT))
    return symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'];
  await runProgram(['npm', 'ci', '--omit=dev', '--ignore-scripts', ...quiet], { cwd: folder });
}

function lockedPackages(folder: string): string {
  const { packages } = JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8'));
  return JSON.stringify({ ...packages, '': undefined });
}

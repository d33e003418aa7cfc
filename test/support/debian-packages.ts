/** Programs that tests need beside npm's packages: those on the PATH, else Debian's, where this user may install. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** What Debian asks whether it may start a service. */
const POLICY = '/usr/sbin/policy-rc.d';
const WITHOUT_SERVICES = path.join(import.meta.dirname, 'without-services');
/** Downloads that stall are tried again. */
const DOWNLOADS = ['-o', 'Acquire::Retries=5', '-o', 'Acquire::http::Timeout=30', '-o', 'Acquire::https::Timeout=30'];
/** For each step, and for those that install before. */
const STEP_SECONDS = '300';
const AS_ROOT = process.getuid?.() === 0 ? [] : ['sudo', '-n'];

/** The path of the first of these programs that is on the PATH, in the order of the names. */
export function findProgram(names: readonly string[]): string | null {
  // Debian keeps programs of services where only root's PATH has them.
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin'];
  const files = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return files.find(isExecutable) ?? null;
}

/**
 * Installs packages with apt-get, as root or with a sudo that asks for no password; false where that is impossible, or
 * takes more than five minutes a step. No service of theirs is started, and none that runs is stopped: tests start
 * programs of their own.
 */
export function installDebianPackages(packages: readonly string[]): boolean {
  console.error(`pompa: installing ${packages.join(' and ')}`);
  return aptGet('update', '-qq') && aptGet('install', '-y', '-qq', '--no-install-recommends', ...packages);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Its output goes to stderr. Waits for its turn: test files run at once, and apt-get fails while another one runs. What
 * it starts and leaves running does not hold the others up.
 */
function aptGet(...args: string[]): boolean {
  const lock = path.join(tmpdir(), 'pompa-apt-get.lock');
  // sudo passes no variables on.
  const aptCommand = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...DOWNLOADS, ...args];
  const bounded = [...AS_ROOT, WITHOUT_SERVICES, POLICY, 'timeout', '--kill-after=10', STEP_SECONDS, ...aptCommand];
  const command = ['--close', '--wait', STEP_SECONDS, lock, ...bounded];
  return spawnSync('flock', command, { stdio: ['ignore', 2, 2] }).status === 0;
}

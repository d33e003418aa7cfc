/** Programs that some tests need: those of this machine, or Debian's, installed with apt-get where this user may. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** The path of the first of these programs that is there; `null` = none is. */
export function findProgram(...names: readonly string[]): string | null {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin'];
  const files = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return files.find(isExecutable) ?? null;
}

/** Installs packages of Debian; false if that is impossible. */
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

/** As root, or with sudo if it asks for no password. Its output goes to stderr. */
function aptGet(...args: string[]): boolean {
  const [program, ...before] = process.getuid?.() === 0 ? ['apt-get'] : ['sudo', '-n', 'apt-get'];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync(program as string, [...before, ...args], { stdio: ['ignore', 2, 2], env }).status === 0;
}

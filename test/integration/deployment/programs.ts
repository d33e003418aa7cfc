/** Programs of others that read the files of `deploy/`. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { findProgram, installDebianPackages } from '../../support/debian-packages.ts';

/** Where it is: from Debian if it is missing. */
export function program(name: string, debian: string): string {
  const found = findProgram([name]) ?? (installDebianPackages([debian]) ? findProgram([name]) : null);
  return found ?? assert.fail(`these tests need ${name} on the PATH: install it, then try again`);
}

/** Runs a program until it exits. */
export function runHere(
  command: string,
  args: readonly string[],
  { cwd, env }: { cwd: string; env?: NodeJS.ProcessEnv },
) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  return { status, out: stdout, err: stderr };
}

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { codeOf, DatabaseMisconfigured, DatabaseUnavailable } from '../database-errors.ts';
import type { Binaries } from './binaries.ts';

/** The one superuser and the one database of an embedded cluster. */
export const DATABASE_NAME = 'pompa';
const MAJOR = '18';

/** Creates the cluster in `home/data` if there is none; a killed attempt leaves no partial cluster there. */
export async function createCluster(home: string, { initdb }: Binaries, signal: AbortSignal): Promise<void> {
  const data = path.join(home, 'data');
  removeLeftovers(home);
  if (existsSync(data)) return checkMajor(data);
  const password = path.join(home, 'password');
  writeFileSync(password, randomBytes(24).toString('base64url'), { mode: 0o600 });
  const fresh = path.join(home, `data.new-${process.pid}`);
  await runInitdb(initdb, fresh, password, path.join(home, 'initdb.log'), signal);
  renameSync(fresh, data);
  const folder = await open(home);
  await folder.sync();
  await folder.close();
}

/** The superuser's password. */
export function readPassword(home: string): string {
  try {
    return readFileSync(path.join(home, 'password'), 'utf8');
  } catch (error) {
    throw new DatabaseMisconfigured(
      `the password of the embedded database, ${home}/password, cannot be read (${codeOf(error)})`,
    );
  }
}

/** The environment of PostgreSQL's programs, without variables that they would read as settings. */
export function programEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
}

async function runInitdb(
  initdb: string,
  data: string,
  password: string,
  log: string,
  signal: AbortSignal,
): Promise<void> {
  const args = ['-D', data, '-U', DATABASE_NAME, '--auth=scram-sha-256', `--pwfile=${password}`, '--encoding=UTF8'];
  // Sorting and case by code point, built into PostgreSQL: the same on every machine and after every system update.
  args.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--no-instructions');
  const output = openSync(log, 'w', 0o600);
  try {
    const child = spawn(initdb, args, {
      stdio: ['ignore', output, output],
      env: programEnvironment(),
      signal,
      killSignal: 'SIGKILL',
    });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new DatabaseUnavailable(`initdb failed: ${lastLoggedErrors(log)}`);
  } finally {
    closeSync(output);
  }
}

/** The last errors in the log of a PostgreSQL program, as one line. */
export function lastLoggedErrors(log: string): string {
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  const errorLines = lines
    .filter((line) => /\b(FATAL|PANIC|ERROR|error|DETAIL|cannot|could not)\b/.test(line))
    .slice(-2);
  return (errorLines.length > 0 ? errorLines : lines.slice(-1)).join('; ') || `${log} is empty`;
}

function removeLeftovers(home: string): void {
  for (const name of readdirSync(home)) {
    if (name.startsWith('data.new-')) rmSync(path.join(home, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

function checkMajor(data: string): void {
  const major = readFileSync(path.join(data, 'PG_VERSION'), 'utf8').trim();
  if (major === MAJOR) return;
  throw new DatabaseMisconfigured(
    `${data} was created by PostgreSQL ${major} and this Pompa brings ${MAJOR}: back it up with the earlier Pompa, then restore here into an empty DATA_DIR`,
  );
}

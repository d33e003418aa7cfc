import { type SpawnOptions, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { codeOf, DatabaseMisconfigured, DatabaseUnavailable } from '../database-errors.ts';
import type { Binaries } from './binaries.ts';
import type { Connection } from './client-sockets.ts';
import type { ProcessUser } from './database-user.ts';
import { PORT } from './socket-directory.ts';

/** The one database of an embedded cluster; the one superuser has the same name. */
export const DATABASE_NAME = 'pompa';
const MAJOR = '18';

/**
 * Creates the cluster in `home/data` if there is none; a killed attempt leaves no partial cluster there.
 *
 * @param creator where root creates it: the user that initdb runs as, and a group that no other process has
 */
export async function createCluster(
  home: string,
  { initdb }: Binaries,
  signal?: AbortSignal,
  creator?: ProcessUser,
): Promise<void> {
  const data = path.join(home, 'data');
  removeLeftovers(home);
  if (existsSync(data)) return checkMajor(data);
  const password = path.join(home, 'password');
  writeFileSync(password, randomBytes(24).toString('base64url'), { mode: 0o600 });
  if (creator !== undefined) openToGroup(home, password, creator.gid);
  const fresh = path.join(home, `data.new-${process.pid}`);
  await runInitdb(initdb, fresh, path.join(home, 'initdb.log'), { cwd: '/', signal, ...creator });
  renameSync(fresh, data);
  const folder = await open(home);
  await folder.sync();
  await folder.close();
}

/** Lets initdb, the only process of the group, write into a folder of root and read the password. */
function openToGroup(home: string, password: string, gid: number): void {
  for (const [entry, mode] of [
    [password, 0o640],
    [home, 0o770],
  ] as const) {
    chownSync(entry, 0, gid);
    chmodSync(entry, mode);
  }
}

/** How the superuser reaches the database. For the supervisor, which sets the database up, and for operators. */
export function superuserConnection(home: string, run: string): Connection {
  return { host: run, port: PORT, user: DATABASE_NAME, password: readPassword(home), database: DATABASE_NAME };
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

async function runInitdb(initdb: string, data: string, log: string, options: SpawnOptions): Promise<void> {
  const password = path.join(path.dirname(data), 'password');
  const args = ['-D', data, '-U', DATABASE_NAME, '--auth=scram-sha-256', `--pwfile=${password}`, '--encoding=UTF8'];
  // Sorting and case by code point, built into PostgreSQL: the same on every machine and after every system update.
  args.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--no-instructions');
  const output = openSync(log, 'w', 0o600);
  try {
    const child = spawn(initdb, args, {
      ...options,
      stdio: ['ignore', output, output],
      env: programEnvironment(),
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

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailable } from '../database-errors.ts';
import { lastLoggedErrors, programEnvironment } from './cluster.ts';
import { isPostmaster, readPidFile, runningPostmaster, stopPostmaster } from './postmaster.ts';
import { PORT } from './socket-directory.ts';

/** A server that accepts connections. */
export interface DatabaseServer {
  pid: number;
  adopted: boolean;
  /** Fulfilled when the server's first process is gone, whoever started it. */
  ended: Promise<void>;
}

const SETTINGS = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  port: String(PORT),
  max_connections: '100',
  // Enough for the working set of the largest tables; the page cache of the machine holds the rest.
  shared_buffers: '64MB',
  max_wal_size: '256MB',
  min_wal_size: '32MB',
  // No helper processes for reads: the data are small and nearly always in the page cache.
  io_method: 'sync',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Its own news and what ends a server or a session; errors of statements are reported by the program that sent them.
  log_min_messages: 'log',
  log_checkpoints: 'off',
};

/** Adopts the server that runs on `home/data`, or starts one; resolves when it accepts connections. */
export async function startServer(
  home: string,
  run: string,
  postgres: string,
  signal: AbortSignal,
): Promise<DatabaseServer> {
  const data = path.join(home, 'data');
  const deadline = performance.now() + 10_000;
  for (;;) {
    const adopted = await adopt(data, run, signal);
    if (adopted !== undefined) return adopted;
    if (!(await socketAnswers(run))) {
      const started = await launch(home, data, run, postgres, signal);
      if (started !== undefined) return started;
    }
    // Sessions of a killed server hold its shared memory for a moment, and a forgotten server its socket.
    if (performance.now() > deadline)
      throw new DatabaseUnavailable(`PostgreSQL did not start: ${lastLoggedErrors(logOf(home))}`);
    await sleep(100, undefined, { signal });
  }
}

/** The server's log; the one of the start before is kept beside it. */
function logOf(home: string): string {
  return path.join(home, 'postgres.log');
}

async function adopt(data: string, run: string, signal: AbortSignal): Promise<DatabaseServer | undefined> {
  for (;;) {
    const running = runningPostmaster(data);
    if (running === undefined) return undefined;
    if (running.status === 'ready' && running.socketFolder === run) {
      return { pid: running.pid, adopted: true, ended: untilGone(running.pid, data) };
    }
    // Another socket folder, or on its way out: `stopping` can last as long as somebody is connected.
    if (running.status === 'ready' || running.status === 'stopping') await stopPostmaster(data);
    await sleep(20, undefined, { signal });
  }
}

/** Only the parent of a process is told of its end: of an adopted one it must be asked again and again. */
async function untilGone(pid: number, data: string): Promise<void> {
  while (isPostmaster(pid, data)) await sleep(200);
}

async function launch(
  home: string,
  data: string,
  run: string,
  postgres: string,
  signal: AbortSignal,
): Promise<DatabaseServer | undefined> {
  neutralizePidFile(data);
  rmSync(path.join(run, `.s.PGSQL.${PORT}`), { force: true });
  rmSync(path.join(run, `.s.PGSQL.${PORT}.lock`), { force: true });
  const child = spawnServer(home, data, run, postgres);
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const { pid } = child;
  if (pid === undefined) {
    await ended;
    throw new DatabaseUnavailable(`${postgres} cannot be run`);
  }
  while (child.exitCode === null && child.signalCode === null) {
    if (readPidFile(data)?.[0] === String(pid) && runningPostmaster(data)?.status === 'ready')
      return { pid, adopted: false, ended };
    if (signal.aborted) await stopPostmaster(data);
    await sleep(10);
  }
  signal.throwIfAborted();
  return undefined;
}

function spawnServer(home: string, data: string, run: string, postgres: string): ChildProcess {
  const log = logOf(home);
  if (existsSync(log)) renameSync(log, `${log}.1`);
  const output = openSync(log, 'a', 0o600);
  const settings = Object.entries({ ...SETTINGS, unix_socket_directories: run }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  try {
    // In a session of its own: a signal to the keeper's group is not meant for the data.
    return spawn(postgres, ['-D', data, ...settings], {
      stdio: ['ignore', output, output],
      env: programEnvironment(),
      cwd: '/',
      detached: true,
    });
  } finally {
    closeSync(output);
  }
}

/**
 * PostgreSQL refuses to start while the process that its `postmaster.pid` names is alive, even when that is another program by now.
 * It believes its own parent to be none: so the file gets the keeper's pid, and keeps the shared memory key that guards the data.
 */
function neutralizePidFile(data: string): void {
  const lines = readPidFile(data);
  if (lines === undefined) return;
  writeFileSync(path.join(data, 'postmaster.pid'), [String(process.pid), ...lines.slice(1)].join('\n'));
}

/** Whether a server answers that is not seen among the processes: one in another container, on a shared volume. */
function socketAnswers(run: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(path.join(run, `.s.PGSQL.${PORT}`));
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** Keeps the server's log small. */
export function limitLogSize(home: string): void {
  const log = logOf(home);
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 4_000_000) writeFileSync(log, '');
}

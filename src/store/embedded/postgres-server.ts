import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailable } from '../database-errors.ts';
import { lastLoggedErrors, programEnvironment } from './postgres-cluster.ts';
import { isPostmaster, readPidFile, runningPostmaster, stopPostmaster } from './postmaster.ts';
import { PORT } from './socket-directory.ts';

/** A server that accepts connections. */
export interface DatabaseServer {
  pid: number;
  adopted: boolean;
  /** Resolves when the server's main process has ended, whichever process started it. */
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
  // No I/O worker processes: the data are small and nearly always in the page cache.
  io_method: 'sync',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Logs the server's own events and fatal errors; the program that sent a failed statement reports its error.
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
    // Sessions of a killed server hold its shared memory for a moment, and an orphaned server holds its socket.
    if (performance.now() > deadline)
      throw new DatabaseUnavailable(`PostgreSQL did not start: ${lastLoggedErrors(logOf(home))}`);
    await sleep(100, undefined, { signal });
  }
}

/** The server's log; the log of the previous start is kept next to it. */
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
    // Another socket folder, or shutting down: `stopping` can last as long as a client is connected.
    if (running.status === 'ready' || running.status === 'stopping') await stopPostmaster(data);
    await sleep(20, undefined, { signal });
  }
}

/** Only the parent of a process is notified of its end: an adopted process must be polled. */
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
    // In its own session: a signal to the supervisor's process group must not reach the server.
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
 * PostgreSQL refuses to start while the process that its `postmaster.pid` names is alive, even if that is another
 * program by now. It ignores the pid of its own parent: so the file gets the supervisor's pid, and keeps the shared
 * memory key that guards the data.
 */
function neutralizePidFile(data: string): void {
  const lines = readPidFile(data);
  if (lines === undefined) return;
  writeFileSync(path.join(data, 'postmaster.pid'), [String(process.pid), ...lines.slice(1)].join('\n'));
}

/** Whether a server answers that is not among the visible processes: one in another container, on a shared volume. */
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

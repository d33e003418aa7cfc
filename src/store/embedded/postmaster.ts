import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** What `postmaster.pid` says about a server that is verified to run. */
export interface RunningPostmaster {
  pid: number;
  socketFolder: string;
  status: string;
}

/** The server that runs on the cluster in `data`, or undefined, also when another program has its pid by now. */
export function runningPostmaster(data: string): RunningPostmaster | undefined {
  const lines = readPidFile(data);
  const pid = Number(lines?.[0]);
  if (lines === undefined || !isPostmaster(pid, data)) return undefined;
  return { pid, socketFolder: lines[4] ?? '', status: lines[7]?.trim() ?? '' };
}

/** Whether this process is the PostgreSQL server of the cluster in `data`; false for a zombie. */
export function isPostmaster(pid: number, data: string): boolean {
  const [program, ...args] = commandLine(pid);
  return program !== undefined && path.basename(program) === 'postgres' && args.join(' ').includes(`-D ${data} `);
}

/**
 * Lines of `postmaster.pid`: 1 process, 2 folder, 3 start, 4 port, 5 socket folder, 6 address, 7 shared memory, 8
 * status.
 */
export function readPidFile(data: string): string[] | undefined {
  try {
    return readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return undefined;
  }
}

/** Whether the server is shutting down and still waits for its sessions. */
export function isStopping(data: string): boolean {
  return readPidFile(data)?.[7]?.trim() === 'stopping';
}

/**
 * Stops the server of the cluster in `data`, if one runs: cleanly, or by force if it has not stopped after 5 seconds.
 */
export async function stopPostmaster(data: string): Promise<void> {
  const running = runningPostmaster(data);
  if (running === undefined) return;
  // SIGINT = fast shutdown: sessions end, a checkpoint is written. SIGQUIT = immediate; the next start recovers.
  for (const [signal, patienceMs] of [
    ['SIGINT', 5000],
    ['SIGQUIT', 1000],
    ['SIGKILL', 1000],
  ] as const) {
    sendSignal(running.pid, signal);
    const deadline = performance.now() + patienceMs;
    while (performance.now() < deadline) {
      if (!isPostmaster(running.pid, data)) return;
      await sleep(10);
    }
  }
}

/** Sends a signal to a process that may have ended by now. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
}

function commandLine(pid: number): string[] {
  if (!Number.isInteger(pid) || pid <= 0) return [];
  if (process.platform !== 'linux') {
    const { stdout } = spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
    const [program, rest] = [stdout.trim().split(' ', 1)[0], stdout.trim().split(' ').slice(1)];
    return program === undefined ? [] : [program, ...rest, ''];
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

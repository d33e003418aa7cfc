/** Processes of a benchmark: started with a message channel, observed through /proc, ended by their own id. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const ROOT = path.resolve(import.meta.dirname, '../../..');
/** /proc counts CPU time in hundredths of a second on every common Linux. */
const TICK_MS = 10;

export type Child = {
  readonly pid: number;
  readonly process: ChildProcess;
  /** The next message from the child; rejects when the child exits first. */
  next<T>(): Promise<T>;
  send(message: object): void;
  /** Sends SIGTERM and waits until the child has exited. */
  end(): Promise<void>;
};

/** The runtime flags of bin/pompa. */
export const RUNTIME_FLAGS = [
  ...[`--v8-pool-size=${availableParallelism() > 4 ? 4 : 0}`, '--max-semi-space-size=8'],
  ...['--heap-growing-percent=30', '--initial-old-space-size=80'],
];

type Settings = Readonly<Record<string, string>>;

/**
 * Starts `bin/pompa`, that of another checkout, or a file of `bench/processes`; with BENCH_PROFILE=FOLDER the latter
 * write a CPU profile there. `errors` is where stderr goes: to our own stderr, to a pipe, or to an open file.
 */
export function startChild(
  program: string,
  args: readonly string[] = [],
  settings: Settings = {},
  errors: 'inherit' | 'pipe' | number = 'inherit',
): Child {
  const profile = process.env.BENCH_PROFILE;
  const profiled = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${path.resolve(profile)}`];
  const [runtime, ...before] = program.endsWith('.ts') ? [process.execPath, ...RUNTIME_FLAGS, ...profiled] : ['sh'];
  const child = spawn(runtime as string, [...before, path.resolve(ROOT, program), ...args], {
    cwd: ROOT,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', errors, 'ipc'],
  });
  const messages: unknown[] = [];
  let change = Promise.withResolvers<void>();
  let ended = false;
  child.on('message', (message) => {
    messages.push(message);
    change.resolve();
  });
  child.once('exit', () => {
    ended = true;
    change.resolve();
  });
  return {
    pid: child.pid as number,
    process: child,
    async next<T>() {
      while (messages.length === 0) {
        if (ended) throw new Error(`${program} ended with ${child.exitCode ?? child.signalCode}`);
        await change.promise;
        change = Promise.withResolvers();
      }
      return messages.shift() as T;
    },
    send: (message) => void child.send(message),
    end: () => stopProcess(child),
  };
}

/** The address that `serve` logs; rejects when `serve` exits first. */
export async function listeningAddress({ process: child }: Child): Promise<string> {
  for await (const part of child.stdout ?? []) {
    const address = /listening on (\S+)/.exec(String(part))?.[1];
    if (address !== undefined) return address;
  }
  throw new Error('serve ended');
}

/** Sends SIGTERM, after some time SIGKILL, and waits until the process has exited. */
export async function stopProcess(child: ChildProcess, graceMs = 10_000): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const killTimer = setTimeout(() => child.kill('SIGKILL'), graceMs);
  await ended;
  clearTimeout(killTimer);
}

/** CPU time that these processes have used so far, user and system, all threads, ms. */
export function cpuMs(...pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const fields = statOf(pid);
    return sum + (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  }, 0);
}

/** CPU time of the threads that a process has now, user and system, ms; the scheduler counts it in nanoseconds. */
export function threadsCpuMs(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, task) => {
    return sum + Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6;
  }, 0);
}

/** CPU time of a process and of all children it has started, exited ones included, ms. */
export function processTreeCpuMs(pid: number): number {
  return cpuMs(pid, ...childrenOf(pid)) + endedChildrenMs(pid);
}

/** CPU time of all exited children of a process, by default this one, ms. */
export function endedChildrenMs(pid: number | 'self' = 'self'): number {
  const fields = statOf(pid);
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}

/** The parent of a process. */
export function parentOf(pid: number): number {
  return Number(statOf(pid)[1]);
}

/** The children of a process. */
export function childrenOf(pid: number): number[] {
  if (process.platform !== 'linux') {
    const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
    const pairs = stdout
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number));
    return pairs.flatMap(([child, parent]) => (parent === pid && child !== undefined ? [child] : []));
  }
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
  );
}

/** Current and peak resident memory, MB. */
export function residentMb(pid: number): { now: number; peak: number; anonymous: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mb = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
  return { now: mb('VmRSS'), peak: mb('VmHWM'), anonymous: mb('RssAnon') };
}

/** Waits until a process is idle (half a second without CPU time), at most 15 seconds. */
export async function waitUntilIdle(pid: number): Promise<void> {
  for (let idleSamples = 0, samples = 0; idleSamples < 5 && samples < 150; samples += 1) {
    const before = cpuMs(pid);
    await sleep(100);
    idleSamples = cpuMs(pid) - before === 0 ? idleSamples + 1 : 0;
  }
}

/** The fields after the name of the program, which may contain spaces; the state comes first. */
function statOf(pid: number | string): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

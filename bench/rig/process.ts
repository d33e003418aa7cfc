/** Processes of a bench: started with a message channel, watched through /proc, ended by their own id. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** /proc counts CPU time in hundredths of a second on every usual Linux. */
const TICK_MS = 10;

export type Child = {
  readonly pid: number;
  readonly process: ChildProcess;
  /** The next message the child sends; rejects when it ends instead. */
  next<T>(): Promise<T>;
  send(message: object): void;
  /** Asks it to end and waits until it has. */
  end(): Promise<void>;
};

/** What bin/pompa tells the runtime. */
const RUNTIME_FLAGS = ['--max-semi-space-size=8', '--heap-growing-percent=40'];

type Settings = Readonly<Record<string, string>>;

/** Starts `bin/pompa`, or a file of `bench/children`; with BENCH_PROFILE=FOLDER the latter leave a CPU profile there. */
export function start(program: string, args: readonly string[] = [], settings: Settings = {}): Child {
  const profile = process.env.BENCH_PROFILE;
  const profiled = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${path.resolve(profile)}`];
  const [runtime, ...before] = program.endsWith('.ts') ? [process.execPath, ...RUNTIME_FLAGS, ...profiled] : ['sh'];
  const child = spawn(runtime as string, [...before, path.join(ROOT, program), ...args], {
    cwd: ROOT,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const said: unknown[] = [];
  let news = Promise.withResolvers<void>();
  let ended = false;
  child.on('message', (message) => {
    said.push(message);
    news.resolve();
  });
  child.once('exit', () => {
    ended = true;
    news.resolve();
  });
  return {
    pid: child.pid as number,
    process: child,
    async next<T>() {
      while (said.length === 0) {
        if (ended) throw new Error(`${program} ended`);
        await news.promise;
        news = Promise.withResolvers();
      }
      return said.shift() as T;
    },
    send: (message) => void child.send(message),
    end: () => endOf(child),
  };
}

/** Asks a process to end, insists after a while, and waits until it has. */
export async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const insist = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await ended;
  clearTimeout(insist);
}

/** CPU time of some processes so far, user and system, all threads, ms. */
export function cpuMs(...pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const fields = statOf(pid);
    return sum + (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  }, 0);
}

/** CPU time of all children of this process that have ended, ms. */
export function endedChildrenMs(): number {
  const fields = statOf('self');
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}

/** The processes that a process started. */
export function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
  );
}

/** Resident memory now, and the most there was, MB. */
export function residentMb(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mb = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
  return { now: mb('VmRSS'), peak: mb('VmHWM') };
}

/** Waits until a process does nothing more: half a second without CPU time; no longer than 15 seconds. */
export async function untilIdle(pid: number): Promise<void> {
  for (let quiet = 0, looks = 0; quiet < 5 && looks < 150; looks += 1) {
    const before = cpuMs(pid);
    await sleep(100);
    quiet = cpuMs(pid) - before === 0 ? quiet + 1 : 0;
  }
}

/** What stands after the name of the program, which may hold spaces: state first. */
function statOf(pid: number | string): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

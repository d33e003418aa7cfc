import { spawn } from 'node:child_process';
import { closeSync, constants, fchownSync, fstatSync, ftruncateSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DatabaseDirectory } from './database-directory.ts';
import { SUPERVISOR_LOG } from './supervisor-files.ts';

/** A supervisor that this process has started. */
export interface SupervisorProcess {
  isRunning(): boolean;
  /** Its own reason for failing; undefined while it runs, and after an orderly end. */
  failure(): string | undefined;
  /** The signal that killed it. */
  killedBy(): NodeJS.Signals | null;
}

/** The runtime and the program of the supervisor. */
export type SupervisorCommand = readonly [runtime: string, program: string];

/** Starts a supervisor of its own process group, whose output goes to `SUPERVISOR_LOG` in the database directory. */
export function startSupervisor(
  { dataDir, home, owner }: DatabaseDirectory,
  [runtime, program]: SupervisorCommand = [process.execPath, fileURLToPath(import.meta.resolve('./supervisor.ts'))],
): SupervisorProcess {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  const file = path.join(home, SUPERVISOR_LOG);
  const log = openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  try {
    if (owner !== undefined) fchownSync(log, owner.uid, owner.gid);
    if (fstatSync(log).size > 100_000) ftruncateSync(log);
    const { size } = fstatSync(log);
    const supervisor = spawn(runtime, [program, dataDir], {
      stdio: ['ignore', log, log],
      env: supervisorEnvironment(),
      detached: true,
    });
    let startError: Error | undefined;
    supervisor.on('error', (error) => {
      startError = error;
    });
    supervisor.unref();
    return {
      isRunning: () => startError === undefined && supervisor.exitCode === null && supervisor.signalCode === null,
      failure: () => startError?.message ?? (supervisor.exitCode ? reasonInLog(file, size) : undefined),
      killedBy: () => supervisor.signalCode,
    };
  } finally {
    closeSync(log);
  }
}

/**
 * Without variables that change how Node.js or pg behave: options of a test runner or debugger are not for the
 * supervisor. The cache of compiled modules is: without it, half of the supervisor's own memory is the compiler.
 */
function supervisorEnvironment(): NodeJS.ProcessEnv {
  const isForIt = (name: string) => /^NODE_(DISABLE_)?COMPILE_CACHE$/.test(name) || !/^(NODE|PG)/.test(name);
  const passedOn = Object.entries(process.env).filter(([name]) => isForIt(name));
  // Set to undefined explicitly: Node.js passes this variable on by itself if it is missing.
  return { ...Object.fromEntries(passedOn), NODE_V8_COVERAGE: undefined };
}

/**
 * Why a supervisor ended, by what its log has gained since `from` bytes: its own last failure, or the error that ended
 * it before it could log one, such as a missing module.
 */
function reasonInLog(file: string, from: number): string {
  const bytes = readFileSync(file);
  const lines = bytes
    .subarray(bytes.length < from ? 0 : from)
    .toString()
    .split('\n')
    .filter((line) => line.trim() !== '');
  const own = lines.findLast((line) => line.includes(' failed: '))?.replace(/^.*? failed: /, '');
  return own ?? lines.find((line) => /^\w*error\b/i.test(line)) ?? lines.at(-1) ?? 'its log says nothing';
}

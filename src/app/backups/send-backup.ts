/** Runs `BACKUP_COMMAND`, which takes a backup elsewhere: no shell, bounded in time, without our settings. */
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { FILE_PLACEHOLDER } from '../../config/backup-settings.ts';
import { SETTINGS } from '../../config/settings.ts';

export type SendCommand = { readonly words: readonly string[]; readonly timeoutMs: number };

const MAX_ERRORS = 10_000;
const MAX_LINE_LENGTH = 300;
/** What it has after it was asked to end. */
const KILL_AFTER_MS = 5_000;

/** Resolves once the command has ended with 0; rejects with one line that says why it did not. */
export async function sendBackup(file: string, { words, timeoutMs }: SendCommand, signal: AbortSignal): Promise<void> {
  const [program = '', ...args] = words.map((word) => word.replaceAll(FILE_PLACEHOLDER, () => file));
  const deadline = AbortSignal.timeout(timeoutMs);
  const stop = AbortSignal.any([signal, deadline]);
  stop.throwIfAborted();
  // A group of its own, so that what it has started ends with it.
  const child = spawn(program, args, {
    ...{ cwd: path.dirname(file), detached: true, env: environment() },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const errors = lastLines(child);
  const onStop = () => end(child);
  stop.addEventListener('abort', onStop, { once: true });
  try {
    const ending = await endingOf(child);
    signal.throwIfAborted();
    if (deadline.aborted)
      throw new Error(`${program} was stopped after ${timeoutMs / 1000} s (BACKUP_COMMAND_TIMEOUT)`);
    if (ending === '0') return;
    const why = errors().trim().split('\n').at(-1)?.slice(0, MAX_LINE_LENGTH);
    throw new Error(`${program} ended with ${ending}${why ? `: ${why}` : ' and said nothing'}`);
  } finally {
    stop.removeEventListener('abort', onStop);
    // What it left running may hold it open.
    child.stderr.destroy();
  }
}

/** Resolves with the exit code or the signal once it has exited: what it left running may hold its output open. */
function endingOf(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  child.once('error', (error: NodeJS.ErrnoException) =>
    reject(
      new Error(
        `${child.spawnfile} cannot be started: ${error.code === 'ENOENT' ? 'there is no such program' : error.message}`,
      ),
    ),
  );
  child.once('exit', (code, killedBy) => resolve(killedBy ?? String(code)));
  return promise;
}

function end({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  const kill = (name: NodeJS.Signals) => {
    try {
      process.kill(-pid, name);
    } catch {
      // All of them have ended.
    }
  };
  kill('SIGTERM');
  setTimeout(kill, KILL_AFTER_MS, 'SIGKILL').unref();
}

/** Our settings hold secrets that are none of its business. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !Object.hasOwn(SETTINGS, name)));
}

/** Returns the end of what it wrote to standard error. */
function lastLines({ stderr }: ChildProcess): () => string {
  let text = '';
  stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-MAX_ERRORS);
  });
  return () => text;
}

/** The program as a process: its terminal, settings, signals and exit code. */
import { enableCompileCache } from 'node:module';
import path from 'node:path';
import { isatty } from 'node:tty';
import type { Terminal } from './app/command.ts';
import { terminalText } from './app/log/terminal-text.ts';
import { runCommandLine } from './command-line.ts';
import { PROJECT_DIR, readConfig } from './config/config.ts';

const [STDIN, STDERR] = [0, 2];
/** How long something that a command has left open by mistake may keep the process: nothing restarts it before. */
const LEFT_OPEN_MS = 2_000;

enableCompileCache(path.join(PROJECT_DIR, 'node_modules/.cache/pompa'));
const environment = { terminal: createTerminal(), readConfig: () => readConfig(), stopSignal };
process.exitCode = await runCommandLine(process.argv.slice(2), environment);
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => process.exit());
await Promise.all([written(process.stdout), written(process.stderr)]);
setTimeout(endAnyway, LEFT_OPEN_MS).unref();

/** Resolves when all that was printed has been written: a pipe may be read slowly. */
function written(output: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => (output.writable ? output.write('', () => resolve()) : resolve()));
}

function endAnyway(): void {
  environment.terminal.err('pompa: the process is ended, although the command has left something open');
  process.exit();
}

function createTerminal(): Terminal {
  const interactive = process.stderr.isTTY === true;
  // `pompa runs | head` closes the pipe early: not a failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EIO') return;
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
  // A terminal that was closed.
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EIO') throw error;
  });
  return {
    interactive,
    out: (line) => void process.stdout.write(`${terminalText(line)}\n`),
    err: (line) => void process.stderr.write(`${terminalText(line)}\n`),
    progress: (line) => {
      if (interactive) process.stderr.write(`\r\u001b[K${terminalText(line)}`);
    },
  };
}

/**
 * Aborted by the first SIGINT or SIGTERM; the second one ends the process immediately. SIGHUP comes from a terminal
 * that closes, and is a stop then; without a terminal it asks for a reload, which a command may listen for.
 */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  const hasTerminal = isatty(STDIN) || isatty(STDERR);
  process.removeAllListeners('SIGHUP').on('SIGHUP', () => {
    if (process.listenerCount('SIGHUP') > 1) return;
    if (hasTerminal) stop.abort(new Error('the terminal was closed'));
    else environment.terminal.err('pompa: SIGHUP is ignored: serve --processes N reloads at it; restart this one');
  });
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (stop.signal.aborted) process.exit(130);
      stop.abort(new Error('the process is being stopped'));
    });
  }
  return stop.signal;
}

/** The program as a process: its terminal, settings, signals and exit code. */
import { enableCompileCache } from 'node:module';
import path from 'node:path';
import type { Terminal } from './app/command.ts';
import { terminalText } from './app/log/terminal-text.ts';
import { runCommandLine } from './command-line.ts';
import { PROJECT_DIR, readConfig } from './config/config.ts';

enableCompileCache(path.join(PROJECT_DIR, 'node_modules/.cache/pompa'));
const environment = { terminal: createTerminal(), readConfig: () => readConfig(), stopSignal };
process.exitCode = await runCommandLine(process.argv.slice(2), environment);

function createTerminal(): Terminal {
  const interactive = process.stderr.isTTY === true;
  // `pompa runs | head` closes the pipe early: not a failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
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

/** Aborted by the first SIGINT or SIGTERM; the second one ends the process immediately. */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (stop.signal.aborted) process.exit(130);
      stop.abort(new Error('the process is being stopped'));
    });
  }
  return stop.signal;
}

/** The command line: one verb, one function. Exit 0 = done, 1 = it failed, 2 = the call's words are off. */
import { ConfigError, readConfig } from './config.ts';
import { DatabaseMisconfigured, DatabaseUnavailable } from './store/database-errors.ts';
import { collectVerb } from './verbs/collect.ts';
import { demoVerb } from './verbs/demo.ts';
import { importVerb } from './verbs/import.ts';
import { migrateVerb } from './verbs/migrate.ts';
import { version } from './verbs/parts.ts';
import { runsVerb } from './verbs/runs.ts';
import { serveVerb } from './verbs/serve.ts';
import { sourceVerb } from './verbs/source.ts';
import { Failure, readWords, type Terminal, UsageError, type Verb } from './verbs/verb.ts';
import { whyVerb } from './verbs/why.ts';
import { workerVerb } from './verbs/worker.ts';
import { LeaseTaken } from './worker/collect.ts';
import { LeaseLost } from './worker/publish.ts';

const VERBS: readonly Verb[] = [
  serveVerb,
  workerVerb,
  demoVerb,
  collectVerb,
  sourceVerb,
  importVerb,
  runsVerb,
  whyVerb,
  migrateVerb,
];

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const terminal = createTerminal();
  try {
    return await dispatch(args, terminal);
  } catch (error) {
    return explain(error, terminal);
  }
}

async function dispatch([name, ...rest]: readonly string[], terminal: Terminal): Promise<number> {
  if (name === '--version') {
    terminal.out(version());
    return 0;
  }
  if (name === undefined || name === '--help' || name === 'help') {
    (name === undefined ? terminal.note : terminal.out)(overview());
    return name === undefined ? 2 : 0;
  }
  const verb = VERBS.find((candidate) => candidate.name === name);
  if (verb === undefined)
    throw new UsageError(`"${name}" is no verb of pompa; they are ${VERBS.map((v) => v.name).join(', ')}`);
  const { words, flags } = readWords(verb, rest);
  if (flags.help) {
    terminal.out(`usage: pompa ${verb.usage}\n\n${verb.summary}\n\n${verb.details}`);
    return 0;
  }
  return verb.run({ words, flags, config: readConfig(), terminal, signal: stopSignal() });
}

function overview(): string {
  const width = Math.max(...VERBS.map(({ name }) => name.length));
  const lines = VERBS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return `usage: pompa VERB [--help]\n\n${lines.join('\n')}\n\n  --version  the version of this program`;
}

/** Aborted by the first request to end; a second one ends the process at once. */
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

function createTerminal(): Terminal {
  const watched = process.stderr.isTTY === true;
  return {
    watched,
    out: (line) => void process.stdout.write(`${line}\n`),
    note: (line) => void process.stderr.write(`${line}\n`),
    progress: (line) => {
      if (watched) process.stderr.write(`\r\u001b[K${line}`);
    },
  };
}

/** One line on stderr, never a stack trace for what an operator can mend. */
function explain(error: unknown, terminal: Terminal): number {
  const message = error instanceof Error ? error.message : String(error);
  const expected = [ConfigError, Failure, DatabaseMisconfigured, DatabaseUnavailable, LeaseTaken, LeaseLost];
  terminal.progress('');
  terminal.note(`pompa: ${message.replaceAll('\n', ' ')}`);
  if (error instanceof UsageError) return 2;
  if (!expected.some((kind) => error instanceof kind) && process.env.LOG_LEVEL === 'debug') console.error(error);
  return 1;
}

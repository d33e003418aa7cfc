/**
 * The command line: dispatches to one function per command. Exit 0 = done, 1 = failed, 2 = invalid usage.
 */
import {
  type Command,
  type CommandCall,
  CommandError,
  parseCommandLine,
  type Terminal,
  UsageError,
} from './app/command.ts';
import { version } from './app/settings/version.ts';
import { type Config, ConfigError } from './config/config.ts';
import { DatabaseMisconfigured, DatabaseUnavailable } from './store/database-errors.ts';
import { LeaseLost, LeaseTaken } from './worker/collection/lease-errors.ts';

/** A command is loaded only when it is called: most need a fraction of the program. */
const COMMANDS: readonly { name: string; summary: string; load: () => Promise<Command> }[] = [
  {
    name: 'serve',
    summary: 'the HTTP service: API and site',
    load: async () => (await import('./cli/processes/serve.ts')).serveCommand,
  },
  {
    name: 'worker',
    summary: 'the scheduled work only: collections, price alerts and maintenance',
    load: async () => (await import('./cli/processes/worker.ts')).workerCommand,
  },
  {
    name: 'demo',
    summary: 'the whole service on simulated data, no network needed',
    load: async () => (await import('./cli/processes/demo.ts')).demoCommand,
  },
  {
    name: 'mock',
    summary: 'the API for tests of clients: simulated data, a fixed moment, any refusal on demand',
    load: async () => (await import('./cli/processes/mock.ts')).mockCommand,
  },
  {
    name: 'mqtt',
    summary: 'prices for smart homes: sensors and their states, through an MQTT broker',
    load: async () => (await import('./cli/processes/mqtt.ts')).mqttCommand,
  },
  {
    name: 'collect',
    summary: 'one collection run now, then publish',
    load: async () => (await import('./cli/collect.ts')).collectCommand,
  },
  {
    name: 'source',
    summary: 'fetch and parse one live source, store nothing',
    load: async () => (await import('./cli/source.ts')).sourceCommand,
  },
  {
    name: 'import',
    summary: 'import manual stations, price reports or daily prices',
    load: async () => (await import('./cli/import.ts')).importCommand,
  },
  {
    name: 'keys',
    summary: 'API keys: create, list, change, revoke, rotate, delete',
    load: async () => (await import('./cli/keys.ts')).keysCommand,
  },
  {
    name: 'orders',
    summary: 'orders of plans: list, show a customer, ask Stripe again, close, note a refund',
    load: async () => (await import('./cli/billing/order-command.ts')).ordersCommand,
  },
  {
    name: 'mails',
    summary: 'mails to customers: list, send again',
    load: async () => (await import('./cli/billing/mail-command.ts')).mailsCommand,
  },
  {
    name: 'reviews',
    summary: 'moderate reviews: list pending ones, approve, reject, delete',
    load: async () => (await import('./cli/moderation/reviews.ts')).reviewsCommand,
  },
  {
    name: 'reports',
    summary: 'moderate reports of drivers: list open ones, accept, reject, delete',
    load: async () => (await import('./cli/moderation/reports.ts')).reportsCommand,
  },
  {
    name: 'push',
    summary: 'web push: generate its keys, list and delete subscriptions',
    load: async () => (await import('./cli/push.ts')).pushCommand,
  },
  {
    name: 'erase',
    summary: 'delete everything personal of an address, of an e-mail, or of everybody',
    load: async () => (await import('./cli/erase.ts')).eraseCommand,
  },
  {
    name: 'alerts',
    summary: 'which price alerts would have been sent recently, and why',
    load: async () => (await import('./cli/alerts.ts')).alertsCommand,
  },
  {
    name: 'runs',
    summary: 'the run history: counts, what was set aside and why, what is ambiguous',
    load: async () => (await import('./cli/runs.ts')).runsCommand,
  },
  {
    name: 'why',
    summary: 'where a served price comes from: every fact, its verdict, and the rule that chose',
    load: async () => (await import('./cli/why.ts')).whyCommand,
  },
  {
    name: 'mcp',
    summary: 'the MCP server of a service over stdio, for AI clients that start a program',
    load: async () => (await import('./cli/mcp/mcp-command.ts')).mcpCommand,
  },
  {
    name: 'replay',
    summary: 'apply today’s rules to archived payloads: rewrite day values, or show what a rule changes',
    load: async () => (await import('./cli/replay.ts')).replayCommand,
  },
  {
    name: 'migrate',
    summary: 'apply pending migrations',
    load: async () => (await import('./cli/migrate.ts')).migrateCommand,
  },
  {
    name: 'backup',
    summary: 'write everything but the raw archive to one file',
    load: async () => (await import('./cli/backup.ts')).backupCommand,
  },
  {
    name: 'restore',
    summary: 'restore such a file into an empty database',
    load: async () => (await import('./cli/restore.ts')).restoreCommand,
  },
  {
    name: 'dump',
    summary: 'write the files of open data now: stations, prices, changes, as CSV and Parquet',
    load: async () => (await import('./cli/dump-command.ts')).dumpCommand,
  },
  {
    name: 'doctor',
    summary: 'check settings, database, sources, worker, disk and clock',
    load: async () => (await import('./cli/doctor/doctor.ts')).doctorCommand,
  },
];

/** What the process gives a command; settings and signal are asked for only when a command runs. */
type ProcessEnvironment = {
  readonly terminal: Terminal;
  readonly readConfig: () => Config;
  /** Aborted when the process is asked to end. */
  readonly stopSignal: () => AbortSignal;
};

/** Runs one command; returns the exit code. Writes one line for whatever fails, and never rejects. */
export async function runCommandLine(args: readonly string[], environment: ProcessEnvironment): Promise<number> {
  try {
    return await dispatch(args, environment);
  } catch (error) {
    return reportError(error, environment.terminal);
  }
}

async function dispatch([name, ...rest]: readonly string[], environment: ProcessEnvironment): Promise<number> {
  const { terminal } = environment;
  if (name === '--version') {
    terminal.out(version());
    return 0;
  }
  if (name === undefined || name === '--help' || name === 'help') {
    (name === undefined ? terminal.err : terminal.out)(usageText());
    return name === undefined ? 2 : 0;
  }
  const entry = COMMANDS.find((candidate) => candidate.name === name);
  if (entry === undefined)
    throw new UsageError(`unknown command "${name}"; commands: ${COMMANDS.map((each) => each.name).join(', ')}`);
  const command = await entry.load();
  const { args, flags } = parseCommandLine(command, rest);
  if (flags.help) {
    terminal.out(`usage: pompa ${command.usage}\n\n${entry.summary}\n\n${command.details}`);
    return 0;
  }
  return command.run(createCall({ args, flags }, environment));
}

/** Reads the settings on first access: `doctor` reports what is wrong with them and continues. */
function createCall(
  parsed: Pick<CommandCall, 'args' | 'flags'>,
  { terminal, readConfig, stopSignal }: ProcessEnvironment,
): CommandCall {
  let config: Config | undefined;
  return {
    ...parsed,
    get config() {
      config ??= readConfig();
      return config;
    },
    terminal,
    signal: stopSignal(),
  };
}

function usageText(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length));
  const lines = COMMANDS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return `usage: pompa COMMAND [--help]\n\n${lines.join('\n')}\n\n  --version  the version of this program`;
}

/** Writes one line to stderr, never a stack trace for something the operator can fix. */
function reportError(error: unknown, terminal: Terminal): number {
  const message = error instanceof Error ? error.message : String(error);
  const expected = [ConfigError, CommandError, DatabaseMisconfigured, DatabaseUnavailable, LeaseTaken, LeaseLost];
  terminal.progress('');
  terminal.err(`pompa: ${message.replaceAll('\n', ' ')}`);
  if (error instanceof UsageError) return 2;
  if (!expected.some((kind) => error instanceof kind) && process.env.LOG_LEVEL === 'debug') console.error(error);
  return 1;
}

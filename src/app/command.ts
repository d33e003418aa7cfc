/** What a command of the command line is. */
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import type { Config } from '../config/config.ts';

/** Invalid usage: exit 2. */
export class UsageError extends Error {}

/** The work failed for a reason the operator should read, one line: exit 1. */
export class CommandError extends Error {}

/** Escapes control characters in every line (`terminalText`). */
export type Terminal = {
  /** One line of result on stdout. */
  out(line: string): void;
  /** One line of log or progress on stderr. */
  err(line: string): void;
  /** Whether a person watches stderr. */
  readonly interactive: boolean;
  /** Overwrites the line of progress on a watched stderr. */
  progress(line: string): void;
};

export type CommandCall = {
  readonly args: readonly string[];
  readonly flags: Readonly<Record<string, string | boolean | undefined>>;
  readonly config: Config;
  readonly terminal: Terminal;
  /** Aborted when the process is asked to end. */
  readonly signal: AbortSignal;
};

export type Command = {
  readonly name: string;
  readonly usage: string;
  /** The text below the usage line of `--help`. */
  readonly details: string;
  readonly flags: ParseArgsOptionsConfig;
  readonly args: { readonly min: number; readonly max: number };
  /** Does the work; the number is the exit code. */
  run(call: CommandCall): Promise<number>;
};

const COMMON_FLAGS = { help: { type: 'boolean' }, json: { type: 'boolean' } } as const;

/** Splits what follows a command into flags and arguments; rejects what the command does not know. */
export function parseCommandLine(command: Command, args: readonly string[]): Pick<CommandCall, 'args' | 'flags'> {
  const options: ParseArgsOptionsConfig = { ...COMMON_FLAGS, ...command.flags };
  const config = { args: [...args], options, allowPositionals: true, strict: false, tokens: true } as const;
  const { values, positionals, tokens } = parseArgs(config);
  for (const token of tokens) {
    const problem = token.kind === 'option' ? flagProblem(token, options, command) : null;
    if (problem !== null) throw new UsageError(`${problem}; usage: pompa ${command.usage}`);
  }
  const flags = values as CommandCall['flags'];
  if (!flags.help && (positionals.length < command.args.min || positionals.length > command.args.max)) {
    throw new UsageError(`usage: pompa ${command.usage}`);
  }
  return { args: positionals, flags };
}

type FlagToken = { readonly name: string; readonly rawName: string; readonly value?: string | undefined };

/** What is wrong with a flag; `null` = nothing. The command judges the value, such as `-1`. */
function flagProblem(
  { name, rawName, value }: FlagToken,
  options: ParseArgsOptionsConfig,
  command: Command,
): string | null {
  const known = rawName === `--${name}` && Object.hasOwn(options, name) ? options[name] : undefined;
  if (known === undefined) return `${command.name} has no ${rawName}`;
  if (known.type === 'string') return value === undefined ? `${rawName} needs a value` : null;
  return value === undefined ? null : `${rawName} takes no value`;
}

/** What a verb of the command line is. */
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import type { Config } from '../config/config.ts';

/** The call's words are off: exit 2. */
export class UsageError extends Error {}

/** The work failed for a reason the operator should read, one line: exit 1. */
export class Failure extends Error {}

export type Terminal = {
  /** One line of result on stdout. */
  out(line: string): void;
  /** One line of log or progress on stderr. */
  note(line: string): void;
  /** Whether a person watches stderr. */
  readonly watched: boolean;
  /** Overwrites the line of progress on a watched stderr. */
  progress(line: string): void;
};

export type Call = {
  readonly words: readonly string[];
  readonly flags: Readonly<Record<string, string | boolean | undefined>>;
  readonly config: Config;
  readonly terminal: Terminal;
  /** Aborted when the process is asked to end. */
  readonly signal: AbortSignal;
};

export type Verb = {
  readonly name: string;
  readonly usage: string;
  /** The text below the usage line of `--help`. */
  readonly details: string;
  readonly flags: ParseArgsOptionsConfig;
  readonly words: { readonly least: number; readonly most: number };
  /** Does the work; the number is the exit code. */
  run(call: Call): Promise<number>;
};

const COMMON_FLAGS = { help: { type: 'boolean' }, json: { type: 'boolean' } } as const;

/** Splits the words after a verb into flags and words; rejects what the verb does not know. */
export function readWords(verb: Verb, args: readonly string[]): Pick<Call, 'words' | 'flags'> {
  const options: ParseArgsOptionsConfig = { ...COMMON_FLAGS, ...verb.flags };
  const config = { args: [...args], options, allowPositionals: true, strict: false, tokens: true } as const;
  const { values, positionals, tokens } = parseArgs(config);
  for (const token of tokens) {
    const wrong = token.kind === 'option' ? wrongFlag(token, options, verb) : null;
    if (wrong !== null) throw new UsageError(`${wrong}; usage: pompa ${verb.usage}`);
  }
  const flags = values as Call['flags'];
  if (!flags.help && (positionals.length < verb.words.least || positionals.length > verb.words.most)) {
    throw new UsageError(`usage: pompa ${verb.usage}`);
  }
  return { words: positionals, flags };
}

type FlagToken = { readonly name: string; readonly rawName: string; readonly value?: string | undefined };

/** What is wrong with a flag; `null` = nothing. What it is given, `-1` say, is for the verb to judge. */
function wrongFlag({ name, rawName, value }: FlagToken, options: ParseArgsOptionsConfig, verb: Verb): string | null {
  const known = rawName === `--${name}` && Object.hasOwn(options, name) ? options[name] : undefined;
  if (known === undefined) return `${verb.name} has no ${rawName}`;
  if (known.type === 'string') return value === undefined ? `${rawName} needs a value` : null;
  return value === undefined ? null : `${rawName} takes no value`;
}

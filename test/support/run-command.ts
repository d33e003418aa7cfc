/** Runs a command of the command line within the test's process. */
import assert from 'node:assert/strict';
import {
  type Command,
  type CommandCall,
  type CommandError,
  parseCommandLine,
  type UsageError,
} from '../../src/app/command.ts';
import { readConfig } from '../../src/config/config.ts';

export type CommandOutput = { readonly code: number; readonly out: string[]; readonly err: string[] };

/** @param line the arguments; one with spaces is in double quotes */
export async function runCommand(
  command: Command,
  line: string,
  settings: Readonly<Record<string, string>>,
): Promise<CommandOutput> {
  const out: string[] = [];
  const err: string[] = [];
  const args = line.match(/"[^"]*"|\S+/g)?.map((arg) => arg.replaceAll('"', '')) ?? [];
  const code = await command.run({
    ...parseCommandLine(command, args),
    config: readConfig({ LOG_LEVEL: 'fatal', ...settings }, import.meta.dirname),
    terminal: { out: (text) => out.push(text), err: (text) => err.push(text), interactive: false, progress: () => {} },
    signal: new AbortController().signal,
  } satisfies CommandCall);
  return { code, out, err };
}

/** Asserts that a call is refused with an error of this kind and message. */
export function assertRefused(
  call: Promise<unknown>,
  kind: typeof CommandError | typeof UsageError,
  message: RegExp,
): Promise<void> {
  return assert.rejects(call, (error: Error) => error instanceof kind && message.test(error.message));
}

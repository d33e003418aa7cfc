import { parseArgs } from 'node:util';
import type { RunSettings } from '../test/support/run-settings.ts';

const USAGE = 'usage: scripts/test [--coverage] [--medium | --long] [--seed N] [--rounds N] [--only TEXT] [FILE...]';

/** The arguments of `scripts/test`: the form of the tests, and the named files. Exits with 2 on invalid usage. */
export function testArguments(args: readonly string[]): {
  settings: RunSettings;
  files: string[];
  coverage: boolean;
} {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: {
        coverage: { type: 'boolean', default: false },
        medium: { type: 'boolean' },
        long: { type: 'boolean' },
        seed: { type: 'string' },
        rounds: { type: 'string' },
        only: { type: 'string' },
      },
      allowPositionals: true,
    });
    const { coverage, medium = false, long = false, seed, rounds, only } = values;
    if (medium && long) throw new Error('--medium and --long exclude each other');
    const isNarrowed = seed !== undefined || rounds !== undefined || only !== undefined;
    if (isNarrowed && !medium && !long) throw new Error('--seed, --rounds and --only need --medium or --long');
    const settings: RunSettings = {
      length: long ? 'long' : medium ? 'medium' : 'short',
      ...(seed !== undefined && { seed: wholeNumber('--seed', seed) }),
      ...(rounds !== undefined && { rounds: wholeNumber('--rounds', rounds) }),
      ...(only !== undefined && { only }),
    };
    return { settings, files: positionals, coverage };
  } catch (error) {
    console.error(`${(error as Error).message}\n${USAGE}`);
    process.exit(2);
  }
}

function wholeNumber(flag: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${flag} takes a whole number, not "${text}"`);
  return Number(text);
}

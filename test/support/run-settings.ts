/** Whether tests run in their short, medium or long form; `scripts/test` decides, and tests read it only here. */
import type { TestContext } from 'node:test';

/** The environment variable that carries the settings from `scripts/test` to the test files, as JSON. */
export const RUN_VARIABLE = 'POMPA_TEST_RUN';

/** `npm test` runs the short forms, `.ci/run` also the medium ones; the long ones take hours and run on demand. */
export type RunLength = 'short' | LongerForm;
export type LongerForm = 'medium' | 'long';

export type RunSettings = {
  readonly length: RunLength;
  /** Replaces the seed of each test that has one. */
  readonly seed?: number;
  /** Replaces the number of rounds, kills, requests or cases of each test. */
  readonly rounds?: number;
  /** Replaces how long a test file may go on after a test began: see `end-hung-file.ts`. */
  readonly hungAfterMs?: number;
  /** Selects attacks or faults by a part of their name, or one hostile request by its number. */
  readonly only?: string;
};

const SHORT: RunSettings = { length: 'short' };

export const RUN: RunSettings = JSON.parse(process.env[RUN_VARIABLE] ?? JSON.stringify(SHORT));

export const IS_SHORT = RUN.length === 'short';

/** What one test may take in each form; a test that takes longer fails. */
export const TEST_LIMIT_MS: Readonly<Record<RunLength, number>> = {
  short: 300_000,
  medium: 1_200_000,
  long: Number.POSITIVE_INFINITY,
};

/** The flags with which the process of a test file that hangs is ended. */
export const END_HUNG_FILE = ['--import', import.meta.resolve('./end-hung-file.ts')];

/** How many rounds, kills, requests or cases a test makes in this run. */
export function roundsOf(rounds: Readonly<Partial<Record<RunLength, number>>>): number {
  const count = RUN.rounds ?? rounds[RUN.length];
  if (count === undefined) throw new Error(`this test has no ${RUN.length} form`);
  return count;
}

/** The seed of this run; the test's own unless `--seed` replaces it. */
export function seedOf(own: number): number {
  return RUN.seed ?? own;
}

/** The names that `--only` selects; all of them without it. Throws when it selects none. */
export function selected<T extends string>(names: readonly T[]): T[] {
  const { only = '' } = RUN;
  const found = names.filter((name) => name.includes(only));
  if (found.length === 0) throw new Error(`--only "${only}" selects none of: ${names.join(', ')}`);
  return found;
}

/** Prints a line while a longer form is under way; the short forms stay silent. */
export function printProgress(line: string): void {
  if (!IS_SHORT) console.log(line);
}

/** Adds the lines of a report to the test's diagnostics; the short forms stay silent. */
export function addReport(t: TestContext, lines: readonly string[]): void {
  if (IS_SHORT) return;
  for (const line of lines) t.diagnostic(line);
}

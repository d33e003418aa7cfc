/**
 * The whole check of the project: format and lint, types, unused code, then every test; `--coverage` measures coverage.
 * Named test files run alone, without the other checks. With `--medium` or `--long` it runs the longer forms of the
 * tests that have one, and nothing else; test/README.md explains them and their flags.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { runnerOf, TEST_GROUPS, testFilesOf } from '../test/groups/test-groups.ts';
import { globalSetup, globalTeardown } from '../test/support/global-setup.ts';
import { END_HUNG_FILE, RUN_VARIABLE, type RunLength, TEST_LIMIT_MS } from '../test/support/run-settings.ts';
import { countTests, hasFailedTests, startTally } from './tally.ts';
import { testArguments } from './test-arguments.ts';

const root = path.resolve(import.meta.dirname, '..');
process.chdir(root);
const { settings, files: named, coverage } = testArguments(process.argv.slice(2));
const isShort = settings.length === 'short';
const isWholeCheck = isShort && named.length === 0;
const tally = startTally();
/** How long each test file took. */
const secondsOf = new Map<string, number>();

const CHECKS: [name: string, tool: string, ...args: string[]][] = [
  [
    'format and lint',
    'node_modules/@biomejs/biome/bin/biome',
    'ci',
    '--error-on-warnings',
    `--colors=${process.stdout.isTTY ? 'force' : 'off'}`,
    '.',
  ],
  ['types', ...typesOf('.')],
  ['types of the code for browsers', ...typesOf('src/site/browser')],
  ['types of the service worker', ...typesOf('src/site/service-worker')],
  ['types of the client for TypeScript', ...typesOf('clients/typescript')],
  ['unused code and dependencies', 'node_modules/knip/bin/knip.js', '--no-progress'],
];
/** Long tests, most of which wait; they start first, in this order, so that none of them runs alone at the end. */
const STARTED_FIRST = [
  ...['src/store/backup/', 'src/store/embedded/', 'test/contract/de-statii.test.ts'],
  ...['test/integration/', 'test/resilience/', 'test/fuzz/', 'test/hostile/'],
];
const LONGER_FORMS = ['src/site/pages/page-weights.test.ts', '{src,test}/**/*.long.test.ts'];
/** Tests that `scripts/browser-tests` runs. */
const IN_BROWSERS = 'test/browser/**';
/** Packages that are installed on demand have tests of their own. */
const PACKAGES = '**/node_modules/**';
/** Tests without a short form. */
const NO_SHORT_FORM = '**/*.long.test.ts';
/**
 * Files of the longer forms that measure how soon something happens: beside other files their servers get too little of
 * the machine. They run after the others.
 */
const RUN_ONE_BY_ONE = [
  'test/resilience/failovers.long.test.ts',
  ...['test/upgrades/side-by-side.long.test.ts', 'test/upgrades/blocking.long.test.ts'],
  ...['test/resilience/keyed.long.test.ts', 'test/hostile/endpoint-floods.long.test.ts'],
  ...['test/integration/database/pooler.long.test.ts', 'test/integration/database/tls.long.test.ts'],
];
const SLOWEST_FILES = 20;
const CORES = Math.max(2, availableParallelism());
/** Many short tests wait for timers, processes and the database; the long forms measure how soon others are served. */
const FILES_AT_ONCE: Readonly<Record<RunLength, number>> = { short: 2 * CORES, medium: CORES + 1, long: 1 };

process.env[RUN_VARIABLE] = JSON.stringify(settings);
// Far from Bucharest, so that the machine's day or hour is never right by accident.
process.env.TZ = 'America/Los_Angeles';
// Most test files are processes of their own: this saves one from compiling again what another one has compiled.
process.env.NODE_COMPILE_CACHE ??= path.join(root, 'node_modules/.cache/pompa');
if (isWholeCheck) void runChecks();
try {
  // Not by an option of `run`, which would end the database after the first of two runs.
  await globalSetup();
  // The events of all as one stream: one report.
  await pipeline(Readable.from(runAll()).compose(spec), process.stdout, { end: false });
} catch (error) {
  tally.failed += 1;
  throw error;
} finally {
  await globalTeardown();
}
if (!isShort) printSlowest();

/** Runs the test files, at last one by one those that need the machine for themselves. */
async function* runAll() {
  const files = named.length > 0 ? named : isShort ? shortTests() : longerTests();
  const isLast = (file: string) => !isShort && RUN_ONE_BY_ONE.includes(path.relative(root, path.resolve(file)));
  yield* runFiles(
    files.filter((file) => !isLast(file)),
    FILES_AT_ONCE[settings.length],
  );
  yield* runFiles(files.filter(isLast), 1);
}

async function* runFiles(files: readonly string[], concurrency: number) {
  // Without files, `run` would look for them itself.
  if (files.length === 0) return;
  const stream = run({
    files: files.map((file) => path.resolve(file)),
    timeout: TEST_LIMIT_MS[settings.length],
    execArgv: END_HUNG_FILE,
    concurrency,
    coverage,
    coverageIncludeGlobs: ['src/**/*.ts'],
    coverageExcludeGlobs: ['src/**/*.test.ts'],
  });
  countTests(stream, tally);
  // At once: a run that is ended early prints no list of what failed.
  if (!isShort)
    stream.on('test:fail', ({ name, details }) => {
      if (!hasFailedTests(details)) console.log(`failed: ${name}:`, details.error.cause);
    });
  stream.on('test:summary', ({ file, duration_ms }) => {
    if (file !== undefined) secondsOf.set(path.relative(root, file), Math.round(duration_ms / 1_000));
  });
  // Without the summary of the whole run the reporter lists what failed at its own end, once.
  for await (const event of stream) if (!isSummaryOfRun(event)) yield event;
}

function isSummaryOfRun({ type, data }: { type: string; data: object }): boolean {
  return type === 'test:summary' && (data as { file?: string }).file === undefined;
}

/** Prints where the time went. */
function printSlowest(): void {
  const slowest = [...secondsOf].sort(([, a], [, b]) => b - a).slice(0, SLOWEST_FILES);
  for (const [file, seconds] of slowest) console.log(`${String(seconds).padStart(5)} s ${file}`);
}

/** The tests need the other cores; several threads would each check the types that they share. */
function typesOf(project: string): [tool: string, ...args: string[]] {
  return ['node_modules/typescript/bin/tsc', '--noEmit', '--singleThreaded', '--project', project];
}

/** Runs the checks one after the other, beside the tests. */
async function runChecks(): Promise<void> {
  for (const [name, tool, ...args] of CHECKS) {
    const check = spawn(process.execPath, [tool, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    const [output, errors, [status]] = await Promise.all([
      text(check.stdout),
      text(check.stderr),
      once(check, 'close'),
    ]);
    console.log(`${output}${errors}${status === 0 ? '✔' : '✖'} ${name}`);
    tally[status === 0 ? 'passed' : 'failed'] += 1;
  }
}

function shortTests(): string[] {
  const inGroups = new Set(TEST_GROUPS.flatMap(testFilesOf));
  const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], {
    exclude: [IN_BROWSERS, PACKAGES, NO_SHORT_FORM],
  });
  return [...TEST_GROUPS.map(runnerOf), ...ordered(files.filter((file) => !inGroups.has(file)))];
}

function longerTests(): string[] {
  const others = globSync(LONGER_FORMS, { exclude: [IN_BROWSERS, PACKAGES, ...RUN_ONE_BY_ONE] });
  return [...ordered(others), ...RUN_ONE_BY_ONE];
}

/** Those of `STARTED_FIRST` before the others, each by name. */
function ordered(files: readonly string[]): string[] {
  const rankOf = (file: string) => {
    const rank = STARTED_FIRST.findIndex((start) => file.startsWith(start));
    return rank === -1 ? STARTED_FIRST.length : rank;
  };
  return files.toSorted().sort((a, b) => rankOf(a) - rankOf(b));
}

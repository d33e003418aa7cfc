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
import { countTests, startTally } from './tally.ts';
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
/** Long tests, most of which wait; they start first, so that none of them runs alone at the end. */
const STARTED_FIRST = [
  ...['test/hostile/', 'test/integration/', 'src/store/embedded/', 'src/store/backup/'],
  'test/contract/de-statii.test.ts',
];
const LONGER_FORMS = ['src/site/pages/page-weights.test.ts', '{src,test}/**/*.long.test.ts'];
/** Tests that `scripts/browser-tests` runs. */
const IN_BROWSERS = 'test/browser/**';
/** Packages that are installed on demand have tests of their own. */
const PACKAGES = '**/node_modules/**';
/** Tests without a short form. */
const NO_SHORT_FORM = '**/*.long.test.ts';
/**
 * Files of the longer forms that measure how soon others are answered: beside other files they would measure those.
 * They run after the others.
 */
const RUN_ALONE = [
  ...['test/upgrades/', 'test/resilience/keyed', 'test/hostile/endpoint-floods'],
  ...['test/integration/database/pooler', 'test/integration/database/tls'],
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
await globalSetup();
try {
  // The events of all as one stream: one report.
  await pipeline(Readable.from(runAll()).compose(spec), process.stdout, { end: false });
} finally {
  await globalTeardown();
}
if (!isShort) printSlowest();

/** Runs the test files, and those that need the machine for themselves after the others, one by one. */
async function* runAll() {
  const files = named.length > 0 ? named : testFiles();
  const isAlone = (file: string) => !isShort && named.length === 0 && RUN_ALONE.some((start) => file.startsWith(start));
  yield* runFiles(
    files.filter((file) => !isAlone(file)),
    FILES_AT_ONCE[settings.length],
  );
  const alone = files.filter(isAlone);
  if (alone.length > 0) yield* runFiles(alone, 1);
}

function runFiles(files: readonly string[], concurrency: number) {
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
  stream.on('test:summary', ({ file, duration_ms }) => {
    if (file !== undefined) secondsOf.set(path.relative(root, file), Math.round(duration_ms / 1_000));
  });
  return stream;
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

function testFiles(): string[] {
  const isFirst = (file: string) => STARTED_FIRST.some((start) => file.startsWith(start));
  const ordered = (files: readonly string[]) => [...files.filter(isFirst), ...files.filter((file) => !isFirst(file))];
  if (!isShort) return ordered(globSync(LONGER_FORMS, { exclude: [IN_BROWSERS, PACKAGES] }).sort());
  const inGroups = new Set(TEST_GROUPS.flatMap(testFilesOf));
  const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { exclude: [IN_BROWSERS, PACKAGES, NO_SHORT_FORM] })
    .filter((file) => !inGroups.has(file))
    .sort();
  return [...TEST_GROUPS.map(runnerOf), ...ordered(files)];
}

/**
 * The whole check of the project: format and lint, types, unused code, then every test with coverage.
 * Arguments name test files to run alone, without the other checks.
 */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

const root = path.resolve(import.meta.dirname, '..');
process.chdir(root);
const only = process.argv.slice(2);
const tally = { passed: 0, failed: 0 };

const checks: [name: string, tool: string, ...args: string[]][] = [
  [
    'format and lint',
    'node_modules/@biomejs/biome/bin/biome',
    'ci',
    '--error-on-warnings',
    `--colors=${process.stdout.isTTY ? 'force' : 'off'}`,
    '.',
  ],
  ['types', 'node_modules/typescript/bin/tsc', '--noEmit'],
  ['unused code and dependencies', 'node_modules/knip/bin/knip.js', '--no-progress'],
];

if (only.length === 0) {
  for (const [name, tool, ...args] of checks) {
    const { status } = spawnSync(process.execPath, [tool, ...args], { stdio: 'inherit' });
    console.log(`${status === 0 ? '✔' : '✖'} ${name}`);
    tally[status === 0 ? 'passed' : 'failed'] += 1;
  }
}

const files = only.length > 0 ? only : globSync(['src/**/*.test.ts', 'test/**/*.test.ts']).sort();
// `globalSetupPath` is documented for run() and missing from its types.
const options: Parameters<typeof run>[0] & { globalSetupPath: string } = {
  files: files.map((file) => path.resolve(file)),
  // A test that hangs fails, and the others go on.
  timeout: 300_000,
  concurrency: Math.max(2, availableParallelism()),
  globalSetupPath: path.join(root, 'test/support/global-setup.ts'),
  coverage: only.length === 0,
  coverageIncludeGlobs: ['src/**/*.ts'],
  coverageExcludeGlobs: ['src/**/*.test.ts'],
};
// Far from Bucharest, so that the day or hour of the machine is never the right one by accident.
process.env.TZ = 'America/Los_Angeles';
const stream = run(options);
const countable = (data: { details?: { type?: string } }) => data.details?.type !== 'suite';
stream.on('test:pass', (data) => {
  if (data.skip !== undefined || data.todo !== undefined) tally.failed += 1;
  else if (countable(data)) tally.passed += 1;
});
stream.on('test:fail', (data) => {
  if (countable(data)) tally.failed += 1;
});
stream.on('end', () => {
  process.exitCode = tally.failed > 0 || tally.passed === 0 ? 1 : 0;
});
stream.compose(spec).pipe(process.stdout);
process.on('exit', () => {
  console.log(`${tally.passed} passed, ${tally.failed} failed`);
});

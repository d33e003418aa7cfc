/**
 * The tests in real browsers, or the named ones: installs their packages and the browsers where needed, checks their
 * types, starts the demo that they visit, and runs them. `scripts/browser-tests` starts it.
 */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { countTests, startTally } from '../../scripts/tally.ts';
import { ROOT } from '../project/project-files.ts';
import { installPackages } from '../support/install-packages.ts';
import { END_HUNG_FILE } from '../support/run-settings.ts';
import { installBrowsers } from './support/installed-browsers.ts';

/** What packages bring, and tests whose outcome depends on how busy the machine is: those run when they are named. */
const NOT_RUN = ['**/node_modules/**', '**/*.long.test.ts'];
/** A test that hangs fails, and the others continue. */
const TIMEOUT_MS = 120_000;

process.chdir(ROOT);
const named = process.argv.slice(2);
const tally = startTally();
if (!installPackages(import.meta.dirname)) refuse('npm could not install the packages of test/browser, see above');
const missing = installBrowsers();
if (missing !== null) refuse(missing);
if (named.length === 0) checkTypes();
runTests();

function refuse(why: string): never {
  console.error(why);
  tally.failed += 1;
  process.exit(1);
}

/** Only here are the types of the packages installed. */
function checkTypes(): void {
  const tsc = 'node_modules/typescript/bin/tsc';
  const { status } = spawnSync(process.execPath, [tsc, '--noEmit', '--project', 'test/browser'], { stdio: 'inherit' });
  console.log(`${status === 0 ? '✔' : '✖'} types of the tests in browsers`);
  tally[status === 0 ? 'passed' : 'failed'] += 1;
}

function runTests(): void {
  const all = globSync('test/browser/**/*.test.ts', { exclude: NOT_RUN });
  // `globalSetupPath` is documented for run() and missing from its types.
  const options: Parameters<typeof run>[0] & { globalSetupPath: string } = {
    files: (named.length > 0 ? named : all).map((file) => path.resolve(file)).sort(),
    timeout: TIMEOUT_MS,
    execArgv: END_HUNG_FILE,
    concurrency: Math.max(2, availableParallelism()),
    globalSetupPath: path.join(import.meta.dirname, 'support/global-setup.ts'),
  };
  process.env.NODE_COMPILE_CACHE ??= path.join(ROOT, 'node_modules/.cache/pompa');
  const stream = run(options);
  countTests(stream, tally);
  stream.compose(spec).pipe(process.stdout);
}

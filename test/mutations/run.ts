/**
 * Runs mutation tests on demand: `node test/mutations/run.ts SUITE [GLOB…]`; the globs replace the sources of the
 * suite. Prints the surviving mutants, and writes reports to coverage/mutations/.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, globSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../project/project-files.ts';
import { globalSetup, globalTeardown } from '../support/global-setup.ts';
import { installPackages } from '../support/install-packages.ts';
import { withProjectCopy } from './project-copy.ts';
import { SUITES, type Suite } from './suites.ts';

const TOOL = import.meta.dirname;
/** The runner replaces the placeholders. */
const NODE_ARGUMENTS = [
  '--import',
  './test/mutations/no-shrinking.ts',
  '--test-reporter=tap',
  '-r',
  '{{hookFile}}',
  '{{testFile}}',
];
const REPORTS = 'coverage/mutations';

const [name = '', ...globs] = process.argv.slice(2);
const suite = SUITES[name];
if (suite === undefined) refuse(`usage: node test/mutations/run.ts ${Object.keys(SUITES).join('|')} [GLOB…]`);
const sources = filesOf(globs.length > 0 ? globs : suite.sources).filter((file) => !file.endsWith('.test.ts'));
const tests = filesOf(suite.tests);

// A lockfile of its own: only users of mutation tests need Stryker.
if (!installPackages(TOOL)) refuse('npm could not install the mutation tool, see above');
if (suite.database) await globalSetup();
try {
  await withProjectCopy(new Set(suite.database ? sources : []), async (folder) => {
    process.exitCode = await mutate(folder, suite);
    const results = path.join(folder, REPORTS);
    if (existsSync(results)) cpSync(results, path.join(ROOT, REPORTS), { recursive: true });
  });
} finally {
  if (suite.database) await globalTeardown();
}

function refuse(why: string): never {
  console.error(why);
  process.exit(1);
}

/** Expands globs; refuses one without a match, because its folder was probably moved. */
function filesOf(patterns: readonly string[]): string[] {
  return patterns.flatMap((pattern) => {
    const found = globSync(pattern, { cwd: ROOT });
    if (found.length === 0) refuse(`no file matches ${pattern}; suites.ts is outdated if it is listed there`);
    return found.sort();
  });
}

async function mutate(cwd: string, { database }: Suite): Promise<number> {
  const configuration = {
    testRunner: 'tap',
    plugins: ['@stryker-mutator/tap-runner'],
    tap: { testFiles: tests, forceBail: true, nodeArgs: NODE_ARGUMENTS },
    mutate: sources,
    // Every test notices an empty string instead of a statement.
    mutator: { excludedMutations: database ? ['StringLiteral'] : [] },
    coverageAnalysis: 'perTest',
    // The folder is a copy already.
    inPlace: true,
    concurrency: 2,
    timeoutMS: 20_000,
    dryRunTimeoutMinutes: 20,
    reporters: ['clear-text', 'progress-append-only', 'html', 'json'],
    clearTextReporter: { allowColor: process.stdout.isTTY === true, reportTests: false, logTests: false },
    allowConsoleColors: process.stderr.isTTY === true,
    htmlReporter: { fileName: `${REPORTS}/${name}.html` },
    jsonReporter: { fileName: `${REPORTS}/${name}.json` },
  };
  writeFileSync(path.join(cwd, 'stryker.json'), JSON.stringify(configuration));
  const stryker = path.join(TOOL, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  const child = spawn(process.execPath, [stryker, 'run', 'stryker.json'], {
    cwd,
    stdio: 'inherit',
    env: { ...process.env, PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`, TZ: 'America/Los_Angeles' },
  });
  // Passes signals on to Stryker; when it exits, the copy is cleaned up.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? 1;
}

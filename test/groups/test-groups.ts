/**
 * Test files that share a process: starting one for each of them, and loading the program into it, costs more than
 * running it. `scripts/test.ts` runs the file of each group in their place; a named test file runs alone.
 */
import { globSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe } from 'node:test';

const FILES_OF_GROUP = {
  unit: [
    'src/{algorithms,concurrency,config,domain,dumps,geodata,json,simulation,site,snapshot,sources}/**/*.test.ts',
    'src/api/{declaration,encoding,rendering,request,response}/**/*.test.ts',
  ],
  contract: ['test/{contract,clients,integration/recipes}/*.test.ts'],
  database: [
    'src/store/{accounts,alerts,billing,driver-reports,germany,keys,limits,prices,reviews,submissions}/**/*.test.ts',
  ],
  worker: ['src/worker/**/*.test.ts'],
  service: [
    'src/api/{access,changes,endpoints,http}/**/*.test.ts',
    'src/{app,cli,clients,mcp,vector-tiles}/**/*.test.ts',
    'src/store/connection/**/*.test.ts',
  ],
} as const;
/** What a group would match, but must have a process of its own. */
const ALONE = [
  // Observe how the roads are loaded, which happens once in a process.
  'src/app/routing-service.test.ts',
  'src/app/service.test.ts',
  // Collect garbage again and again, for which the heap of a group is large: 20 s of CPU.
  'src/concurrency/bounded-map.test.ts',
  'test/contract/de-statii.test.ts',
  // Awaits at its top level.
  'src/worker/dumps/make-dump.test.ts',
];

type TestGroup = keyof typeof FILES_OF_GROUP;

export const TEST_GROUPS = Object.keys(FILES_OF_GROUP) as TestGroup[];

/** The files, relative to the project's folder. */
export function testFilesOf(group: TestGroup): string[] {
  return globSync([...FILES_OF_GROUP[group]], { exclude: ['**/*.long.test.ts', ...ALONE] }).sort();
}

/** The file that runs the tests of a group, relative to the project's folder. */
export function runnerOf(group: TestGroup): string {
  return `test/groups/${group}-tests.ts`;
}

/**
 * Defines the tests of the group's files. Each file is loaded while its own suite is being defined, so that its hooks
 * run around its own tests only; `import()` would leave the suite, so these files may not await at their top level.
 */
export function defineTests(group: TestGroup): void {
  const load = createRequire(import.meta.url);
  for (const file of testFilesOf(group)) describe(file, () => load(path.resolve(file)));
}

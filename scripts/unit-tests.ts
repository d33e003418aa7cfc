/**
 * Unit tests that share one process: they are pure, and starting a process for each of them costs more than running it.
 * `scripts/test.ts` runs this file in their place.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const FOLDERS = [
  'src/{algorithms,concurrency,config,domain,geodata,json,simulation,site,snapshot,sources}/**/*.test.ts',
  'src/api/{declaration,encoding,rendering,request,response}/**/*.test.ts',
];
/** At the top level of a file such a hook would run around the tests of all files. */
const ROOT_HOOK = /^(before|after|beforeEach|afterEach)\(/m;

/** The files, relative to the project's folder. */
export function unitTestFiles(): string[] {
  return globSync(FOLDERS)
    .filter((file) => !file.endsWith('.long.test.ts') && !ROOT_HOOK.test(readFileSync(file, 'utf8')))
    .sort();
}

if (import.meta.main) for (const file of unitTestFiles()) await import(path.resolve(file));

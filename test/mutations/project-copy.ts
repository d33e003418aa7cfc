/** A copy of the project in a folder of its own, as the mutation tool can read it. */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { ROOT } from '../project/project-files.ts';
import { exposeSqlOperators } from './sql-choices.ts';

/**
 * Runs the work in a copy of the project as it is now, uncommitted changes included, and deletes the copy.
 * @param mutated the files whose statements get choices in place of their SQL operators
 */
export async function withProjectCopy<T>(
  mutated: ReadonlySet<string>,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-mutations-'));
  try {
    for (const name of projectNames()) copyInto(folder, name, mutated);
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
    return await work(folder);
  } finally {
    // Processes that tests started may end a little later, and write as they do.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

/**
 * TypeScript loses its types on the way: Stryker prints `(a as T) < b` without the parentheses, which is no TypeScript
 * any more. Lines and columns stay the same.
 */
function copyInto(folder: string, name: string, mutated: ReadonlySet<string>): void {
  const [from, to] = [path.join(ROOT, name), path.join(folder, name)];
  mkdirSync(path.dirname(to), { recursive: true });
  if (!name.endsWith('.ts')) {
    copyFileSync(from, to);
    return;
  }
  const source = stripTypeScriptTypes(readFileSync(from, 'utf8'));
  writeFileSync(to, mutated.has(name) ? exposeSqlOperators(source) : source);
}

function projectNames(): string[] {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { stdout, status } = spawnSync('git', list, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error('mutations need a git clone: git lists the files that are copied');
  return stdout.split('\0').filter((name) => name !== '' && existsSync(path.join(ROOT, name)));
}

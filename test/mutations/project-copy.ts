/** A copy of the project in a separate folder, in a form that the mutation tool can read. */
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
 * Runs `work` in a copy of the project, uncommitted changes included, and deletes the copy.
 * @param mutated the files whose SQL operators become choices
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
    // Processes that tests started may still write files as they exit.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

/**
 * Strips types from TypeScript, because Stryker prints `(a as T) < b` without the parentheses, which is a syntax error.
 * Lines and columns stay the same.
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
  if (status !== 0) throw new Error('mutation tests need a git clone: git lists the files to copy');
  return stdout.split('\0').filter((name) => name !== '' && existsSync(path.join(ROOT, name)));
}

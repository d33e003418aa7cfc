/** Copies of the project in which faults are planted: nothing that happens in one reaches the project or another copy. */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { removeCluster } from '../../src/store/embedded/remove.ts';
import { type Edit, editsOf, type Fault } from './fault.ts';

export const ROOT = path.resolve(import.meta.dirname, '../..');

/** A copy of the project, with a temporary folder of its own for what runs in it. */
export type Scratch = { readonly root: string; readonly temporary: string };

/** Copies the project's files as they are now into a new folder; the packages are links. */
export function copyProject(folder: string): Scratch {
  const scratch = { root: path.join(folder, 'p'), temporary: path.join(folder, 't') };
  mkdirSync(scratch.temporary, { recursive: true });
  for (const name of projectNames()) {
    const target = path.join(scratch.root, name);
    mkdirSync(path.dirname(target), { recursive: true });
    copyFileSync(path.join(ROOT, name), target);
  }
  linkPackages(scratch.root);
  return scratch;
}

/** Links each package, not the folder: what a program keeps there (compiled modules) stays in the copy. */
function linkPackages(root: string): void {
  mkdirSync(path.join(root, 'node_modules'));
  for (const name of readdirSync(path.join(ROOT, 'node_modules'))) {
    if (name !== '.cache') symlinkSync(path.join(ROOT, 'node_modules', name), path.join(root, 'node_modules', name));
  }
}

/** Puts a fault into a copy. */
export function plant(fault: Fault, { root }: Scratch): void {
  for (const { file, from, to } of editsOf(fault)) {
    const target = path.join(root, file);
    const text = readFileSync(target, 'utf8');
    if (!text.includes(from)) throw new Error(`${fault.name}: ${file} was changed while the bench ran`);
    writeFileSync(
      target,
      text.replace(from, () => to),
    );
  }
}

/** Why a fault cannot be planted any more, one sentence an edit; none when the table is up to date. */
export function complaintsAbout(fault: Fault): string[] {
  return editsOf(fault).flatMap((edit) => {
    const complaint = complaintAboutEdit(edit);
    return complaint === null ? [] : [`${fault.name}: ${edit.file} ${complaint}: ${JSON.stringify(edit.from)}`];
  });
}

/** Deletes a copy with all that was left in it, databases of killed tests included. */
export async function removeScratch(folder: string, { temporary }: Scratch, killed: boolean): Promise<void> {
  if (killed) await removeClusters(temporary);
  rmSync(folder, { recursive: true, force: true });
}

/** A changed lockfile or set-up would install packages through the link, into the project itself. */
const NEVER = /^(package-lock\.json|package\.json|scripts\/|bin\/|node_modules\/|\.\.)/;

function complaintAboutEdit({ file, from, to }: Edit): string | null {
  if (NEVER.test(path.posix.normalize(file))) return 'is never planted in';
  if (!existsSync(path.join(ROOT, file))) return 'is not there, so the table is out of date, looking for';
  const times = readFileSync(path.join(ROOT, file), 'utf8').split(from).length - 1;
  if (from === to) return 'would stay as it is';
  return times === 1 ? null : `has this ${times} times instead of once, so the table is out of date`;
}

function projectNames(): string[] {
  const { stdout, status } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error('faults are planted in copies of a git clone, and this is none');
  return stdout.split('\0').filter((name) => name !== '' && existsSync(path.join(ROOT, name)));
}

/** Tests that were killed could not remove the embedded databases they had started. */
async function removeClusters(temporary: string): Promise<void> {
  const { stdout } = spawnSync('find', [temporary, '-maxdepth', '4', '-name', 'postgres.json', '-printf', '%h\\0'], {
    encoding: 'utf8',
  });
  for (const dataDir of stdout.split('\0').filter(Boolean)) await removeCluster(dataDir);
}

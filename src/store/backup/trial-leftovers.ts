/** Folders of trial restores whose process was killed: each holds a whole database. */
import { lstatSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isSupervisorRunning } from '../embedded/client-sockets.ts';
import { removeEmbeddedDatabase } from '../embedded/remove.ts';
import { existingHome } from '../embedded/root-data-dir.ts';

/** The names of the folders of trials begin with this, in the folder for temporary files. */
export const TRIAL_PREFIX = 'pompa-check-';
/** A younger folder may belong to a trial whose database is about to start. */
const MIN_AGE_MS = 120_000;

/** The folders that no running trial uses, sorted. `now` in epoch ms. */
export async function trialLeftovers(now: number): Promise<string[]> {
  const names = readdirSync(os.tmpdir()).filter((name) => name.startsWith(TRIAL_PREFIX));
  const folders = names.sort().map((name) => path.join(os.tmpdir(), name));
  const old = folders.filter((folder) => isOwnFolder(folder, now));
  const inUse = await Promise.all(old.map(isInUse));
  return old.filter((_, index) => !inUse[index]);
}

/** Removes them with their databases; leaves one whose supervisor still holds its lock. */
export async function removeTrialLeftovers(now: number): Promise<void> {
  for (const folder of await trialLeftovers(now)) {
    const removed = await removeEmbeddedDatabase(folder, 0).then(
      () => true,
      () => false,
    );
    if (removed) await rm(folder, { recursive: true, force: true });
  }
}

/** Everybody may create such a name in a shared folder, with a descriptor that names another database. */
function isOwnFolder(folder: string, now: number): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined || !found.isDirectory() || found.uid !== process.getuid?.()) return false;
  return (found.mode & 0o077) === 0 && now - found.mtimeMs >= MIN_AGE_MS;
}

async function isInUse(folder: string): Promise<boolean> {
  try {
    const home = existingHome(folder);
    return home !== null && (await isSupervisorRunning(home));
  } catch {
    return true;
  }
}

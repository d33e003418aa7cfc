/** The folder of the nightly backups. A file under its final name is whole, and was restored for a check. */
import { readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';

const NAME = /^pompa-\d{8}T\d{6}Z\.backup$/;
const UNVERIFIED = '.unverified';
const UNFINISHED_NAME = /^pompa-\d{8}T\d{6}Z\.backup\.unverified/;

/** The name of the backup of a moment, epoch ms: in the order of the names the moments are in order. */
export function backupName(now: number): string {
  return `pompa-${new Date(now).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z.backup`;
}

/** Where a backup lies until it was restored for a check. */
export function unverifiedPath(folder: string, name: string): string {
  return path.join(folder, `${name}${UNVERIFIED}`);
}

/** Gives a backup that was restored for a check its final name. */
export async function acceptBackup(folder: string, name: string): Promise<void> {
  await rename(unverifiedPath(folder, name), path.join(folder, name));
}

/** Removes what killed processes left: call it only where nobody else makes a backup. */
export async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (UNFINISHED_NAME.test(name)) await rm(path.join(folder, name), { force: true });
}

/** Removes all but the newest `keep` backups; returns how many. Other files stay. */
export async function pruneBackups(folder: string, keep: number): Promise<number> {
  const names = (await readdir(folder)).filter((name) => NAME.test(name)).sort();
  const old = names.slice(0, Math.max(0, names.length - keep));
  for (const name of old) await rm(path.join(folder, name), { force: true });
  return old.length;
}

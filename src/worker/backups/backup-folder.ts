/**
 * The folder of the nightly backups. A file under its final name is whole, and was restored for a check. Names hold the
 * id of the installation: what does not carry ours is never deleted, and no file is ever replaced.
 */
import fs, { readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { BackupRefused } from '../../store/backup/backup-refusals.ts';
import { codeOf } from '../../store/database-errors.ts';

/** Those of releases up to 0.2.0 carry no id. */
const ANY_NAME = /^pompa-(?:([0-9a-f]{8})-)?\d{8}T\d{6}Z\.backup(\.unverified.*)?$/;
const UNVERIFIED = '.unverified';
/** What a file system that has no hard links answers. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** The name of the backup of a moment, epoch ms: in the order of an installation's names its moments are in order. */
export function backupName(installation: string, now: number): string {
  return `pompa-${installation}-${new Date(now).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z.backup`;
}

/** Where a backup lies until it was restored for a check. */
export function unverifiedPath(folder: string, name: string): string {
  return path.join(folder, `${name}${UNVERIFIED}`);
}

/** Gives a backup that was restored for a check its final name; rejects with `BackupRefused` if a file has it. */
export async function acceptBackup(folder: string, name: string): Promise<void> {
  const [unverified, final] = [unverifiedPath(folder, name), path.join(folder, name)];
  try {
    await fs.link(unverified, final);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw new BackupRefused(`${final} is there already, and no backup is replaced`);
    if (!NO_LINKS.has(codeOf(error) ?? '')) throw error;
    if ((await readdir(folder)).includes(name))
      throw new BackupRefused(`${final} is there already, and no backup is replaced`);
    await rename(unverified, final);
    return;
  }
  await rm(unverified);
}

/** Removes what killed processes of this installation left: call it only where nobody else makes its backup. */
export async function removeUnfinished(folder: string, installation: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, of, unfinished] = ANY_NAME.exec(name) ?? [];
    if (of === installation && unfinished !== undefined) await rm(path.join(folder, name), { force: true });
  }
}

/**
 * Removes all but the newest `keep` backups of the installation that made `newest`, and returns how many. Other files
 * stay, and so do those whose names are of a later moment: a clock was ahead when they were made.
 */
export async function pruneBackups(folder: string, newest: string, keep: number): Promise<number> {
  const installation = ANY_NAME.exec(newest)?.[1];
  if (installation === undefined) return 0;
  const isOlder = (name: string) => {
    const [, of, unfinished] = ANY_NAME.exec(name) ?? [];
    return of === installation && unfinished === undefined && name <= newest;
  };
  const names = (await readdir(folder)).filter(isOlder).sort();
  const old = names.slice(0, Math.max(0, names.length - keep));
  for (const name of old) await rm(path.join(folder, name), { force: true });
  return old.length;
}

/** The backups, finished or not, that do not carry the id of this installation; `null` = it has none yet. */
export async function backupsOfOthers(folder: string, installation: string | null): Promise<string[]> {
  const names = await readdir(folder);
  return names
    .filter((name) => {
      const match = ANY_NAME.exec(name);
      return match !== null && (match[1] === undefined || match[1] !== installation);
    })
    .sort();
}

/** The reasons why a backup cannot be written, read or restored. */
import { codeOf, DatabaseUnavailable, messageOf } from '../database-errors.ts';

/** The file cannot be written or read, or cannot be restored here. The message is one sentence. */
export class BackupRefused extends Error {}

/** It could not be tried here and now: that says nothing about the backup. */
export class BackupNotTried extends BackupRefused {}

/**
 * Whether this machine is to blame for an error, and not the backup that was to be restored: there is no such file, no
 * room, no permission, or no database that starts.
 */
export function isOfThisMachine(error: unknown): boolean {
  if (error instanceof BackupNotTried || error instanceof DatabaseUnavailable) return true;
  const code = codeOf(error) ?? '';
  return code === 'ENOENT' || Object.hasOwn(REASONS, code) || OUT_OF_RESOURCES.test(code);
}

/** Codes of PostgreSQL for a full disk and the like. */
const OUT_OF_RESOURCES = /^53\w{3}$/;

/** The content of a file is wrong. The message is a sentence without its subject, the name of the file. */
export class BadContent extends Error {}

export function damage(how: string): BadContent {
  return new BadContent(`is damaged and nothing of it was used: ${how}`);
}

export function damaged(how: string): never {
  throw damage(how);
}

export function noBackup(): never {
  throw new BadContent(
    'is not a backup of Pompa: a backup is a tar archive compressed with zstd, whose first file is manifest.json',
  );
}

export function newerFormat(version: number, own: number): never {
  throw new BadContent(
    `is a backup of format ${version} of a newer Pompa, and this one reads ${own}: use the newer version`,
  );
}

export function unwritable(file: string, error: unknown): never {
  throw new BackupRefused(`${file} cannot be written: ${because(error, 'its folder does not exist')}`);
}

export function unreadable(file: string, error: unknown): never {
  if (error instanceof BadContent) throw new BackupRefused(`${file} ${error.message}`);
  const why = `${file} cannot be read: ${because(error, 'there is no such file')}`;
  throw isOfThisMachine(error) ? new BackupNotTried(why) : new BackupRefused(why);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'it is larger than a file may be',
  EACCES: 'it is not permitted',
  EPERM: 'it is not permitted',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'its parent is not a folder',
  EISDIR: 'it is a folder',
};

function because(error: unknown, absent: string): string {
  const code = codeOf(error) ?? '';
  return code === 'ENOENT' ? absent : (REASONS[code] ?? messageOf(error));
}

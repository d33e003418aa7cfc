/** Why a backup cannot be written, read or restored. */
import { codeOf, messageOf } from '../database-errors.ts';

/** The file cannot be written or read, or cannot be restored here: one sentence. */
export class BackupRefused extends Error {}

/** What is wrong with the content of a file: the sentence without the name of the file. */
export class BadContent extends Error {}

export function damage(how: string): BadContent {
  return new BadContent(`is damaged and nothing of it was used: ${how}`);
}

export function damaged(how: string): never {
  throw damage(how);
}

export function noBackup(): never {
  throw new BadContent(
    'is no backup of Pompa: such a file is a tar archive within zstd, and manifest.json is first in it',
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
  throw new BackupRefused(`${file} cannot be read: ${because(error, 'there is no such file')}`);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EFBIG: 'files may not be so large',
  EACCES: 'it is not permitted',
  EPERM: 'it is not permitted',
  EROFS: 'the file system can only be read',
  ENOTDIR: 'its folder is none',
  EISDIR: 'it is a folder',
};

function because(error: unknown, absent: string): string {
  const code = codeOf(error) ?? '';
  return code === 'ENOENT' ? absent : (REASONS[code] ?? messageOf(error));
}

/** Opens a backup of any format and verifies all of it. */
import { type FileHandle, open, stat } from 'node:fs/promises';
import { BackupRefused, noBackup, unreadable } from './backup-refusals.ts';
import type { BackupReader, TableRows } from './contents.ts';
import { openArchive } from './read-archive.ts';
import { FORMAT_1, openFormat1 } from './read-format-1.ts';

/** An open file, all of whose bytes were verified. */
export type Backup = BackupReader & {
  /** Size of the file. */
  readonly bytes: number;
  close(): Promise<void>;
};

/** Rejects with `BackupRefused` if the file is not a backup, is damaged, or has a later format. */
export async function openBackup(file: string): Promise<Backup> {
  const found = await stat(file).catch((error) => unreadable(file, error));
  if (!found.isFile()) throw new BackupRefused(`${file} cannot be read: it is not a regular file`);
  const handle = await open(file, 'r').catch((error) => unreadable(file, error));
  try {
    const readable = await openContents(handle, found.size);
    const rows = () => withFileName(file, readable.rows());
    return { ...readable, bytes: found.size, rows, close: () => handle.close() };
  } catch (error) {
    await handle.close();
    unreadable(file, error);
  }
}

const ZSTD = Buffer.from('28b52ffd', 'hex');

async function openContents(handle: FileHandle, bytes: number): Promise<BackupReader> {
  const { buffer } = await handle.read(Buffer.alloc(FORMAT_1.length), 0, FORMAT_1.length, 0);
  if (buffer.subarray(0, ZSTD.length).equals(ZSTD)) return openArchive(handle, bytes);
  if (buffer.equals(FORMAT_1)) return openFormat1(handle, bytes);
  noBackup();
}

async function* withFileName(file: string, rows: AsyncIterable<TableRows>): AsyncGenerator<TableRows, void, void> {
  try {
    yield* rows;
  } catch (error) {
    unreadable(file, error);
  }
}

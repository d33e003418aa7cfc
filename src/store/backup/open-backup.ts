/** Opens a backup of any format and verifies all of it. */
import { type FileHandle, open, stat } from 'node:fs/promises';
import type { Contents, Readable, TableRows } from './contents.ts';
import { openArchive } from './read-archive.ts';
import { FORMAT_1, openFormat1 } from './read-format-1.ts';
import { BackupRefused, noBackup, unreadable } from './refusals.ts';

/** An open file whose every byte was verified. */
export type Backup = {
  readonly contents: Contents;
  /** Size of the file. */
  readonly bytes: number;
  /** The rows, table by table in the order of the contents, read and verified again. */
  rows(): AsyncGenerator<TableRows, void, void>;
  close(): Promise<void>;
};

/** Rejects with `BackupRefused` where the file is no backup, damaged, or of a later format. */
export async function openBackup(file: string): Promise<Backup> {
  const found = await stat(file).catch((error) => unreadable(file, error));
  if (!found.isFile()) throw new BackupRefused(`${file} cannot be read: it is no regular file`);
  const handle = await open(file, 'r').catch((error) => unreadable(file, error));
  try {
    const { contents, rows } = await openContents(handle, found.size);
    return { contents, bytes: found.size, rows: () => explained(file, rows()), close: () => handle.close() };
  } catch (error) {
    await handle.close();
    unreadable(file, error);
  }
}

const ZSTD = Buffer.from('28b52ffd', 'hex');

async function openContents(handle: FileHandle, bytes: number): Promise<Readable> {
  const { buffer } = await handle.read(Buffer.alloc(FORMAT_1.length), 0, FORMAT_1.length, 0);
  if (buffer.subarray(0, ZSTD.length).equals(ZSTD)) return openArchive(handle, bytes);
  if (buffer.equals(FORMAT_1)) return openFormat1(handle, bytes);
  noBackup();
}

async function* explained(file: string, rows: AsyncIterable<TableRows>): AsyncGenerator<TableRows, void, void> {
  try {
    yield* rows;
  } catch (error) {
    unreadable(file, error);
  }
}

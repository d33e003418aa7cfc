import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailable, messageOf } from '../database-errors.ts';

/** A lock of this process on one file; the kernel releases it when the process dies, however it dies. */
export interface FileLock {
  /** Whether the locked file is still the one found at its path: false once its folder was deleted or replaced. */
  isFileUnchanged(): boolean;
  release(): void;
}

const SQLITE_BUSY = 5;

/**
 * Takes the exclusive lock on `file`, creating the file if needed, or returns undefined while another process holds it.
 * Node.js has no flock(); an exclusive transaction of its built-in SQLite takes a kernel lock too, so no lock can be
 * stale.
 */
function tryLock(file: string): FileLock | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file);
    database.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return undefined;
    throw new DatabaseUnavailable(`${file} cannot be locked: ${messageOf(error)}`);
  }
  const lockingDatabase = database;
  const inode = statSync(file).ino;
  return {
    isFileUnchanged: () => statSync(file, { throwIfNoEntry: false })?.ino === inode,
    release: () => lockingDatabase.close(),
  };
}

/**
 * Tries to take the lock until it is free, `withinMs` have passed or `giveUp` returns true; undefined if it was not
 * taken.
 */
export async function takeLock(
  file: string,
  withinMs: number,
  giveUp: () => boolean | Promise<boolean> = () => false,
): Promise<FileLock | undefined> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const lock = tryLock(file);
    if (lock !== undefined) return lock;
    if (performance.now() > deadline || (await giveUp())) return undefined;
    await sleep(25);
  }
}

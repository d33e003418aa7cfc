/** Whether a backup can be restored, by restoring it: no description of the tables could know better. */
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Database, openDatabase } from '../connection/database.ts';
import type { Schema } from '../connection/schema.ts';
import type { OperatorLog } from '../database-errors.ts';
import { removeEmbeddedDatabase } from '../embedded/remove.ts';
import { existingHome } from '../embedded/root-data-dir.ts';
import { BackupNotTried } from './backup-refusals.ts';
import type { Backup } from './open-backup.ts';
import { planRestore, type RestoreOptions, type RestoreResult, restore } from './restore.ts';
import { removeTrialLeftovers, TRIAL_PREFIX } from './trial-leftovers.ts';

/** Tables and indexes, and the log of the transaction that fills them. */
const TIMES_LARGER_IN_DATABASE = 4;
const NEW_DATABASE_BYTES = 100_000_000;

/**
 * Restores a verified backup into an embedded database of its own in the folder for temporary files, which is removed
 * afterwards, with those of earlier trials that were killed: no other database and no DATA_DIR is touched. Rejects with
 * `BackupRefused` where `restore` would, or where the disk has not enough room for the attempt, and with
 * `DatabaseUnavailable` where no embedded database starts. `use` is given the restored database before it is removed.
 */
export async function tryRestore<T = void>(
  backup: Backup,
  options: RestoreOptions & { readonly log: OperatorLog },
  use?: (restored: Database<Schema>) => Promise<T>,
): Promise<RestoreResult & { readonly used: T | undefined }> {
  planRestore(backup.contents);
  await removeTrialLeftovers(Date.now());
  const dataDir = await mkdtemp(path.join(os.tmpdir(), TRIAL_PREFIX));
  try {
    const database = await openDatabase<Schema>({ dataDir, connections: 1, ...options });
    try {
      await refuseLackOfRoom(existingHome(dataDir) ?? dataDir, backup.unpackedBytes);
      const result = await restore(database, backup, options);
      return { ...result, used: await use?.(database) };
    } finally {
      await database.close();
    }
  } finally {
    await removeEmbeddedDatabase(dataDir);
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function refuseLackOfRoom(folder: string, rowBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const [room, wanted] = [bavail * bsize, NEW_DATABASE_BYTES + rowBytes * TIMES_LARGER_IN_DATABASE];
  if (room >= wanted) return;
  const megabytes = (bytes: number) => `${Math.ceil(bytes / 1_000_000)} MB`;
  throw new BackupNotTried(
    `it was not tried: a trial takes ${megabytes(wanted)} beside ${folder}, which has ${megabytes(room)}; set TMPDIR`,
  );
}

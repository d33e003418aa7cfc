import { existsSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { findDatabaseDirectory } from './database-directory.ts';
import { takeLock } from './lock.ts';
import { stopPostmaster } from './postmaster.ts';
import { DESCRIPTOR } from './root-data-dir.ts';
import { findSocketDirectory } from './socket-directory.ts';
import { SUPERVISOR_LOCK } from './supervisor-files.ts';

/**
 * For tests and trials: deletes the embedded database of a DATA_DIR, wherever it lies, and those set aside, once its
 * last client has disconnected. Rejects if it is still in use after `withinMs`.
 */
export async function removeEmbeddedDatabase(dataDir: string, withinMs = 15_000): Promise<void> {
  if (!existsSync(dataDir)) return;
  const { dataDir: real, home } = await findDatabaseDirectory(dataDir, {
    info: () => undefined,
    warn: () => undefined,
  });
  const lock = await takeLock(path.join(home, SUPERVISOR_LOCK), withinMs);
  if (lock === undefined) throw new Error(`the database of ${dataDir} is still in use`);
  await stopPostmaster(path.join(home, 'data'));
  const run = findSocketDirectory(home);
  if (run !== undefined) await rm(run, { recursive: true, force: true });
  for (const name of readdirSync(path.dirname(home))) {
    const isHome = name === path.basename(home) || name.startsWith(`${path.basename(home)}-left-`);
    if (isHome) await rm(path.join(path.dirname(home), name), { recursive: true, force: true });
  }
  await rm(path.join(real, DESCRIPTOR), { force: true });
  lock.release();
}

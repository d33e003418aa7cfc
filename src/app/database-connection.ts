/** A database that may not be there yet: tried until it is. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Database } from '../store/connection/database.ts';
import type { Schema } from '../store/connection/schema.ts';
import { DatabaseMisconfigured } from '../store/database-errors.ts';
import { openMigrated } from './wiring.ts';

const RETRY_MS = 1_000;

/**
 * Opens the database, trying again every second while it cannot be reached; `null` when asked to stop. Rejects when
 * the operator must act (`DatabaseMisconfigured`). `join` is tried with it, and must change nothing when it rejects;
 * `onAway` is called after each attempt that failed.
 */
export async function connectWithRetries(
  config: Config,
  log: Logger,
  signal: AbortSignal,
  onOpen: (database: Database<Schema>) => Promise<void> = async () => undefined,
  onUnavailable: () => void = () => undefined,
): Promise<Database<Schema> | null> {
  let hasWarned = false;
  while (!signal.aborted) {
    try {
      return await openAndPrepare(config, log, signal, onOpen);
    } catch (error) {
      if (error instanceof DatabaseMisconfigured) throw error;
      if (signal.aborted) break;
      if (!hasWarned)
        log.warn(`the database cannot be used and is tried again every second: ${(error as Error).message}`);
      hasWarned = true;
      onUnavailable();
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
  return null;
}

async function openAndPrepare(
  config: Config,
  log: Logger,
  signal: AbortSignal,
  onOpen: (database: Database<Schema>) => Promise<void>,
): Promise<Database<Schema>> {
  const database = await openMigrated(config, log, signal);
  try {
    await onOpen(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

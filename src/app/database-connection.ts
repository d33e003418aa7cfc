/** A database that may not be there yet: tried until it is. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Database } from '../store/connection/database.ts';
import type { Schema } from '../store/connection/schema.ts';
import { DatabaseMisconfigured } from '../store/database-errors.ts';
import { openStore } from './wiring.ts';

const RETRY_MS = 1_000;

/**
 * Opens the database, trying again every second while it cannot be reached; `null` when asked to stop. Rejects when
 * the operator must act (`DatabaseMisconfigured`). `join` is tried with it, and must change nothing when it rejects;
 * `onAway` is called after each attempt that failed.
 */
export async function connectWithPatience(
  config: Config,
  log: Logger,
  signal: AbortSignal,
  join: (database: Database<Schema>) => Promise<void> = async () => undefined,
  onAway: () => void = () => undefined,
): Promise<Database<Schema> | null> {
  let told = false;
  while (!signal.aborted) {
    try {
      return await openAndJoin(config, log, signal, join);
    } catch (error) {
      if (error instanceof DatabaseMisconfigured) throw error;
      if (signal.aborted) break;
      if (!told) log.warn(`the database cannot be used and is tried again every second: ${(error as Error).message}`);
      told = true;
      onAway();
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
  return null;
}

async function openAndJoin(
  config: Config,
  log: Logger,
  signal: AbortSignal,
  join: (database: Database<Schema>) => Promise<void>,
): Promise<Database<Schema>> {
  const database = await openStore(config, log, signal);
  try {
    await join(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Opens the database of the settings, for the service and for commands. */
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import { hasNoDatabase } from '../../config/follower-settings.ts';
import { type Database, type DatabaseOptions, openDatabase } from '../../store/connection/database.ts';
import { type DirectOptions, openDirectDatabase } from '../../store/connection/direct-database.ts';
import { InitialConnection } from '../../store/connection/initial-connection.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { DatabaseMisconfigured } from '../../store/database-errors.ts';
import { migrationState } from '../../store/migrations/applied-migrations.ts';
import { migrate } from '../../store/migrations/apply-migrations.ts';
import { createLog } from '../log/process-log.ts';

/** Opens the configured database without migrating it, with at most `connections` connections. */
export async function openUnmigrated(
  config: Config,
  log: Logger,
  signal?: AbortSignal,
  connections?: number,
): Promise<Database<Schema>> {
  return openDatabase<Schema>({
    ...databaseAddresses(config),
    log,
    ...(signal && { signal }),
    ...(connections && { connections }),
  });
}

/** Opens the configured database, past a pooler, for work that needs a session, `a backup` for example. */
export async function openDirect(
  config: Config,
  log: Logger,
  options: Pick<DirectOptions, 'work' | 'isAlone' | 'connections' | 'signal'>,
): Promise<Database<Schema>> {
  return openDirectDatabase({ ...databaseAddresses(config), log, ...options });
}

function databaseAddresses(config: Config): Pick<DatabaseOptions, 'databaseUrl' | 'directUrl' | 'dataDir'> {
  if (hasNoDatabase(config))
    throw new DatabaseMisconfigured(
      'FOLLOW_URL is set and DATABASE_URL is not: this installation uses no database; run the command where there is one, or set DATABASE_URL',
    );
  return {
    databaseUrl: config.DATABASE_URL ?? undefined,
    directUrl: config.DATABASE_DIRECT_URL ?? undefined,
    dataDir: config.DATA_DIR,
  };
}

/** Opens the configured database and applies pending migrations. */
export async function openMigrated(config: Config, log: Logger, signal?: AbortSignal): Promise<Database<Schema>> {
  const database = await openUnmigrated(config, log, signal);
  try {
    const applied = await migrateConfigured(config, log, database, signal);
    if (applied.length > 0) log.info(`migrations applied: ${applied.join(', ')}`);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Applies the migrations that the configured database needs, past a pooler where an address leads there. */
export async function migrateConfigured(
  config: Config,
  log: Logger,
  database: Database<Schema>,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  if (config.DATABASE_DIRECT_URL === null) return migrate(database);
  if ((await migrationState(database)).pending.length === 0) return [];
  const direct = await openDirect(config, log, { work: 'a migration', connections: 2, ...(signal && { signal }) });
  return migrate(direct).finally(() => direct.close());
}

/**
 * The configured database, migrated, for a process that starts without waiting for it: `connect` connects in the
 * background. `prepare` reads what must be known before the database is used.
 */
export function createDatabaseConnection(
  config: Config,
  log: Logger,
  signal: AbortSignal,
  prepare: (database: Database<Schema>) => Promise<void> = async () => undefined,
): InitialConnection {
  return new InitialConnection({ open: () => openMigrated(config, log, signal), prepare, log, signal });
}

/** Opens the migrated database for some work, and closes it when the work ends or fails. */
export async function withDatabase<T>(
  { config, signal }: { readonly config: Config; readonly signal: AbortSignal },
  work: (database: Database<Schema>) => Promise<T>,
): Promise<T> {
  const database = await openMigrated(config, createLog(config), signal);
  return work(database).finally(() => database.close());
}

/** Opens a database for work that needs a session of the server: a pooler gives each transaction another one. */
import { DatabaseMisconfigured } from '../database-errors.ts';
import { type Database, type DatabaseOptions, openDatabase } from './database.ts';
import { directProblem } from './replica.ts';
import type { Schema } from './schema.ts';

export type DirectOptions = DatabaseOptions & {
  /** The work, to begin a sentence with: `a backup`. */
  readonly work: string;
  /** Whether the work refuses to run while anybody else is connected: what a pooler keeps open for us is ended then. */
  readonly isAlone?: boolean;
};

/**
 * Opens the direct address if one is set and leads to the same database, else the usual one if no pooler is between.
 * Throws as `openDatabase` does, and DatabaseMisconfigured if neither will do.
 */
export async function openDirectDatabase(options: DirectOptions): Promise<Database<Schema>> {
  const { directUrl, work, isAlone = false, ...usual } = options;
  const usualDatabase = await openDatabase<Schema>(directUrl === undefined ? usual : { ...usual, connections: 1 });
  if (directUrl === undefined) {
    if (!usualDatabase.isPooled) return usualDatabase;
    await usualDatabase.close();
    throw new DatabaseMisconfigured(
      `${work} needs a session of the server, and DATABASE_URL is the address of a pooler: set DATABASE_DIRECT_URL to the address of the server itself`,
    );
  }
  try {
    const direct = await openVerified(
      { ...usual, databaseUrl: directUrl, setting: 'DATABASE_DIRECT_URL' },
      usualDatabase,
    );
    if (isAlone && usualDatabase.isPooled) await endSession(usualDatabase);
    return direct;
  } finally {
    await usualDatabase.close();
  }
}

async function openVerified(options: DatabaseOptions, usual: Database<Schema>): Promise<Database<Schema>> {
  const direct = await openDatabase<Schema>(options);
  try {
    if (direct.isPooled)
      throw new DatabaseMisconfigured(
        'DATABASE_DIRECT_URL is the address of a pooler: set it to the address of the server itself',
      );
    const problem = await directProblem(usual, direct);
    if (problem !== null) throw new DatabaseMisconfigured(`${problem.why}: ${problem.advice}`);
    return direct;
  } catch (error) {
    await direct.close();
    throw error;
  }
}

/**
 * A pooler keeps its connections open for minutes, and a restore refuses while others are connected. A session may end
 * itself, whatever its role is, and works for nobody else while it does.
 */
async function endSession(pooled: Database<Schema>): Promise<void> {
  // It ends without an answer.
  await pooled
    .query({ text: 'select pg_terminate_backend(pg_backend_pid())' }, { withinMs: 2_000 })
    .catch(() => undefined);
}

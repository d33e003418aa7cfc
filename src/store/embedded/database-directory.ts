import { existsSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { makeDirectory } from '../../files/make-directory.ts';
import { DatabaseMisconfigured, messageOf, type OperatorLog } from '../database-errors.ts';
import { databaseUser, isUnfinished, type ProcessUser } from './database-user.ts';
import { DESCRIPTOR, rootDatabaseHome } from './root-data-dir.ts';

/** Where the embedded database of one DATA_DIR lies, and which user it runs as. */
export interface DatabaseDirectory {
  dataDir: string;
  /**
   * Holds the cluster (`data/`), its password, its logs and the supervisor's lock; the sockets too if the path is short
   * enough.
   */
  home: string;
  /** The user that a supervisor started by root switches to; undefined: it does not switch. */
  owner: ProcessUser | undefined;
}

/**
 * Finds the database directory of a DATA_DIR, or prepares one for a new DATA_DIR; throws DatabaseMisconfigured if the
 * operator must act.
 */
export async function findDatabaseDirectory(dataDir: string, log: OperatorLog): Promise<DatabaseDirectory> {
  if (process.getuid === undefined) {
    throw new DatabaseMisconfigured(
      'the embedded database needs Linux or macOS; set DATABASE_URL to a PostgreSQL server',
    );
  }
  const real = makeDataDir(dataDir);
  const inside = path.join(real, 'postgres');
  if (process.getuid() !== 0) return { dataDir: real, home: ownHome(real, inside, process.getuid()), owner: undefined };
  if (existsSync(inside)) return { dataDir: real, home: inside, owner: ownerOf(inside) };
  const home = await rootDatabaseHome(real, log);
  return { dataDir: real, home, owner: isUnfinished(home) ? databaseUser(home) : ownerOf(home) };
}

function makeDataDir(dataDir: string): string {
  try {
    makeDirectory(dataDir);
    return realpathSync(dataDir);
  } catch (error) {
    throw new DatabaseMisconfigured(`DATA_DIR ${dataDir} cannot be used: ${messageOf(error)}`);
  }
}

function ownHome(dataDir: string, home: string, uid: number): string {
  if (existsSync(path.join(dataDir, DESCRIPTOR))) {
    throw new DatabaseMisconfigured(
      `the database of DATA_DIR ${dataDir} was created by root and is not accessible to user ${uid}: start Pompa as root, or choose another DATA_DIR`,
    );
  }
  try {
    makeDirectory(home);
  } catch (error) {
    throw new DatabaseMisconfigured(`DATA_DIR ${dataDir} cannot be used: ${messageOf(error)}`);
  }
  const owner = statSync(home).uid;
  if (owner === uid) return home;
  throw new DatabaseMisconfigured(
    `the database in ${home} belongs to user ${owner}, not to user ${uid}: start Pompa as that user, or choose another DATA_DIR`,
  );
}

/**
 * Root uses an ordinary user's database as that user, so `sudo pompa …` alongside a running service sees the same data.
 */
function ownerOf(home: string): ProcessUser {
  const { uid, gid } = statSync(home);
  if (uid !== 0) return { uid, gid };
  throw new DatabaseMisconfigured(
    `the database in ${home} belongs to root, and PostgreSQL does not run as root: give it back to its user (chown -R USER ${home})`,
  );
}

import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { writeAtomically } from '../../files/write-atomically.ts';
import { DatabaseMisconfigured, messageOf, type OperatorLog } from '../database-errors.ts';
import { isSupervisorRunning } from './client-sockets.ts';
import { databaseUser, NOBODY } from './database-user.ts';
import { type FileLock, takeLock } from './lock.ts';
import { pathHash } from './path-hash.ts';
import { stopPostmaster } from './postmaster.ts';
import { SUPERVISOR_LOCK } from './supervisor-files.ts';

/** As root, all files of the database lie here, where an unprivileged user can reach them. */
export const ROOT_DATA_DIR = '/var/lib/pompa';
/** The file in DATA_DIR that names the folder of its database if root created it. */
export const DESCRIPTOR = 'postgres.json';

interface Descriptor {
  folder: string;
  dataDir: string;
}

/**
 * The folder below /var/lib/pompa that holds the database of a DATA_DIR used as root; several processes may call this
 * at once.
 */
export async function rootDatabaseHome(dataDir: string, log: OperatorLog): Promise<string> {
  const lock = await lockRootDataDir();
  try {
    const descriptor = readDescriptor(dataDir);
    if (descriptor === undefined) return await createHome(dataDir, log);
    const home = await describedHome(dataDir, descriptor, log);
    await takeFromNobody(home, log);
    return home;
  } finally {
    lock.release();
  }
}

/** Where the embedded database of a DATA_DIR lies; `null` if there is none yet. Creates nothing. */
export function existingHome(dataDir: string): string | null {
  const inside = path.join(dataDir, 'postgres');
  return existsSync(inside) ? inside : (readDescriptor(dataDir)?.folder ?? null);
}

/** The databases of this DATA_DIR that were set aside because it was deleted. */
export function setAsideHomes(dataDir: string): string[] {
  const folder = readDescriptor(dataDir)?.folder;
  return folder === undefined ? [] : leftFolders(folder);
}

function leftFolders(folder: string): string[] {
  const prefix = `${path.basename(folder)}-left-`;
  const names = readdirSync(ROOT_DATA_DIR).filter((name) => name.startsWith(prefix));
  return names.sort().map((name) => path.join(ROOT_DATA_DIR, name));
}

async function lockRootDataDir(): Promise<FileLock> {
  try {
    // Independent of the umask: the unprivileged user must be able to enter.
    if (mkdirSync(ROOT_DATA_DIR, { recursive: true }) !== undefined) chmodSync(ROOT_DATA_DIR, 0o755);
    const { uid } = statSync(ROOT_DATA_DIR);
    if (uid !== 0) throw new Error(`it belongs to user ${uid}, who could exchange what root uses there`);
    const lock = await takeLock(path.join(ROOT_DATA_DIR, '.lock'), 30_000);
    if (lock !== undefined) return lock;
  } catch (error) {
    throw new DatabaseMisconfigured(
      `PostgreSQL does not run as root, and ${ROOT_DATA_DIR}, which then holds its files, cannot be used (${messageOf(error)}): start Pompa as an ordinary user, or set DATABASE_URL`,
    );
  }
  throw new DatabaseMisconfigured(`another Pompa process has held ${ROOT_DATA_DIR}/.lock for more than 30 seconds`);
}

function readDescriptor(dataDir: string): Descriptor | undefined {
  const file = path.join(dataDir, DESCRIPTOR);
  if (!existsSync(file)) return undefined;
  try {
    const { folder, dataDir: named } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Descriptor>;
    if (typeof folder === 'string' && typeof named === 'string' && path.dirname(folder) === ROOT_DATA_DIR) {
      return { folder, dataDir: named };
    }
  } catch {
    // Reported below: unreadable and invalid are the same to the operator.
  }
  throw new DatabaseMisconfigured(
    `${file} does not name a folder in ${ROOT_DATA_DIR}: restore the file, or delete it to start empty`,
  );
}

async function describedHome(
  dataDir: string,
  { folder, dataDir: named }: Descriptor,
  log: OperatorLog,
): Promise<string> {
  if (!existsSync(folder)) {
    throw new DatabaseMisconfigured(
      `the database of DATA_DIR ${dataDir} was in ${folder}, which no longer exists${describeSetAside(folder)}: restore that folder, or delete ${path.join(dataDir, DESCRIPTOR)} to start empty`,
    );
  }
  if (named === dataDir) return folder;
  const there = path.join(named, DESCRIPTOR);
  const isCopy = existsSync(there) && statSync(there).ino !== statSync(path.join(dataDir, DESCRIPTOR)).ino;
  if (isCopy && readDescriptor(named)?.folder === folder) {
    throw new DatabaseMisconfigured(
      `DATA_DIR ${dataDir} is a copy of ${named}, whose database lies outside in ${folder} and was not copied: delete ${path.join(dataDir, DESCRIPTOR)} to start empty, and use backup and restore to copy the data`,
    );
  }
  if (!existsSync(there)) {
    log.info(`DATA_DIR was moved from ${named}; its database stays in ${folder}`);
    await writeDescriptor({ folder, dataDir });
  }
  return folder;
}

function describeSetAside(folder: string): string {
  const left = leftFolders(folder);
  return left.length === 0 ? '' : ` (set aside as ${left.join(', ')})`;
}

async function createHome(dataDir: string, log: OperatorLog): Promise<string> {
  const folder = path.join(ROOT_DATA_DIR, pathHash(dataDir));
  if (existsSync(path.join(folder, 'data'))) await setAside(dataDir, folder, log);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // The supervisor creates the cluster as root and gives the folder to its user; `nobody` creates its own.
  if (databaseUser(folder) === NOBODY) giveToNobody(folder);
  await writeDescriptor({ folder, dataDir });
  log.info(`the database of DATA_DIR ${dataDir} lies in ${folder}`);
  return folder;
}

function giveToNobody(folder: string): void {
  try {
    chownSync(folder, NOBODY.uid, NOBODY.gid);
  } catch (error) {
    throw new DatabaseMisconfigured(
      `PostgreSQL does not run as root, and ${folder} cannot be given to user ${NOBODY.uid} (${messageOf(error)}): start Pompa as an ordinary user, or set DATABASE_URL`,
    );
  }
}

/**
 * Earlier versions ran PostgreSQL as `nobody`, like many other services. Root takes such a folder back, and the next
 * supervisor gives it to a user of its own; a database in use stays as it is until it is no longer used.
 */
async function takeFromNobody(folder: string, log: OperatorLog): Promise<void> {
  const isNobodys = lstatSync(folder).uid === NOBODY.uid;
  if (!isNobodys || databaseUser(folder) === NOBODY || (await isSupervisorRunning(folder))) return;
  // From now on no process of `nobody` can get into the folder by its path, or exchange what is in it.
  chownSync(folder, 0, 0);
  const lockFile = path.join(folder, SUPERVISOR_LOCK);
  const isPlain = lstatSync(lockFile, { throwIfNoEntry: false })?.isFile() ?? true;
  const lock = isPlain ? await takeLock(lockFile, 0) : undefined;
  if (lock === undefined) return chownSync(folder, NOBODY.uid, NOBODY.gid);
  await stopPostmaster(path.join(folder, 'data'));
  lock.release();
  log.info(`the database in ${folder} now runs as user ${databaseUser(folder).uid} instead of ${NOBODY.uid}`);
}

/** DATA_DIR was deleted, so its database is no longer used; but nothing is deleted without the operator. */
async function setAside(dataDir: string, folder: string, log: OperatorLog): Promise<void> {
  const lock = await takeLock(path.join(folder, SUPERVISOR_LOCK), 15_000);
  if (lock === undefined) {
    throw new DatabaseMisconfigured(
      `DATA_DIR ${dataDir} was deleted while other Pompa processes use its database: stop them, then start again`,
    );
  }
  await stopPostmaster(path.join(folder, 'data'));
  const left = `${folder}-left-${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
  renameSync(folder, left);
  lock.release();
  log.warn(
    `DATA_DIR ${dataDir} was deleted: its earlier database is kept in ${left}, and an empty one is created; to delete the earlier one: rm -r ${left}`,
  );
}

function writeDescriptor(descriptor: Descriptor): Promise<void> {
  const text = `${JSON.stringify(descriptor, null, 2)}\n`;
  return writeAtomically(path.join(descriptor.dataDir, DESCRIPTOR), (temporary) =>
    writeFile(temporary, text, { mode: 0o644, flag: 'wx' }),
  );
}

import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { writeAtomically } from '../../files/write-atomically.ts';
import { DatabaseMisconfigured, messageOf, type OperatorLog } from '../database-errors.ts';
import { type FileLock, takeLock } from './lock.ts';
import { pathHash } from './path-hash.ts';
import { stopPostmaster } from './postmaster.ts';

/** A user and group: PostgreSQL refuses to run as root, so a supervisor started by root switches to another user. */
export interface ProcessUser {
  uid: number;
  gid: number;
}

/** As root, all files of the database lie here, where an unprivileged user can reach them. */
export const ROOT_DATA_DIR = '/var/lib/pompa';
/** The file in DATA_DIR that names the folder of its database if root created it. */
export const DESCRIPTOR = 'postgres.json';
/** The user `nobody`: exists on every system without useradd. */
export const UNPRIVILEGED: ProcessUser = { uid: 65_534, gid: 65_534 };

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
    return descriptor === undefined ? await createHome(dataDir, log) : await describedHome(dataDir, descriptor, log);
  } finally {
    lock.release();
  }
}

/** Where the embedded database of a DATA_DIR lies; `null` if there is none yet. Creates nothing. */
export function existingHome(dataDir: string): string | null {
  const inside = path.join(dataDir, 'postgres');
  return existsSync(inside) ? inside : (readDescriptor(dataDir)?.folder ?? null);
}

async function lockRootDataDir(): Promise<FileLock> {
  try {
    // Independent of the umask: the unprivileged user must be able to enter.
    if (mkdirSync(ROOT_DATA_DIR, { recursive: true }) !== undefined) chmodSync(ROOT_DATA_DIR, 0o755);
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
  const left = readdirSync(ROOT_DATA_DIR).filter((name) => name.startsWith(`${path.basename(folder)}-left-`));
  return left.length === 0 ? '' : ` (set aside as ${left.map((name) => path.join(ROOT_DATA_DIR, name)).join(', ')})`;
}

async function createHome(dataDir: string, log: OperatorLog): Promise<string> {
  const folder = path.join(ROOT_DATA_DIR, pathHash(dataDir));
  if (existsSync(path.join(folder, 'data'))) await setAside(dataDir, folder, log);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    chownSync(folder, UNPRIVILEGED.uid, UNPRIVILEGED.gid);
  } catch (error) {
    throw new DatabaseMisconfigured(
      `PostgreSQL does not run as root, and ${folder} cannot be given to user ${UNPRIVILEGED.uid} (${messageOf(error)}): start Pompa as an ordinary user, or set DATABASE_URL`,
    );
  }
  await writeDescriptor({ folder, dataDir });
  return folder;
}

/** DATA_DIR was deleted, so its database is no longer used; but nothing is deleted without the operator. */
async function setAside(dataDir: string, folder: string, log: OperatorLog): Promise<void> {
  const lock = await takeLock(path.join(folder, 'keeper.lock'), 15_000);
  if (lock === undefined) {
    throw new DatabaseMisconfigured(
      `DATA_DIR ${dataDir} was deleted while other Pompa processes use its database: stop them, then start again`,
    );
  }
  await stopPostmaster(path.join(folder, 'data'));
  const left = `${folder}-left-${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
  renameSync(folder, left);
  lock.release();
  log.warn(`DATA_DIR ${dataDir} was deleted: its earlier database is kept in ${left}, and an empty one is created`);
}

function writeDescriptor(descriptor: Descriptor): Promise<void> {
  const text = `${JSON.stringify(descriptor, null, 2)}\n`;
  return writeAtomically(path.join(descriptor.dataDir, DESCRIPTOR), (temporary) =>
    writeFile(temporary, text, { mode: 0o644, flag: 'wx' }),
  );
}

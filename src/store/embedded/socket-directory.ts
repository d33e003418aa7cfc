import { lstatSync, mkdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { codeOf, DatabaseMisconfigured } from '../database-errors.ts';
import { pathHash } from './path-hash.ts';

/** The port number is only part of the socket's name: nothing listens on the network. */
export const PORT = 5432;
const LONGEST_NAME = `.s.PGSQL.${PORT}`;
/** The kernel's limit for the path of a Unix socket, without the closing zero byte. */
const LONGEST_PATH = process.platform === 'linux' ? 107 : 103;

/** The folder with the sockets of the database in `home`, or undefined if no supervisor has created it yet. */
export function findSocketDirectory(home: string): string | undefined {
  const run = path.join(home, 'run');
  const found = lstatSync(run, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (!found.isSymbolicLink()) return run;
  const target = readlinkSync(run);
  // A copied DATA_DIR contains a link to the original's folder.
  const isOwn = path.basename(target).endsWith(`-${pathHash(home)}`) && isPrivate(target, lstatSync(home).uid);
  return isOwn ? target : undefined;
}

/**
 * Creates that folder: next to the data if the path is short enough for a socket, else in the system's temporary
 * folder.
 */
export function makeSocketDirectory(home: string, temporary = os.tmpdir()): string {
  const known = findSocketDirectory(home);
  if (known !== undefined) return known;
  const run = path.join(home, 'run');
  if (fitsSocketPath(run)) {
    mkdirSync(run, { mode: 0o700 });
    return run;
  }
  const uid = lstatSync(home).uid;
  const target = [temporary, '/tmp']
    .map((folder) => path.join(folder, `pompa-${uid}-${pathHash(home)}`))
    .find(fitsSocketPath);
  if (target === undefined)
    throw new DatabaseMisconfigured(`the path of ${home} is too long for a socket: choose a shorter DATA_DIR`);
  makePrivate(target, uid);
  rmSync(run, { force: true });
  symlinkSync(target, run);
  return target;
}

function fitsSocketPath(folder: string): boolean {
  return Buffer.byteLength(path.join(folder, LONGEST_NAME)) <= LONGEST_PATH;
}

function makePrivate(folder: string, uid: number): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    if (isPrivate(folder, uid)) return;
    throw new DatabaseMisconfigured(
      `${folder} is not a folder that only user ${uid} can access: delete it, or choose a shorter DATA_DIR`,
    );
  }
}

function isPrivate(folder: string, uid: number): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === uid && (found.mode & 0o077) === 0;
}

/** The user that PostgreSQL runs as where root starts it: one of its own for each database folder. */
import { chmodSync, lchownSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseMisconfigured } from '../database-errors.ts';

/** A user and group: PostgreSQL refuses to run as root, so a supervisor started by root switches to another user. */
export interface ProcessUser {
  uid: number;
  gid: number;
}

/** The user `nobody`: exists on every system without useradd, and other services run as it too. */
export const NOBODY: ProcessUser = { uid: 65_534, gid: 65_534 };

/**
 * Ids that no system gives out by itself: above those of SSSD and of containers, below those that systemd reserves.
 * Source: systemd, "Users, Groups, UIDs and GIDs on systemd Systems".
 */
const FIRST_ID = 2_010_000_000;
const ID_COUNT = 100_000_000;

/**
 * The user of a database folder, by the folder's name, which is a hash; it needs no account. `NOBODY` in a container
 * that has too few ids for it.
 */
export function databaseUser(home: string, idMap: string | null = readIdMap()): ProcessUser {
  const id = FIRST_ID + (Number.parseInt(path.basename(home), 16) % ID_COUNT);
  return isMapped(id, idMap) ? { uid: id, gid: id } : NOBODY;
}

/** Whether a folder is still root's: then its cluster must be created, or given to its user. */
export function isUnfinished(home: string): boolean {
  return lstatSync(home).uid === 0;
}

/**
 * Gives a folder of root with all that is in it to a user. From the top down: what has its new owner, nobody else can
 * exchange for something else any more.
 */
export function giveTo(home: string, user: ProcessUser): void {
  for (const name of readdirSync(home)) giveEntry(path.join(home, name), user);
  for (const name of ['password', 'application-password']) {
    if (readdirSync(home).includes(name)) chmodSync(path.join(home, name), 0o600);
  }
  chmodSync(home, 0o700);
  lchownSync(home, user.uid, user.gid);
}

function giveEntry(entry: string, user: ProcessUser): void {
  const { uid, nlink } = lstatSync(entry);
  const isDirectory = lstatSync(entry).isDirectory();
  const isExpected = [0, NOBODY.uid, user.uid].includes(uid) && (isDirectory || nlink === 1);
  if (!isExpected)
    throw new DatabaseMisconfigured(
      `${entry} belongs to user ${uid} or has another name elsewhere: move it out of the folder of the database`,
    );
  lchownSync(entry, user.uid, user.gid);
  if (isDirectory) for (const name of readdirSync(entry)) giveEntry(path.join(entry, name), user);
}

/** @param idMap the content of `/proc/self/uid_map`; `null` = not Linux, where all ids exist. */
function isMapped(id: number, idMap: string | null): boolean {
  if (idMap === null) return true;
  return idMap
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .some(([first = 0, , count = 0]) => first <= id && id < first + count);
}

function readIdMap(): string | null {
  try {
    return readFileSync('/proc/self/uid_map', 'utf8');
  } catch {
    return null;
  }
}

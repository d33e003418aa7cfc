/** Writes a backup to a temporary file and gives it its name when complete: a reader finds all of it or nothing. */
import { randomUUID } from 'node:crypto';
import { type FileHandle, link, lstat, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../database-errors.ts';
import { BackupRefused, unwritable } from './backup-refusals.ts';
import type { Contents, Dump } from './contents.ts';
import { manifestFrame, writeMembers } from './write-archive.ts';

const COPY_BYTES = 1_000_000;

/**
 * Writes a new file that only its owner can read; returns its contents and size. Rejects with `BackupRefused` if the
 * file exists or cannot be written. A failure leaves no file behind.
 */
export async function writeBackup(
  file: string,
  dump: Dump,
  signal: AbortSignal,
): Promise<{ contents: Contents; bytes: number }> {
  await refuseExisting(file);
  const temporary = `${file}.${randomUUID().slice(0, 8)}.part`;
  await using members = await create(`${temporary}.part`, file);
  // Unlinked while open: its space is freed when this process ends, however it ends.
  await rm(`${temporary}.part`);
  await using archive = await create(temporary, file);
  try {
    const contents = await fill(archive, members, file, dump, signal);
    const { size } = await archive.stat();
    await linkIntoPlace(temporary, file);
    return { contents, bytes: size };
  } finally {
    await rm(temporary, { force: true });
  }
}

function create(temporary: string, file: string): Promise<FileHandle> {
  return open(temporary, 'wx+', 0o600).catch((error) => unwritable(file, error));
}

/** Compresses the members once, into a file of their own, and copies them behind the manifest. */
async function fill(archive: FileHandle, members: FileHandle, file: string, dump: Dump, signal: AbortSignal) {
  const writeTo = (handle: FileHandle) => (chunk: Buffer) =>
    handle.writeFile(chunk).catch((error) => unwritable(file, error));
  const manifest = await writeMembers(dump, writeTo(members), signal);
  const write = writeTo(archive);
  await write(await manifestFrame(manifest));
  const compressed = members.createReadStream({ start: 0, autoClose: false, highWaterMark: COPY_BYTES });
  for await (const chunk of compressed) {
    signal.throwIfAborted();
    await write(chunk);
  }
  await archive.sync().catch((error) => unwritable(file, error));
  return manifest;
}

async function refuseExisting(file: string): Promise<void> {
  const found = await lstat(file).catch(() => null);
  if (found !== null) throwExists(file);
}

function throwExists(file: string): never {
  throw new BackupRefused(`${file} exists already and is not overwritten: choose another name, or remove it first`);
}

/** Gives the complete file its name; never replaces a file that was created in the meantime. */
async function linkIntoPlace(temporary: string, file: string): Promise<void> {
  try {
    await link(temporary, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throwExists(file);
    // Some file systems have no hard links.
    await refuseExisting(file);
    await rename(temporary, file).catch((cause) => unwritable(file, cause));
  }
  const folder = await open(path.dirname(file)).catch((error) => unwritable(file, error));
  // Some file systems cannot sync folders; the file itself is synced already.
  await folder.sync().catch(() => undefined);
  await folder.close();
}

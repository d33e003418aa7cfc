/** Writes a backup beside its place and links it there when it is whole: a reader finds all of it or nothing. */
import { randomUUID } from 'node:crypto';
import { type FileHandle, link, lstat, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../database-errors.ts';
import type { Contents, Dump } from './contents.ts';
import { BackupRefused, unwritable } from './refusals.ts';
import { manifestFrame, writeMembers } from './write-archive.ts';

const COPY_BYTES = 1_000_000;

/**
 * Writes a new file that only its owner can read; gives what it holds and its size. Rejects with `BackupRefused` where
 * there is a file already or none can be written; whatever fails, nothing is left behind.
 */
export async function writeBackup(
  file: string,
  dump: Dump,
  signal: AbortSignal,
): Promise<{ contents: Contents; bytes: number }> {
  await refuseTaken(file);
  const temporary = `${file}.${randomUUID().slice(0, 8)}.part`;
  await using members = await create(`${temporary}.part`, file);
  // Its space is free again whenever this process ends.
  await rm(`${temporary}.part`);
  await using archive = await create(temporary, file);
  try {
    const contents = await fill(archive, members, file, dump, signal);
    const { size } = await archive.stat();
    await put(temporary, file);
    return { contents, bytes: size };
  } finally {
    await rm(temporary, { force: true });
  }
}

function create(temporary: string, file: string): Promise<FileHandle> {
  return open(temporary, 'wx+', 0o600).catch((error) => unwritable(file, error));
}

/** The members are compressed once, aside, and copied behind the manifest. */
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

async function refuseTaken(file: string): Promise<void> {
  const found = await lstat(file).catch(() => null);
  if (found !== null) taken(file);
}

function taken(file: string): never {
  throw new BackupRefused(`${file} is there already and is not overwritten: choose another name, or remove it first`);
}

/** Gives the whole file its name; one that has come meanwhile is not replaced. */
async function put(temporary: string, file: string): Promise<void> {
  try {
    await link(temporary, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') taken(file);
    // Some file systems know no second name of a file.
    await refuseTaken(file);
    await rename(temporary, file).catch((cause) => unwritable(file, cause));
  }
  const folder = await open(path.dirname(file)).catch((error) => unwritable(file, error));
  // Some file systems do not sync folders; the file itself is safe by now.
  await folder.sync().catch(() => undefined);
  await folder.close();
}

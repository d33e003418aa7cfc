/**
 * The last good snapshot's facts on disk, for a start without the database. One file, checksummed, renamed into place:
 * a reader finds a whole one or none.
 */
import { createHash, randomUUID } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { Facts } from '../domain/facts.ts';
import { makeFolder } from './folder.ts';

/** What is kept: the facts of a publication and the past days of each station, as the reader holds them. */
export type LastGood<Series> = { readonly facts: Facts; readonly series: ReadonlyMap<string, Series> };

/** Raised when the form of the content changes: an older file is then no file. */
const FORMAT = 'pompa-last-good-2';

function fileOf(dataDir: string): string {
  return path.join(dataDir, 'last-good.snapshot');
}

/** Writes the file whole. */
export async function saveLastGood<Series>(dataDir: string, content: LastGood<Series>): Promise<void> {
  const body = serialize(content);
  const file = fileOf(dataDir);
  const temporary = `${file}.${randomUUID().slice(0, 8)}.part`;
  try {
    makeFolder(dataDir);
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(Buffer.concat([Buffer.from(`${FORMAT} ${sha256(body)}\n`), body]));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Reads the file; `null` when there is none, or it is damaged or of another form (`onDamage` then says which). */
export async function readLastGood<Series>(
  dataDir: string,
  onDamage: (why: string) => void,
): Promise<LastGood<Series> | null> {
  const file = fileOf(dataDir);
  const content = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') onDamage(`${file} cannot be read: ${error.message}`);
    return null;
  });
  if (content === null) return null;
  const end = content.indexOf('\n');
  const [format, checksum] = content.subarray(0, Math.max(end, 0)).toString('latin1').split(' ');
  const body = content.subarray(end + 1);
  if (format !== FORMAT || checksum !== sha256(body)) {
    onDamage(`${file} is damaged or of another version and was not used`);
    return null;
  }
  return deserialize(body) as LastGood<Series>;
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/**
 * The last good snapshot on disk, for a start without the database: its facts in one file, and in another the past days
 * of its stations, which few publications change. Each has a checksum and is renamed into place: a reader finds a
 * complete file or none.
 */
import { createHash, type Hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { deserialize } from 'node:v8';
import { runInSlices } from '../../concurrency/in-slices.ts';
import type { PublishedFacts } from '../../domain/prices/facts.ts';
import type { PublicationPlace } from '../../domain/prices/publication-announcement.ts';
import { makeDirectory } from '../../files/make-directory.ts';
import { writeAtomically } from '../../files/write-atomically.ts';
import { messageOf } from '../database-errors.ts';
import { packFacts, unpackFacts } from './pack-facts.ts';
import {
  bytesOfPieces,
  joinSnapshotPieces,
  LENGTH_BYTES,
  pieceOf,
  SNAPSHOT_FORMAT,
  seriesPieces,
} from './snapshot-pieces.ts';

/** The content: the facts of a publication and the past days of each station, as the reader holds them. */
export type LastGoodSnapshot<Series> = { readonly facts: PublishedFacts; readonly series: ReadonlyMap<string, Series> };

const factsFile = (dataDir: string) => path.join(dataDir, 'last-good.snapshot');
const historyFile = (dataDir: string) => path.join(dataDir, 'last-good.history');

/**
 * Replaces the files, that of the past days only if it is missing where `isHistorySaved`. Writes in pieces, which
 * neither block the event loop nor hold all of it in memory. All processes of one DATA_DIR write them, so a file of a
 * later publication stays.
 */
export async function saveLastGood<Series>(
  dataDir: string,
  { facts, series }: LastGoodSnapshot<Series>,
  { isHistorySaved = false } = {},
): Promise<void> {
  const packed = await packFacts(facts);
  makeDirectory(dataDir);
  const history = historyFile(dataDir);
  if (!isHistorySaved || !existsSync(history)) await replace(history, facts, seriesPieces(series));
  await replace(factsFile(dataDir), facts, [packed]);
  await removeAbandoned(dataDir);
}

async function replace(file: string, place: PublicationPlace, content: Iterable<Buffer>): Promise<void> {
  const isWanted = async () => !(await isLater(file, place));
  await writeAtomically(file, (temporary) => writePieces(temporary, withPlace(place, content)), { isWanted });
}

/** Each file says first of which publication it is. */
function* withPlace({ version, publishedAt }: PublicationPlace, content: Iterable<Buffer>): Generator<Buffer> {
  yield pieceOf({ version, publishedAt } satisfies PublicationPlace);
  yield* content;
}

async function writePieces(file: string, pieces: Iterable<Buffer>): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    const sum = createHash('sha256');
    let at = headerOf(sum.copy()).length;
    for (const bytes of pieces) {
      sum.update(bytes);
      await handle.write(bytes, 0, bytes.length, at);
      at += bytes.length;
    }
    const header = headerOf(sum);
    await handle.write(header, 0, header.length, 0);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Reads the files; `null` if there are no facts. One that is damaged or has another format counts as missing (then
 * calls `onDamage` with the reason).
 */
export async function readLastGood<Series>(
  dataDir: string,
  onDamage: (why: string) => void,
): Promise<LastGoodSnapshot<Series> | null> {
  const facts = await readContent(factsFile(dataDir), unpackFacts, onDamage);
  if (facts === null) return null;
  const join = async (bytes: Buffer) => (await runInSlices(joinSnapshotPieces<Series>(bytes))).series;
  const series = await readContent(historyFile(dataDir), join, onDamage);
  return { facts, series: series ?? new Map() };
}

async function readContent<Content>(
  file: string,
  read: (bytes: Buffer) => Promise<Content>,
  onDamage: (why: string) => void,
): Promise<Content | null> {
  const content = await readWhole(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') onDamage(`${file} cannot be read: ${error.message}`);
    return null;
  });
  if (content === null) return null;
  const body = content.subarray(headerOf(createHash('sha256')).length);
  if (!content.subarray(0, content.length - body.length).equals(headerOf(createHash('sha256').update(body)))) {
    onDamage(`${file} is damaged or of another version and was not used`);
    return null;
  }
  try {
    const [place = Buffer.alloc(0)] = bytesOfPieces(body);
    return await read(body.subarray(LENGTH_BYTES + place.length));
  } catch (error) {
    onDamage(`${file} is damaged and was not used: ${messageOf(error)}`);
    return null;
  }
}

/** 2,000 stations take 4 MB. A pipe or device in its place would never end. */
const MAX_FILE_BYTES = 200_000_000;

async function readWhole(file: string): Promise<Buffer> {
  const found = await stat(file);
  if (!found.isFile()) throw new Error('it is not a regular file');
  if (found.size > MAX_FILE_BYTES) throw new Error(`it is larger than ${MAX_FILE_BYTES / 1_000_000} MB`);
  return readFile(file);
}

/** Removes the files: their content belongs to another database than the current one. */
export async function deleteLastGood(dataDir: string): Promise<void> {
  for (const file of [factsFile(dataDir), historyFile(dataDir)]) await rm(file, { force: true });
}

/**
 * Whether the file is of a later publication than these facts. The versions of a restored database start again from an
 * earlier number: what it publishes is newer all the same.
 */
async function isLater(file: string, { version, publishedAt }: PublicationPlace): Promise<boolean> {
  const stored = await readPlace(file).catch(() => undefined);
  return stored !== undefined && stored.version > version && (stored.publishedAt ?? 0) >= (publishedAt ?? 0);
}

/** Of which publication the facts are, unchecked; `null` = there are none, or they cannot be read. */
export async function lastGoodPlace(dataDir: string): Promise<PublicationPlace | null> {
  return (await readPlace(factsFile(dataDir)).catch(() => undefined)) ?? null;
}

/** Of which publication a file is, unchecked; `undefined` if it has another format. */
async function readPlace(file: string): Promise<PublicationPlace | undefined> {
  const handle = await open(file, 'r');
  try {
    const firstPieceStart = headerOf(createHash('sha256')).length + LENGTH_BYTES;
    const { buffer: head } = await handle.read(Buffer.alloc(firstPieceStart), 0, firstPieceStart, 0);
    if (!head.toString('latin1').startsWith(`${SNAPSHOT_FORMAT} `)) return undefined;
    const length = head.readUInt32LE(firstPieceStart - LENGTH_BYTES);
    if (length > LONGEST_PLACE) return undefined;
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, firstPieceStart);
    return deserialize(buffer);
  } finally {
    await handle.close();
  }
}

/** Partial files of killed processes: no process writes one for this long. */
async function removeAbandoned(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!/^last-good\.(snapshot|history)\.[0-9a-f]{8}\.part$/.test(name)) continue;
    const partialFile = path.join(dataDir, name);
    const { mtimeMs } = await stat(partialFile).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (Date.now() - mtimeMs > ABANDONED_MS) await rm(partialFile, { force: true });
  }
}

const ABANDONED_MS = 600_000;

const LONGEST_PLACE = 1_024;

/** The first line: its length is fixed, so that it can be written last. */
function headerOf(sum: Hash): Buffer {
  return Buffer.from(`${SNAPSHOT_FORMAT} ${sum.digest('hex')}\n`);
}

/**
 * The last good snapshot on disk, for a start without the database: its facts in one file, and in another the past days
 * of its stations, which few publications change. Facts say which past days are theirs. Each file has a checksum and is
 * renamed into place: a reader finds facts with their own past days, or those of the publication before.
 */
import { createHash, type Hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
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

/** What a file says first: its publication; that of facts also names the publication that brought their past days. */
type FilePlace = PublicationPlace & { readonly history?: PublicationPlace };

const factsFile = (dataDir: string) => path.join(dataDir, 'last-good.snapshot');

/** Past days of different publications have different names: so those of other facts are never taken for them. */
const historyFile = (dataDir: string, { version, publishedAt }: PublicationPlace) =>
  path.join(dataDir, `last-good.history-${version}-${publishedAt ?? 0}`);

/**
 * Replaces the facts, and writes the past days unless those of `history`, the publication that brought them, are there
 * already. It writes past days in pieces, which neither block the event loop nor hold all of them in memory. All
 * processes of one DATA_DIR write these files, so facts of a later publication stay. Rejects when the disk is full;
 * then the files from before are still there.
 */
export async function saveLastGood<Series>(
  dataDir: string,
  { facts, series }: LastGoodSnapshot<Series>,
  history: PublicationPlace = facts,
): Promise<void> {
  const replaced = await lastGoodPlace(dataDir);
  if (isLater(replaced, facts)) return;
  const packed = await packFacts(facts);
  makeDirectory(dataDir);
  const pastDays = historyFile(dataDir, history);
  if (!(await touch(pastDays)))
    await writeAtomically(pastDays, (file) => writePieces(file, withPlace(placeOf(history), seriesPieces(series))));
  const place = { ...placeOf(facts), history: placeOf(history) };
  await writeAtomically(factsFile(dataDir), (file) => writePieces(file, withPlace(place, [packed])), {
    isWanted: async () => !isLater(await lastGoodPlace(dataDir), facts),
  });
  // A process that is starting may have read the facts that were replaced, and look for their past days now.
  await removeAbandoned(dataDir, [history, replaced?.history]);
}

/** Marks a file as in use: other processes do not remove it as abandoned. `false` if it is missing. */
function touch(file: string): Promise<boolean> {
  const now = new Date();
  return utimes(file, now, now).then(
    () => true,
    () => false,
  );
}

/** The place alone, without the facts that have it. */
const placeOf = ({ version, publishedAt }: PublicationPlace): PublicationPlace => ({ version, publishedAt });

function* withPlace(place: FilePlace, content: Iterable<Buffer>): Generator<Buffer> {
  yield pieceOf(place);
  yield* content;
}

async function writePieces(file: string, pieces: Iterable<Buffer>): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    const sum = createHash('sha256');
    // On a full disk `handle.write` writes a part and says how much; `appendFile` writes the rest, or rejects.
    await handle.appendFile(headerOf(sum.copy()));
    for (const bytes of pieces) {
      sum.update(bytes);
      await handle.appendFile(bytes);
    }
    const header = headerOf(sum);
    await handle.write(header, 0, header.length, 0);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Reads the files; `null` if there are no facts. What is damaged, has another format or is missing although it belongs
 * to the facts is left out; then calls `onDamage` with the reason.
 */
export async function readLastGood<Series>(
  dataDir: string,
  onDamage: (why: string) => void,
): Promise<LastGoodSnapshot<Series> | null> {
  const found = await readContent(factsFile(dataDir), unpackFacts, onDamage);
  if (found === null) return null;
  const { content: facts, place } = found;
  const file = historyFile(dataDir, place.history ?? place);
  const join = async (bytes: Buffer) => (await runInSlices(joinSnapshotPieces<Series>(bytes))).series;
  const pastDays = await readContent(file, join, onDamage);
  if (pastDays === null && !existsSync(file)) onDamage(`${file} is missing: past days are unknown`);
  return { facts, series: pastDays?.content ?? new Map() };
}

/** `null` if there is no such file, or it is of no use. */
async function readContent<Content>(
  file: string,
  read: (bytes: Buffer) => Promise<Content>,
  onDamage: (why: string) => void,
): Promise<{ readonly place: FilePlace; readonly content: Content } | null> {
  const whole = await readWhole(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') onDamage(`${file} cannot be read: ${error.message}`);
    return null;
  });
  if (whole === null) return null;
  const body = whole.subarray(headerOf(createHash('sha256')).length);
  if (!whole.subarray(0, whole.length - body.length).equals(headerOf(createHash('sha256').update(body)))) {
    onDamage(`${file} is damaged or of another version and was not used`);
    return null;
  }
  try {
    const [first = Buffer.alloc(0)] = bytesOfPieces(body);
    return { place: deserialize(first), content: await read(body.subarray(LENGTH_BYTES + first.length)) };
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
  await rm(factsFile(dataDir), { force: true });
  for (const name of await filesOf(dataDir)) await rm(path.join(dataDir, name), { force: true });
}

/**
 * Whether what is stored is of a later publication. The versions of a restored database start again from an earlier
 * number: what it publishes is newer all the same.
 */
function isLater(stored: PublicationPlace | null, { version, publishedAt }: PublicationPlace): boolean {
  return stored !== null && stored.version > version && (stored.publishedAt ?? 0) >= (publishedAt ?? 0);
}

/** Of which publication the facts are, unchecked; `null` = there are none, or they cannot be read. */
export async function lastGoodPlace(dataDir: string): Promise<FilePlace | null> {
  return (await readPlace(factsFile(dataDir)).catch(() => undefined)) ?? null;
}

/** Of which publication a file is, unchecked; `undefined` if it has another format. */
async function readPlace(file: string): Promise<FilePlace | undefined> {
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

/**
 * Removes partial files of killed processes, and past days other than `kept`, once no process has written or marked
 * them for so long.
 */
async function removeAbandoned(dataDir: string, kept: readonly (PublicationPlace | undefined)[]): Promise<void> {
  const keptFiles = kept.map((place) => place && historyFile(dataDir, place));
  for (const name of await filesOf(dataDir)) {
    const file = path.join(dataDir, name);
    if (file === factsFile(dataDir) || keptFiles.includes(file)) continue;
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (Date.now() - mtimeMs > ABANDONED_MS) await rm(file, { force: true });
  }
}

/** The names of all files of last good snapshots: also partial ones, and those of other publications. */
async function filesOf(dataDir: string): Promise<string[]> {
  const names = existsSync(dataDir) ? await readdir(dataDir) : [];
  return names.filter((name) => /^last-good\.(snapshot|history(-\d+-\d+)?)(\.[0-9a-f]{8}\.part)?$/.test(name));
}

const ABANDONED_MS = 600_000;

const LONGEST_PLACE = 1_024;

/** The first line: its length is fixed, so that it can be written last. */
function headerOf(sum: Hash): Buffer {
  return Buffer.from(`${SNAPSHOT_FORMAT} ${sum.digest('hex')}\n`);
}

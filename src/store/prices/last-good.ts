/**
 * The last good snapshot on disk, for a start without the database: its facts in one file, and in another the past days
 * of its stations, which few publications change. Each file has a checksum and is renamed into place, and facts name
 * their past days by content: a reader finds the facts of this publication or of the one before, with their own past
 * days.
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

/** The first piece of the facts: their publication, and the digest of their past days. */
type FactsPlace = PublicationPlace & { readonly history: string };

const factsFile = (dataDir: string) => path.join(dataDir, 'last-good.snapshot');
const historyFile = (dataDir: string, digest: string) => path.join(dataDir, `last-good.history-${digest}`);

/**
 * Replaces the facts, and writes their past days unless a file has them; returns the digest of the past days, or `null`
 * where facts of a later publication are there, which stay: all processes of one DATA_DIR write these files. Past days
 * are written in pieces, which neither block the event loop nor are all in memory. Rejects when the disk is full; then
 * the files from before are still there.
 *
 * @param saved what this function returned for the same past days; `null` = they were not saved by this process
 */
export async function saveLastGood<Series>(
  dataDir: string,
  { facts, series }: LastGoodSnapshot<Series>,
  saved: string | null = null,
): Promise<string | null> {
  const packed = await packFacts(facts);
  const digest = saved ?? (await runInSlices(digestOf(seriesPieces(series))));
  makeDirectory(dataDir);
  const replaced = await lastGoodPlace(dataDir);
  if (isLater(replaced, facts)) return null;
  await removeAbandoned(dataDir, [digest, replaced?.history]);
  // A file that this process did not write may be damaged.
  if (saved === null || !(await touch(historyFile(dataDir, digest))))
    await writeAtomically(historyFile(dataDir, digest), (file) => writePieces(file, seriesPieces(series)));
  // A process that is starting may have read the facts that are replaced now, and look for their past days next.
  if (replaced !== null) await touch(historyFile(dataDir, replaced.history));
  const place: FactsPlace = { version: facts.version, publishedAt: facts.publishedAt, history: digest };
  await writeAtomically(factsFile(dataDir), (file) => writePieces(file, [pieceOf(place), packed]), {
    isWanted: async () => !isLater(await lastGoodPlace(dataDir), facts),
  });
  return digest;
}

/** 32 hexadecimal digits that stand for the content of pieces and its format. */
function* digestOf(pieces: Iterable<Buffer>): Generator<void, string> {
  const sum = createHash('sha256').update(SNAPSHOT_FORMAT);
  for (const bytes of pieces) {
    sum.update(bytes);
    yield;
  }
  return sum.digest('hex').slice(0, 32);
}

/** Marks a file as in use: other processes do not remove it as abandoned. `false` if it is missing. */
function touch(file: string): Promise<boolean> {
  const now = new Date();
  return utimes(file, now, now).then(
    () => true,
    () => false,
  );
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
  const readFacts = async (bytes: Buffer) => {
    const { place, content } = withoutPlace(bytes);
    return { history: place.history, facts: await unpackFacts(content) };
  };
  const found = await readContent(factsFile(dataDir), readFacts, onDamage);
  if (found === null) return null;
  const join = async (bytes: Buffer) => (await runInSlices(joinSnapshotPieces<Series>(bytes))).series;
  const onMissing = (file: string) => onDamage(`${file} is missing: past days are unknown`);
  const series = await readContent(historyFile(dataDir, found.history), join, onDamage, onMissing);
  return { facts: found.facts, series: series ?? new Map() };
}

/** `null` if there is no such file, or it is of no use. */
async function readContent<Content>(
  file: string,
  read: (bytes: Buffer) => Promise<Content>,
  onDamage: (why: string) => void,
  onMissing: (file: string) => void = () => undefined,
): Promise<Content | null> {
  const whole = await readWhole(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') onMissing(file);
    else onDamage(`${file} cannot be read: ${error.message}`);
    return null;
  });
  if (whole === null) return null;
  const body = whole.subarray(headerOf(createHash('sha256')).length);
  if (!whole.subarray(0, whole.length - body.length).equals(headerOf(createHash('sha256').update(body)))) {
    onDamage(`${file} is damaged or of another version and was not used`);
    return null;
  }
  try {
    return await read(body);
  } catch (error) {
    onDamage(`${file} is damaged and was not used: ${messageOf(error)}`);
    return null;
  }
}

/** Splits the first piece from the packed facts. Throws if it is not a place. */
function withoutPlace(bytes: Buffer): { readonly place: FactsPlace; readonly content: Buffer } {
  const [first = Buffer.alloc(0)] = bytesOfPieces(bytes);
  const place = toPlace(deserialize(first));
  if (place === null) throw new Error('it does not say which publication it has');
  return { place, content: bytes.subarray(LENGTH_BYTES + first.length) };
}

function toPlace(value: unknown): FactsPlace | null {
  const { version, publishedAt, history } = (value ?? {}) as Partial<FactsPlace>;
  const isTime = publishedAt === null || Number.isInteger(publishedAt);
  return Number.isInteger(version) && isTime && /^[0-9a-f]{32}$/.test(`${history}`) ? (value as FactsPlace) : null;
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
  for (const file of await filesOf(dataDir)) await rm(file, { force: true });
}

/**
 * Whether what is stored is of a later publication. The versions of a restored database start again from an earlier
 * number: what it publishes is newer all the same.
 */
function isLater(stored: PublicationPlace | null, { version, publishedAt }: PublicationPlace): boolean {
  return stored !== null && stored.version > version && (stored.publishedAt ?? 0) >= (publishedAt ?? 0);
}

/**
 * Of which publication the facts are, read without a look at the checksum; `null` = there are none, they have another
 * format, or cannot be read.
 */
export async function lastGoodPlace(dataDir: string): Promise<FactsPlace | null> {
  try {
    const handle = await open(factsFile(dataDir), 'r');
    try {
      const start = headerOf(createHash('sha256')).length + LENGTH_BYTES;
      const { buffer: head } = await handle.read(Buffer.alloc(start), 0, start, 0);
      if (!head.toString('latin1').startsWith(`${SNAPSHOT_FORMAT} `)) return null;
      const length = Math.min(head.readUInt32LE(start - LENGTH_BYTES), LONGEST_PLACE);
      const { buffer } = await handle.read(Buffer.alloc(length), 0, length, start);
      return toPlace(deserialize(buffer));
    } finally {
      await handle.close();
    }
  } catch {
    return null;
  }
}

/**
 * Removes partial files of killed processes, and past days other than `kept` that no process has written or marked for
 * a minute; of a quick succession of them the youngest few stay for that long. What cannot be removed stays.
 */
async function removeAbandoned(dataDir: string, kept: readonly (string | undefined)[]): Promise<void> {
  const keptFiles = [factsFile(dataDir), ...kept.map((digest) => historyFile(dataDir, `${digest}`))];
  const others = (await filesOf(dataDir)).filter((file) => !keptFiles.includes(file));
  const aged = await Promise.all(
    others.map(async (file) => {
      const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Date.now() }));
      return { file, ageMs: Math.abs(Date.now() - mtimeMs), isPartial: file.endsWith('.part') };
    }),
  );
  const partial = aged.filter(({ isPartial, ageMs }) => isPartial && ageMs > PARTIAL_ABANDONED_MS);
  const histories = aged.filter(({ isPartial }) => !isPartial).sort((one, other) => one.ageMs - other.ageMs);
  const old = histories.filter(({ ageMs }, index) => ageMs > HISTORY_ABANDONED_MS || index >= MAX_YOUNG_HISTORIES);
  for (const { file } of [...partial, ...old]) await rm(file, { force: true }).catch(() => undefined);
}

/** All files of last good snapshots: also partial ones, and those of other publications. */
async function filesOf(dataDir: string): Promise<string[]> {
  const names = existsSync(dataDir) ? await readdir(dataDir) : [];
  return names
    .filter((name) => /^last-good\.(snapshot|history(-[0-9a-f-]+)?)(\.[0-9a-f]{8}\.part)?$/.test(name))
    .map((name) => path.join(dataDir, name));
}

/** No process writes a file for this long. */
const PARTIAL_ABANDONED_MS = 600_000;
/** Between past days and the facts that name them, written or read, less time passes. */
const HISTORY_ABANDONED_MS = 60_000;
/** A year of statistics is filled in by publications in quick succession, each with past days of its own. */
const MAX_YOUNG_HISTORIES = 4;

const LONGEST_PLACE = 1_024;

/** The first line: its length is fixed, so that it can be written last. */
function headerOf(sum: Hash): Buffer {
  return Buffer.from(`${SNAPSHOT_FORMAT} ${sum.digest('hex')}\n`);
}

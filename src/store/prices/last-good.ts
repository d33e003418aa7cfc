/**
 * The last good snapshot's facts on disk, for a start without the database. One file with a checksum, renamed into
 * place: a reader finds a complete file or none.
 */
import { createHash, type Hash } from 'node:crypto';
import { open, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { PublishedFacts } from '../../domain/prices/facts.ts';
import { makeDirectory } from '../../files/make-directory.ts';
import { writeAtomically } from '../../files/write-atomically.ts';
import { messageOf } from '../database-errors.ts';

/** The content: the facts of a publication and the past days of each station, as the reader holds them. */
export type LastGoodSnapshot<Series> = { readonly facts: PublishedFacts; readonly series: ReadonlyMap<string, Series> };

/** Increased when the format of the content changes: an older file is then ignored. */
const FORMAT = 'pompa-last-good-4';

function fileOf(dataDir: string): string {
  return path.join(dataDir, 'last-good.snapshot');
}

/**
 * Replaces the file, writing it in pieces, which neither block the event loop nor hold all of it in memory. All
 * processes of one DATA_DIR write it, so a file of a later publication stays.
 */
export async function saveLastGood<Series>(dataDir: string, content: LastGoodSnapshot<Series>): Promise<void> {
  const file = fileOf(dataDir);
  makeDirectory(dataDir);
  const isWanted = async () => !(await isLater(file, content.facts));
  await writeAtomically(file, (temporary) => writeContent(temporary, content), { isWanted });
  await removeAbandoned(dataDir);
}

async function writeContent<Series>(file: string, content: LastGoodSnapshot<Series>): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    const sum = createHash('sha256');
    let at = headerOf(sum.copy()).length;
    for (const piece of chunksOf(content)) {
      const bytes = withLengthPrefix(serialize(piece));
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
 * Reads the file; `null` if there is none, or if it is damaged or has another format (then calls `onDamage` with the
 * reason).
 */
export async function readLastGood<Series>(
  dataDir: string,
  onDamage: (why: string) => void,
): Promise<LastGoodSnapshot<Series> | null> {
  const file = fileOf(dataDir);
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
    return joinChunks(body);
  } catch (error) {
    onDamage(`${file} is damaged and was not used: ${messageOf(error)}`);
    return null;
  }
}

/** 2,000 stations take 10 MB. A pipe or device in its place would never end. */
const MAX_FILE_BYTES = 200_000_000;

async function readWhole(file: string): Promise<Buffer> {
  const found = await stat(file);
  if (!found.isFile()) throw new Error('it is not a regular file');
  if (found.size > MAX_FILE_BYTES) throw new Error(`it is larger than ${MAX_FILE_BYTES / 1_000_000} MB`);
  return readFile(file);
}

/** Removes the file: its content belongs to another database than the current one. */
export async function deleteLastGood(dataDir: string): Promise<void> {
  await rm(fileOf(dataDir), { force: true });
}

/**
 * Whether the file is of a later publication than these facts. The versions of a restored database start again from an
 * earlier number: what it publishes is newer all the same.
 */
async function isLater(file: string, { version, publishedAt }: PublishedFacts): Promise<boolean> {
  const stored = await readStoredFacts(file).catch(() => undefined);
  return stored !== undefined && stored.version > version && (stored.publishedAt ?? 0) >= (publishedAt ?? 0);
}

/** The beginning of the file, unchecked: its facts without their lists; `undefined` if it has another format. */
async function readStoredFacts(file: string): Promise<PublishedFacts | undefined> {
  const handle = await open(file, 'r');
  try {
    const firstChunkStart = headerOf(createHash('sha256')).length + LENGTH_BYTES;
    const { buffer: head } = await handle.read(Buffer.alloc(firstChunkStart), 0, firstChunkStart, 0);
    if (!head.toString('latin1').startsWith(`${FORMAT} `)) return undefined;
    const length = head.readUInt32LE(firstChunkStart - LENGTH_BYTES);
    if (length > LONGEST_FIRST_PIECE) return undefined;
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, firstChunkStart);
    return (deserialize(buffer) as LastGoodChunk<never>).facts;
  } finally {
    await handle.close();
  }
}

/** Partial files of killed processes: no process writes one for this long. */
async function removeAbandoned(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!/^last-good\.snapshot\.[0-9a-f]{8}\.part$/.test(name)) continue;
    const partialFile = path.join(dataDir, name);
    const { mtimeMs } = await stat(partialFile).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (Date.now() - mtimeMs > ABANDONED_MS) await rm(partialFile, { force: true });
  }
}

const ABANDONED_MS = 600_000;

/** A part of the content; the first part has everything but the long lists. */
type LastGoodChunk<Series> = {
  readonly facts?: PublishedFacts;
  readonly stations?: PublishedFacts['stations'];
  readonly prices?: PublishedFacts['prices'];
  readonly series?: readonly (readonly [string, Series])[];
};

/** List items per piece: a few milliseconds of work. */
const CHUNK_ITEMS = 500;

function* chunksOf<Series>({ facts, series }: LastGoodSnapshot<Series>): Generator<LastGoodChunk<Series>> {
  yield { facts: { ...facts, stations: [], prices: [] } };
  for (const stations of slicesOf(facts.stations)) yield { stations };
  for (const prices of slicesOf(facts.prices)) yield { prices };
  for (const entries of slicesOf([...series])) yield { series: entries };
}

function joinChunks<Series>(body: Buffer): LastGoodSnapshot<Series> {
  let facts: PublishedFacts | undefined;
  const stations: PublishedFacts['stations'][number][] = [];
  const prices: PublishedFacts['prices'][number][] = [];
  const series = new Map<string, Series>();
  for (let at = 0; at < body.length; ) {
    const end = at + LENGTH_BYTES + body.readUInt32LE(at);
    if (end > body.length) throw new Error('it ends within a piece');
    const piece = deserialize(body.subarray(at + LENGTH_BYTES, end)) as LastGoodChunk<Series>;
    facts ??= piece.facts;
    stations.push(...(piece.stations ?? []));
    prices.push(...(piece.prices ?? []));
    for (const [id, own] of piece.series ?? []) series.set(id, own);
    at = end;
  }
  if (facts === undefined) throw new Error('it has no facts');
  return { facts: { ...facts, stations, prices }, series };
}

function* slicesOf<T>(list: readonly T[]): Generator<T[]> {
  for (let from = 0; from < list.length; from += CHUNK_ITEMS) yield list.slice(from, from + CHUNK_ITEMS);
}

const LENGTH_BYTES = 4;
/** The facts without their lists take a few hundred bytes, depending on the number of sources. */
const LONGEST_FIRST_PIECE = 65_536;

/** The bytes, preceded by their length. */
function withLengthPrefix(bytes: Buffer): Buffer {
  const whole = Buffer.allocUnsafe(LENGTH_BYTES + bytes.length);
  whole.writeUInt32LE(bytes.length);
  bytes.copy(whole, LENGTH_BYTES);
  return whole;
}

/** The first line: its length is fixed, so that it can be written last. */
function headerOf(sum: Hash): Buffer {
  return Buffer.from(`${FORMAT} ${sum.digest('hex')}\n`);
}

/**
 * The last good snapshot's facts on disk, for a start without the database. One file, checksummed, renamed into place:
 * a reader finds a whole one or none.
 */
import { createHash, type Hash, randomUUID } from 'node:crypto';
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { Facts } from '../../domain/prices/facts.ts';
import { makeFolder } from '../../files/make-directory.ts';

/** What is kept: the facts of a publication and the past days of each station, as the reader holds them. */
export type LastGood<Series> = { readonly facts: Facts; readonly series: ReadonlyMap<string, Series> };

/** Raised when the form of the content changes: an older file is then no file. */
const FORMAT = 'pompa-last-good-4';

function fileOf(dataDir: string): string {
  return path.join(dataDir, 'last-good.snapshot');
}

/**
 * Writes the file whole, piece by piece: neither the event loop nor memory has to bear all of it at once. Processes of
 * one DATA_DIR all write it: what is there of a later publication stays.
 */
export async function saveLastGood<Series>(dataDir: string, content: LastGood<Series>): Promise<void> {
  const file = fileOf(dataDir);
  const temporary = `${file}.${randomUUID().slice(0, 8)}.part`;
  try {
    makeFolder(dataDir);
    const handle = await open(temporary, 'wx', 0o600);
    try {
      const sum = createHash('sha256');
      let at = headerOf(sum.copy()).length;
      for (const piece of piecesOf(content)) {
        const bytes = framed(serialize(piece));
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
    if (await isLater(file, content.facts)) await rm(temporary, { force: true });
    else await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await removeAbandoned(dataDir);
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
  const body = content.subarray(headerOf(createHash('sha256')).length);
  if (!content.subarray(0, content.length - body.length).equals(headerOf(createHash('sha256').update(body)))) {
    onDamage(`${file} is damaged or of another version and was not used`);
    return null;
  }
  return joined(body);
}

/** Removes the file: what it says is of another database than the present one. */
export async function forgetLastGood(dataDir: string): Promise<void> {
  await rm(fileOf(dataDir), { force: true });
}

/**
 * Whether the file is of a later publication than these facts. A database that was restored counts from further back:
 * what it publishes then is newer all the same.
 */
async function isLater(file: string, { version, publishedAt }: Facts): Promise<boolean> {
  const kept = await keptFacts(file).catch(() => undefined);
  return kept !== undefined && kept.version > version && (kept.publishedAt ?? 0) >= (publishedAt ?? 0);
}

/** What the file says first, unchecked: its facts without their lists; `undefined` where it is of another form. */
async function keptFacts(file: string): Promise<Facts | undefined> {
  const handle = await open(file, 'r');
  try {
    const begin = headerOf(createHash('sha256')).length + LENGTH_BYTES;
    const { buffer: head } = await handle.read(Buffer.alloc(begin), 0, begin, 0);
    if (!head.toString('latin1').startsWith(`${FORMAT} `)) return undefined;
    const length = head.readUInt32LE(begin - LENGTH_BYTES);
    if (length > LONGEST_FIRST_PIECE) return undefined;
    const { buffer: piece } = await handle.read(Buffer.alloc(length), 0, length, begin);
    return (deserialize(piece) as Piece<never>).facts;
  } finally {
    await handle.close();
  }
}

/** Half-written files of processes that were killed. Nobody writes at one for so long. */
async function removeAbandoned(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!/^last-good\.snapshot\.[0-9a-f]{8}\.part$/.test(name)) continue;
    const half = path.join(dataDir, name);
    const { mtimeMs } = await stat(half).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (Date.now() - mtimeMs > ABANDONED_MS) await rm(half, { force: true });
  }
}

const ABANDONED_MS = 600_000;

/** A part of the content; the first one has everything that is no long list. */
type Piece<Series> = {
  readonly facts?: Facts;
  readonly stations?: Facts['stations'];
  readonly prices?: Facts['prices'];
  readonly series?: readonly (readonly [string, Series])[];
};

/** Items of a list in one piece: a few milliseconds of work. */
const PIECE = 500;

function* piecesOf<Series>({ facts, series }: LastGood<Series>): Generator<Piece<Series>> {
  yield { facts: { ...facts, stations: [], prices: [] } };
  for (const stations of slices(facts.stations)) yield { stations };
  for (const prices of slices(facts.prices)) yield { prices };
  for (const some of slices([...series])) yield { series: some };
}

function joined<Series>(body: Buffer): LastGood<Series> {
  let facts: Facts | undefined;
  const stations: Facts['stations'][number][] = [];
  const prices: Facts['prices'][number][] = [];
  const series = new Map<string, Series>();
  for (let at = 0; at < body.length; ) {
    const end = at + LENGTH_BYTES + body.readUInt32LE(at);
    const piece = deserialize(body.subarray(at + LENGTH_BYTES, end)) as Piece<Series>;
    facts ??= piece.facts;
    stations.push(...(piece.stations ?? []));
    prices.push(...(piece.prices ?? []));
    for (const [id, own] of piece.series ?? []) series.set(id, own);
    at = end;
  }
  return { facts: { ...(facts as Facts), stations, prices }, series };
}

function* slices<T>(list: readonly T[]): Generator<T[]> {
  for (let from = 0; from < list.length; from += PIECE) yield list.slice(from, from + PIECE);
}

const LENGTH_BYTES = 4;
/** The facts without their lists are a few hundred bytes, with a source more or less. */
const LONGEST_FIRST_PIECE = 65_536;

/** The bytes with their length in front. */
function framed(bytes: Buffer): Buffer {
  const whole = Buffer.allocUnsafe(LENGTH_BYTES + bytes.length);
  whole.writeUInt32LE(bytes.length);
  bytes.copy(whole, LENGTH_BYTES);
  return whole;
}

/** The first line: always of one length, so that it can be written last. */
function headerOf(sum: Hash): Buffer {
  return Buffer.from(`${FORMAT} ${sum.digest('hex')}\n`);
}

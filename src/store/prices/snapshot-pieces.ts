/**
 * What a snapshot is built from, as pieces of bytes: each a part of a list, serialised and preceded by its length, so
 * that neither writing nor reading holds up the event loop.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { DefaultSerializer, deserialize } from 'node:v8';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { runInSlices } from '../../concurrency/in-slices.ts';
import type { PublishedFacts } from '../../domain/prices/facts.ts';
import { addPricesOf, type PriceColumns, toPriceColumns } from './price-columns.ts';

/**
 * Increased when what is stored in a file or in the database changes, or how it is derived from the rows
 * (`describeStations`, `toKnownPrice`): what has another format is ignored. Followers have `PUBLICATION_FORMAT`, which
 * changes with the pieces.
 */
export const SNAPSHOT_FORMAT = 'pompa-last-good-7';

/** A part of the content; the first one of facts has all but the long lists, and the number of pieces of stations. */
type SnapshotPiece<Series> = {
  readonly facts?: PublishedFacts;
  readonly stationPieces?: number;
  readonly stations?: Stations;
  readonly prices?: PriceColumns;
  readonly series?: readonly (readonly [string, Series])[];
};

/** List items per piece: a few milliseconds of work. */
const ITEMS = 500;
export const LENGTH_BYTES = 4;

export function* factPieces(facts: PublishedFacts): Generator<Buffer, void, void> {
  const stationPieces = Math.ceil(facts.stations.length / ITEMS);
  yield pieceOf({ facts: { ...facts, stations: [], prices: [] }, stationPieces } satisfies SnapshotPiece<never>);
  for (const stations of slicesOf(facts.stations)) yield pieceOf({ stations } satisfies SnapshotPiece<never>);
  for (const prices of slicesOf(facts.prices))
    yield pieceOf({ prices: toPriceColumns(prices) } satisfies SnapshotPiece<never>);
}

export function* seriesPieces<Series>(series: ReadonlyMap<string, Series>): Generator<Buffer, void, void> {
  for (const entries of slicesOf([...series])) yield pieceOf({ series: entries } satisfies SnapshotPiece<Series>);
}

type Stations = PublishedFacts['stations'];

/** The stations of each piece read last, by its digest, kept for the next reading: most change prices alone. */
let lastStations: ReadonlyMap<string, Stations> = new Map();

/**
 * Joins the pieces of `factPieces` and `seriesPieces`, in the order in which they were made. Stations of a piece
 * that was read the last time, too, are the same objects. Throws if the pieces are others than the first one says.
 */
export function* joinSnapshotPieces<Series>(
  bytes: Buffer,
): Generator<void, { facts: PublishedFacts | null; series: Map<string, Series> }, void> {
  const [first, ...others] = [...bytesOfPieces(bytes)];
  const { facts = null, stationPieces = 0, ...head } = first === undefined ? {} : read<SnapshotPiece<Series>>(first);
  const stations = yield* joinStations(others.slice(0, stationPieces));
  const prices: PublishedFacts['prices'][number][] = [];
  const texts = new Map<string, string>();
  const series = new Map<string, Series>(head.series);
  for (const own of others.slice(stationPieces)) {
    yield;
    const piece = read<SnapshotPiece<Series>>(own);
    if (piece.stations !== undefined) throw new Error('it has more stations than it says');
    if (piece.prices !== undefined) addPricesOf(piece.prices, texts, prices);
    for (const [id, each] of piece.series ?? []) series.set(id, each);
  }
  return { facts: facts && { ...facts, stations, prices }, series };
}

function* joinStations(pieces: readonly Buffer[]): Generator<void, Stations, void> {
  const all: Stations[number][] = [];
  const byDigest = new Map<string, Stations>();
  for (const piece of pieces) {
    yield;
    const digest = createHash('sha256').update(piece).digest('hex');
    const stations = lastStations.get(digest) ?? read<SnapshotPiece<never>>(piece).stations;
    if (stations === undefined) throw new Error('it has fewer stations than it says');
    byDigest.set(digest, stations);
    all.push(...stations);
  }
  if (pieces.length > 0) lastStations = byDigest;
  return all;
}

/** One piece: what is to be stored, preceded by its length. */
export function pieceOf(content: unknown): Buffer {
  const serializer = new DefaultSerializer();
  serializer.writeRawBytes(Buffer.alloc(LENGTH_BYTES));
  serializer.writeHeader();
  serializer.writeValue(content);
  const whole = serializer.releaseBuffer();
  whole.writeUInt32LE(whole.length - LENGTH_BYTES);
  return whole;
}

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
const MAX_UNPACKED_BYTES = 1_000_000_000;
/** Pieces unpack to 20 times their bytes at most; few may have more. */
const MAX_RATIO = 50;
const SMALL_BYTES = 64_000_000;
/** 6,000 prices fit into one; each chunk takes a turn of the thread pool and of the event loop. */
const UNPACKED_CHUNK_BYTES = 1_048_576;

/** Makes the pieces in slices of work and compresses them all together, with a checksum. */
export async function packPieces(pieces: Generator<Buffer, void, void>): Promise<Buffer> {
  const whole = Buffer.concat(await runInSlices(collected(pieces)));
  return compress(whole, { params: { [constants.ZSTD_c_checksumFlag]: 1 } });
}

/** Rejects if the bytes are damaged, or unpack to more than any publication has. */
export function unpackPieces(bytes: Buffer): Promise<Buffer> {
  const maxOutputLength = Math.min(MAX_UNPACKED_BYTES, Math.max(SMALL_BYTES, MAX_RATIO * bytes.length));
  return decompress(bytes, { maxOutputLength, chunkSize: UNPACKED_CHUNK_BYTES });
}

function* collected(pieces: Generator<Buffer, void, void>): Generator<void, Buffer[], void> {
  const all: Buffer[] = [];
  for (const piece of pieces) {
    all.push(piece);
    yield;
  }
  return all;
}

/** What each of the pieces has stored, one after another. Throws if they are cut off or are none. */
export function* piecesIn<Piece>(bytes: Buffer): Generator<Piece, void, void> {
  for (const piece of bytesOfPieces(bytes)) yield read(piece);
}

const read = <Piece>(piece: Buffer): Piece => deserialize(piece);

/** The bytes of each piece, without its length. Throws if they are cut off or are none. */
export function* bytesOfPieces(bytes: Buffer): Generator<Buffer, void, void> {
  for (let at = 0; at < bytes.length; ) {
    if (at + LENGTH_BYTES > bytes.length) throw new Error('it ends within a piece');
    const end = at + LENGTH_BYTES + bytes.readUInt32LE(at);
    if (end > bytes.length) throw new Error('it ends within a piece');
    yield bytes.subarray(at + LENGTH_BYTES, end);
    at = end;
  }
}

function* slicesOf<T>(list: readonly T[]): Generator<T[]> {
  for (let from = 0; from < list.length; from += ITEMS) yield list.slice(from, from + ITEMS);
}

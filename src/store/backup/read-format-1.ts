/**
 * Reads backups of versions before the archive: the line `pompa-backup 1`, pieces within zstd, and the SHA-256 of all
 * that. A piece is a letter, the length of what follows, and that: JSON or rows.
 */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { Contents, Readable, TableHead, TableRows } from './contents.ts';
import { parseContents } from './parse-manifest.ts';
import { damaged } from './refusals.ts';
import { asDamage, read, unpack } from './unpack.ts';

export const FORMAT_1 = Buffer.from('pompa-backup 1\n');

const SUM_BYTES = 32;
/** A letter and the length of what follows. */
const HEAD_BYTES = 5;
const LONGEST_PIECE = 4_000_000;
const ORIGIN = 'O';
const TABLE = 'T';
const ROWS = 'R';
const END = 'E';
const ENDING = 'Z';

type Piece = { readonly kind: string; readonly content: Buffer };

/** Verifies the checksum and that nothing is missing. Rejects with `BadContent`. */
export async function openFormat1(file: FileHandle, bytes: number): Promise<Readable> {
  await verifyChecksum(file, bytes);
  const contents = await readContents(readPieces(file, bytes));
  return { contents, rows: () => rowsOf(readPieces(file, bytes)) };
}

async function verifyChecksum(file: FileHandle, bytes: number): Promise<void> {
  const end = bytes - SUM_BYTES;
  if (end <= FORMAT_1.length) damaged('it ends too early');
  const sum = createHash('sha256');
  for await (const chunk of read(file, 0, end)) sum.update(chunk);
  const { buffer: written } = await file.read(Buffer.alloc(SUM_BYTES), 0, SUM_BYTES, end);
  if (!sum.digest().equals(written)) damaged('its checksum is wrong, so it was cut off or changed');
}

/** The origin, each table between its head and its end, the ending. */
async function readContents(pieces: AsyncIterable<Piece>): Promise<Contents> {
  const kinds: string[] = [];
  const tables: object[] = [];
  let origin = {};
  let head = {};
  let ending: { tables?: number } = {};
  for await (const { kind, content } of pieces) {
    if (kind !== ROWS) kinds.push(kind);
    else if (kinds.at(-1) !== TABLE) damaged('rows belong to no table');
    if (kind === ORIGIN) origin = parse(content);
    if (kind === TABLE) head = parse(content);
    if (kind === END) tables.push({ ...head, ...parse(content) });
    if (kind === ENDING) ending = parse(content);
  }
  if (!/^O(TE)*Z$/.test(kinds.join(''))) damaged('its pieces are not in order, or its end is missing');
  if (ending.tables !== tables.length) damaged('tables are missing');
  return parseContents({ ...ending, ...origin, tables });
}

async function* rowsOf(pieces: AsyncIterable<Piece>): AsyncGenerator<TableRows, void, void> {
  let table = '';
  for await (const { kind, content } of pieces) {
    if (kind === TABLE) table = (parse(content) as TableHead).table;
    if (kind === ROWS) yield { table, bytes: content };
  }
}

function parse(content: Buffer): object {
  try {
    return Object(JSON.parse(content.toString()));
  } catch {
    return damaged('a piece of it cannot be read');
  }
}

async function* readPieces(file: FileHandle, bytes: number): AsyncGenerator<Piece, void, void> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of content(file, bytes)) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    while (rest.length - at >= HEAD_BYTES) {
      const length = rest.readUInt32BE(at + 1);
      if (length > LONGEST_PIECE) damaged('a piece of it is too long');
      const end = at + HEAD_BYTES + length;
      if (rest.length < end) break;
      yield { kind: rest.toString('latin1', at, at + 1), content: rest.subarray(at + HEAD_BYTES, end) };
      at = end;
    }
    rest = rest.subarray(at);
  }
  if (rest.length > 0) damaged('it ends within a piece');
}

async function* content(file: FileHandle, bytes: number): AsyncGenerator<Buffer, void, void> {
  try {
    yield* unpack(file, FORMAT_1.length, bytes - SUM_BYTES);
  } catch (error) {
    throw asDamage(error, '');
  }
}

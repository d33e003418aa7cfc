/**
 * Reads backups of the format before the archive: the line `pompa-backup 1`, zstd-compressed sections, and their
 * common SHA-256. A section is a letter, the length of its content, and the content: JSON or rows.
 */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { tryParseJsonBytes } from '../../json/try-parse-json.ts';
import { damaged } from './backup-refusals.ts';
import type { BackupReader, Contents, TableHead, TableRows } from './contents.ts';
import { parseContents } from './parse-manifest.ts';
import { asDamage, maxUnpackedBytes, read, unpack } from './unpack.ts';

export const FORMAT_1 = Buffer.from('pompa-backup 1\n');

const SUM_BYTES = 32;
/** The letter and the length. */
const HEAD_BYTES = 5;
const MAX_SECTION_BYTES = 4_000_000;
/** For a section of JSON. */
const MAX_DESCRIPTION_BYTES = 64_000;
const MAX_TABLES = 1_000;
const ORIGIN = 'O';
const TABLE = 'T';
const ROWS = 'R';
const END = 'E';
const ENDING = 'Z';
/** The kinds that may follow each kind: the origin, each table from its head to its end, the ending. */
const NEXT: Readonly<Record<string, string>> = {
  '': ORIGIN,
  [ORIGIN]: TABLE + ENDING,
  [TABLE]: ROWS + END,
  [ROWS]: ROWS + END,
  [END]: TABLE + ENDING,
  [ENDING]: '',
};

type Section = { readonly kind: string; readonly content: Buffer };

/** Verifies the checksum, and that nothing is missing. Rejects with `BadContent`. */
export async function openFormat1(file: FileHandle, bytes: number): Promise<BackupReader> {
  await verifyChecksum(file, bytes);
  const { contents, unpackedBytes } = await readContents(readSections(file, bytes));
  return { contents, unpackedBytes, rows: () => rowsOf(readSections(file, bytes)) };
}

async function verifyChecksum(file: FileHandle, bytes: number): Promise<void> {
  const end = bytes - SUM_BYTES;
  if (end <= FORMAT_1.length) damaged('it ends too early');
  const sum = createHash('sha256');
  for await (const chunk of read(file, 0, end)) sum.update(chunk);
  const { buffer: written } = await file.read(Buffer.alloc(SUM_BYTES), 0, SUM_BYTES, end);
  if (!sum.digest().equals(written)) damaged('its checksum is wrong, so it was cut off or changed');
}

type Description = Readonly<Record<string, unknown>>;

async function readContents(sections: AsyncIterable<Section>): Promise<{ contents: Contents; unpackedBytes: number }> {
  const tables: Description[] = [];
  const said: Record<string, Description> = {};
  let before = '';
  let unpackedBytes = 0;
  for await (const { kind, content } of sections) {
    refuseDisorder(before, kind);
    before = kind;
    if (kind === ROWS) unpackedBytes += content.length;
    else said[kind] = parse(content);
    if (kind === END && tables.push({ ...said[TABLE], ...said[END] }) > MAX_TABLES) damaged('it has too many tables');
  }
  if (before !== ENDING) damaged(DISORDER);
  const { [ORIGIN]: origin, [ENDING]: ending } = said;
  if (ending?.tables !== tables.length) damaged('tables are missing');
  return { contents: parseContents({ ...ending, ...origin, tables }), unpackedBytes };
}

const DISORDER = 'its pieces are not in order, or its end is missing';

function refuseDisorder(before: string, kind: string): void {
  if (NEXT[before]?.includes(kind)) return;
  damaged(kind === ROWS ? 'rows belong to no table' : DISORDER);
}

async function* rowsOf(sections: AsyncIterable<Section>): AsyncGenerator<TableRows, void, void> {
  let table = '';
  for await (const { kind, content } of sections) {
    if (kind === TABLE) ({ table } = parse(content) as TableHead);
    if (kind === ROWS) yield { table, bytes: content };
  }
}

function parse(content: Buffer): Description {
  const value = tryParseJsonBytes(content);
  if (value === undefined) damaged('a piece of it cannot be read');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) damaged('a piece of it is not an object');
  return value as Description;
}

/** Reads the sections, those of rows in parts, so that it never holds a large one. */
async function* readSections(file: FileHandle, bytes: number): AsyncGenerator<Section, void, void> {
  let rest: Buffer = Buffer.alloc(0);
  let rowBytes = 0;
  for await (const chunk of content(file, bytes)) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      if (rowBytes > 0 && rest.length > 0) yield { kind: ROWS, content: rest.subarray(0, rowBytes) };
      const skipped = Math.min(rowBytes, rest.length);
      rest = rest.subarray(skipped);
      rowBytes -= skipped;
      if (rowBytes > 0 || rest.length < HEAD_BYTES) break;
      const { kind, length } = headOf(rest);
      const end = kind === ROWS ? HEAD_BYTES : HEAD_BYTES + length;
      if (rest.length < end) break;
      if (kind === ROWS) rowBytes = length;
      else yield { kind, content: rest.subarray(HEAD_BYTES, end) };
      rest = rest.subarray(end);
    }
  }
  if (rest.length + rowBytes > 0) damaged('it ends within a piece');
}

function headOf(section: Buffer): { kind: string; length: number } {
  const kind = section.toString('latin1', 0, 1);
  const length = section.readUInt32BE(1);
  if (length > (kind === ROWS ? MAX_SECTION_BYTES : MAX_DESCRIPTION_BYTES)) damaged('a piece of it is too long');
  return { kind, length };
}

async function* content(file: FileHandle, bytes: number): AsyncGenerator<Buffer, void, void> {
  try {
    let unpacked = 0;
    for await (const chunk of unpack(file, FORMAT_1.length, bytes - SUM_BYTES)) {
      unpacked += chunk.length;
      if (unpacked > maxUnpackedBytes(bytes)) damaged(`it unpacks to more than a file of ${bytes} bytes can hold`);
      yield chunk;
    }
  } catch (error) {
    throw asDamage(error, '');
  }
}

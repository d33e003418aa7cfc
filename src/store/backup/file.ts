/**
 * A backup as a file: one line that says what it is, the pieces compressed with zstd, and the SHA-256 of all that. It is
 * written beside its place and linked there when it is whole: a reader finds all of it or nothing.
 */
import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, link, lstat, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { codeOf, messageOf } from '../database-errors.ts';
import { BadContent, decode, type Ending, encode, type Origin, type Piece, type TableHead } from './pieces.ts';

/** The file cannot be written or read, or is no backup that can be used: one sentence. */
export class BackupRefused extends Error {}

/** What a verified backup holds. */
type Contents = {
  readonly origin: Origin;
  readonly tables: readonly (TableHead & { readonly rows: number })[];
  readonly sequences: Ending['sequences'];
  /** Size of the file. */
  readonly bytes: number;
};

/** An open file whose every byte was checked. */
export type Backup = {
  readonly contents: Contents;
  /** Its pieces, read and held against their digests again. */
  pieces(): AsyncIterable<Piece>;
  close(): Promise<void>;
};

const NAME = 'pompa-backup';
const FORMAT = 1;
const FIRST_LINE = Buffer.from(`${NAME} ${FORMAT}\n`);
const SUM_BYTES = 32;
const READ_BYTES = 1_000_000;
const CHUNK_BYTES = 262_144;

/**
 * Writes a new file that only its owner can read; gives its size. Rejects with `BackupRefused` where there is a file
 * already or none can be written; whatever fails, nothing is left behind.
 */
export async function writeBackup(file: string, pieces: AsyncIterable<Piece>, signal: AbortSignal): Promise<number> {
  await refuseTaken(file);
  const temporary = `${file}.${randomUUID().slice(0, 8)}.part`;
  const handle = await open(temporary, 'wx', 0o600).catch((error) => unwritable(file, error));
  try {
    const bytes = await fill(handle, file, pieces, signal).finally(() => handle.close());
    await put(temporary, file);
    return bytes;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function fill(handle: FileHandle, file: string, pieces: AsyncIterable<Piece>, signal: AbortSignal) {
  const sum = createHash('sha256');
  let bytes = 0;
  const write = async (chunk: Buffer) => {
    await handle.writeFile(chunk).catch((error) => unwritable(file, error));
    bytes += chunk.length;
  };
  const writeSummed = (chunk: Buffer) => {
    sum.update(chunk);
    return write(chunk);
  };
  await writeSummed(FIRST_LINE);
  const encoded = Readable.from(encodeAll(pieces), { objectMode: false });
  await pipeline(
    encoded,
    createZstdCompress({ chunkSize: CHUNK_BYTES }),
    async (packed: AsyncIterable<Buffer>) => {
      for await (const chunk of packed) await writeSummed(chunk);
    },
    { signal },
  );
  await write(sum.digest());
  await handle.sync().catch((error) => unwritable(file, error));
  return bytes;
}

async function* encodeAll(pieces: AsyncIterable<Piece>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) yield* encode(piece);
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

const WHY: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EFBIG: 'files may not be so large',
  EACCES: 'it is not permitted',
  EPERM: 'it is not permitted',
  EROFS: 'the file system can only be read',
  ENOTDIR: 'its folder is none',
  EISDIR: 'it is a folder',
};

function because(error: unknown, absent: string): string {
  const code = codeOf(error) ?? '';
  return code === 'ENOENT' ? absent : (WHY[code] ?? messageOf(error));
}

function unwritable(file: string, error: unknown): never {
  throw new BackupRefused(`${file} cannot be written: ${because(error, 'its folder does not exist')}`);
}

/** Opens a backup and checks all of it. Rejects with `BackupRefused` where it is none, damaged, or of another format. */
export async function openBackup(file: string): Promise<Backup> {
  const found = await stat(file).catch((error) => unreadable(file, error));
  if (!found.isFile()) throw new BackupRefused(`${file} cannot be read: it is no regular file`);
  const handle = await open(file, 'r').catch((error) => unreadable(file, error));
  try {
    const bytes = await checkSum(handle, file);
    const pieces = () => decode(unpacked(handle, bytes));
    const contents = { ...(await survey(pieces())), bytes };
    return { contents, pieces, close: () => handle.close() };
  } catch (error) {
    await handle.close();
    if (error instanceof BackupRefused) throw error;
    if (error instanceof BadContent) damaged(file, error.message);
    if (/^(ERR|Z)/.test(codeOf(error) ?? '')) damaged(file, 'it cannot be unpacked');
    unreadable(file, error);
  }
}

function unreadable(file: string, error: unknown): never {
  throw new BackupRefused(`${file} cannot be read: ${because(error, 'there is no such file')}`);
}

function damaged(file: string, how: string): never {
  throw new BackupRefused(`${file} is damaged and nothing of it was used: ${how}`);
}

/** Gives the size of the file, whose sum is right. */
async function checkSum(handle: FileHandle, file: string): Promise<number> {
  await checkFirstLine(handle, file);
  const { size } = await handle.stat();
  const end = size - SUM_BYTES;
  if (end <= FIRST_LINE.length) damaged(file, 'it ends too early');
  const sum = createHash('sha256');
  for await (const chunk of read(handle, 0, end)) sum.update(chunk);
  const { buffer: told } = await handle.read(Buffer.alloc(SUM_BYTES), 0, SUM_BYTES, end);
  if (!sum.digest().equals(told)) damaged(file, 'its checksum is wrong, so it was cut off or changed');
  return size;
}

async function checkFirstLine(handle: FileHandle, file: string): Promise<void> {
  const { buffer } = await handle.read(Buffer.alloc(FIRST_LINE.length), 0, FIRST_LINE.length, 0);
  if (buffer.equals(FIRST_LINE)) return;
  const format = new RegExp(`^${NAME} (\\d{1,3})\n?`).exec(buffer.toString('latin1'))?.[1];
  if (format === undefined || Number(format) <= FORMAT) {
    throw new BackupRefused(`${file} is no backup of Pompa: such a file begins with "${NAME} ${FORMAT}"`);
  }
  throw new BackupRefused(
    `${file} is a backup of format ${format} of a newer Pompa, and this one reads ${FORMAT}: use the newer version`,
  );
}

async function* read(handle: FileHandle, from: number, to: number): AsyncGenerator<Buffer, void, void> {
  for (let at = from; at < to; ) {
    const wanted = Math.min(READ_BYTES, to - at);
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(wanted), 0, wanted, at);
    if (bytesRead === 0) throw new BadContent('it has become shorter meanwhile');
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

async function* unpacked(handle: FileHandle, size: number): AsyncGenerator<Buffer, void, void> {
  const packed = Readable.from(read(handle, FIRST_LINE.length, size - SUM_BYTES), { objectMode: false });
  const plain = createZstdDecompress({ chunkSize: CHUNK_BYTES });
  packed.on('error', (error) => plain.destroy(error));
  try {
    yield* packed.pipe(plain);
  } finally {
    packed.destroy();
    plain.destroy();
  }
}

async function survey(pieces: AsyncIterable<Piece>): Promise<Omit<Contents, 'bytes'>> {
  const tables: (TableHead & { rows: number })[] = [];
  let origin: Origin | undefined;
  let sequences: Ending['sequences'] = [];
  let head: TableHead | undefined;
  for await (const { kind, value } of pieces) {
    if (kind === 'origin') origin = value;
    if (kind === 'table') head = value;
    if (kind === 'end') tables.push({ ...(head as TableHead), rows: value.rows });
    if (kind === 'ending') sequences = value.sequences;
  }
  return { origin: origin as Origin, tables, sequences };
}

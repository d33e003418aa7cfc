/**
 * Reads a backup that is a tar archive compressed with zstd. Its manifest lists every member, and nothing else is
 * unpacked: no name or size in a hostile file has an effect outside this module.
 */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { Readable as Stream } from 'node:stream';
import { text } from 'node:stream/consumers';
import { extract, type Header } from 'tar-stream';
import { codeOf } from '../database-errors.ts';
import { MANIFEST_NAME, type Manifest, type Member } from './backup-manifest.ts';
import { BadContent, damaged, noBackup } from './backup-refusals.ts';
import type { BackupReader, TableRows } from './contents.ts';
import { parseManifest, quoted } from './parse-manifest.ts';
import { asDamage, maxUnpackedBytes, unpack } from './unpack.ts';

type Entry = AsyncIterable<Buffer> & { readonly header: Header; resume(): void };

/** Parsed JSON takes up to 20 times its size in memory. */
const MAX_MANIFEST_BYTES = 2_000_000;
/** `backup` writes about 4 MB each, up to the end of a row. The reader of tar holds large headers in memory. */
const MAX_MEMBER_BYTES = 16_000_000;
/** For bytes that are unpacked ahead, and the end of the archive. */
const SLACK_BYTES = 1_000_000;
/** A header, and the padding of the last block. */
const HEADER_BYTES = 1_024;

/** Verifies every member. Rejects with `BadContent` if the archive is damaged or not a backup. */
export async function openArchive(file: FileHandle, bytes: number): Promise<BackupReader> {
  const manifest = await readManifest(file, bytes);
  const rows = () => readRows(file, bytes, manifest);
  for await (const _ of rows());
  return { contents: manifest, unpackedBytes: sizeOf(membersOf(manifest)), rows };
}

async function readManifest(file: FileHandle, bytes: number): Promise<Manifest> {
  try {
    for await (const entry of new ArchiveReader(file, bytes).entries()) {
      const { name, size } = entry.header;
      if (name !== MANIFEST_NAME) noBackup();
      if (size > MAX_MANIFEST_BYTES) damaged(`its ${MANIFEST_NAME} is larger than ${MAX_MANIFEST_BYTES} bytes`);
      const manifest = parseManifest(await text(entry));
      refuseBomb(manifest, bytes);
      return manifest;
    }
  } catch (error) {
    // An error of tar has no code: what was unpacked is not an archive.
    if (error instanceof BadContent || codeOf(error) !== undefined) throw asDamage(error, ` at ${MANIFEST_NAME}`);
  }
  return noBackup();
}

function refuseBomb(manifest: Manifest, bytes: number): void {
  const members = membersOf(manifest);
  const total = sizeOf(members);
  if (total > maxUnpackedBytes(bytes)) {
    damaged(`its members would be ${total} bytes, more than a file of ${bytes} bytes can hold`);
  }
  const large = members.find((member) => member.bytes > MAX_MEMBER_BYTES);
  if (large !== undefined) damaged(`its member ${large.name} would be ${large.bytes} bytes, more than any backup has`);
}

function sizeOf(members: readonly Member[]): number {
  return members.reduce((sum, { bytes }) => sum + bytes, 0);
}

type TableMember = Member & { readonly table: string };

function membersOf({ tables }: Manifest): TableMember[] {
  return tables.flatMap(({ table, members }) => members.map((member) => ({ ...member, table })));
}

async function* readRows(file: FileHandle, bytes: number, manifest: Manifest): AsyncGenerator<TableRows, void, void> {
  const members = membersOf(manifest);
  const reader = new ArchiveReader(file, bytes);
  let next = -1;
  try {
    for await (const entry of reader.entries()) {
      const member = members[next];
      if (next === -1) entry.resume();
      else yield* verifiedRows(entry, checkMember(entry, member, members));
      next += 1;
      reader.allow(members[next]?.bytes ?? 0);
    }
  } catch (error) {
    throw asDamage(error, ` at ${members[next]?.name ?? 'its end'}`);
  }
  const missing = members[next];
  if (missing !== undefined) damaged(`its member ${missing.name} is missing`);
}

function checkMember({ header }: Entry, wanted: TableMember | undefined, all: readonly Member[]): TableMember {
  const { name, type, size } = header;
  if (wanted === undefined || name !== wanted.name) {
    if (all.some((member) => member.name === name)) damaged(`its member ${name} is not in order`);
    return damaged(`it has a member ${quoted(name)}, which its manifest does not name`);
  }
  if (type !== 'file') damaged(`its member ${name} is not a file`);
  if (size !== wanted.bytes) damaged(`its member ${name} does not have the length in its manifest`);
  return wanted;
}

async function* verifiedRows(entry: Entry, { table, name, sha256 }: TableMember): AsyncGenerator<TableRows> {
  const sum = createHash('sha256');
  for await (const bytes of entry) {
    sum.update(bytes);
    yield { table, bytes };
  }
  if (sum.digest('hex') !== sha256) damaged(`its member ${name} is not what was written: its checksum is wrong`);
}

/** Unpacks an archive entry by entry, up to the bytes allowed so far. */
class ArchiveReader {
  readonly #file: FileHandle;
  readonly #bytes: number;
  #allowed = MAX_MANIFEST_BYTES + SLACK_BYTES;

  constructor(file: FileHandle, bytes: number) {
    this.#file = file;
    this.#bytes = bytes;
  }

  /** Allows this many more bytes to be unpacked. */
  allow(bytes: number): void {
    this.#allowed += bytes + HEADER_BYTES;
  }

  async *entries(): AsyncGenerator<Entry, void, void> {
    const entries = extract();
    const content = Stream.from(this.#bounded(), { objectMode: false });
    content.on('error', (error) => entries.destroy(error));
    try {
      yield* content.pipe(entries) as unknown as AsyncIterable<Entry>;
    } finally {
      content.destroy();
    }
  }

  async *#bounded(): AsyncGenerator<Buffer, void, void> {
    let unpacked = 0;
    for await (const chunk of unpack(this.#file, 0, this.#bytes)) {
      unpacked += chunk.length;
      if (unpacked > this.#allowed) damaged('it unpacks to more than its manifest says');
      yield chunk;
    }
  }
}

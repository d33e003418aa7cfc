/**
 * Reads a backup that is a tar archive within zstd. What it may hold is known from its manifest, member by member, and
 * nothing else is unpacked: neither names nor sizes of a hostile file reach beyond this.
 */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { Readable as Stream } from 'node:stream';
import { text } from 'node:stream/consumers';
import { extract, type Header } from 'tar-stream';
import { codeOf } from '../database-errors.ts';
import type { Readable, TableRows } from './contents.ts';
import { MANIFEST_NAME, type Manifest, type Member } from './manifest.ts';
import { parseManifest, quoted } from './parse-manifest.ts';
import { BadContent, damaged, noBackup } from './refusals.ts';
import { asDamage, unpack } from './unpack.ts';

type Entry = AsyncIterable<Buffer> & { readonly header: Header; resume(): void };

const LARGEST_MANIFEST = 8_000_000;
/** What is unpacked ahead, and the end of the archive. */
const SLACK_BYTES = 1_000_000;
/** A header and what fills the last block. */
const HEADER_BYTES = 1_024;
/** COPY of prices is compressed some 15 times. */
const MOST_TIMES_COMPRESSED = 1_000;
const ALWAYS_ALLOWED = 64_000_000;

/** Verifies every member. Rejects with `BadContent` where the archive is damaged or none of ours. */
export async function openArchive(file: FileHandle, bytes: number): Promise<Readable> {
  const manifest = await readManifest(file, bytes);
  const rows = () => readRows(file, bytes, manifest);
  for await (const _ of rows());
  return { contents: manifest, rows };
}

async function readManifest(file: FileHandle, bytes: number): Promise<Manifest> {
  try {
    for await (const entry of new Unpacking(file, bytes).entries()) {
      const { name, size } = entry.header;
      if (name !== MANIFEST_NAME) noBackup();
      if (size > LARGEST_MANIFEST) damaged(`its ${MANIFEST_NAME} is larger than ${LARGEST_MANIFEST} bytes`);
      const manifest = parseManifest(await text(entry));
      refuseBomb(manifest, bytes);
      return manifest;
    }
  } catch (error) {
    // What tar finds wrong has no code: what was unpacked is no archive.
    if (error instanceof BadContent || codeOf(error) !== undefined) throw asDamage(error, ` at ${MANIFEST_NAME}`);
  }
  return noBackup();
}

function refuseBomb(manifest: Manifest, bytes: number): void {
  const total = membersOf(manifest).reduce((sum, member) => sum + member.bytes, 0);
  if (total <= ALWAYS_ALLOWED + bytes * MOST_TIMES_COMPRESSED) return;
  damaged(`its members would be ${total} bytes, more than a file of ${bytes} bytes can hold`);
}

type TableMember = Member & { readonly table: string };

function membersOf({ tables }: Manifest): TableMember[] {
  return tables.flatMap(({ table, members }) => members.map((member) => ({ ...member, table })));
}

async function* readRows(file: FileHandle, bytes: number, manifest: Manifest): AsyncGenerator<TableRows, void, void> {
  const members = membersOf(manifest);
  const unpacking = new Unpacking(file, bytes);
  let next = -1;
  try {
    for await (const entry of unpacking.entries()) {
      const member = members[next];
      if (next === -1) entry.resume();
      else yield* verified(entry, checked(entry, member, members));
      next += 1;
      unpacking.allow(members[next]?.bytes ?? 0);
    }
  } catch (error) {
    throw asDamage(error, ` at ${members[next]?.name ?? 'its end'}`);
  }
  const missing = members[next];
  if (missing !== undefined) damaged(`its member ${missing.name} is missing`);
}

function checked({ header }: Entry, wanted: TableMember | undefined, all: readonly Member[]): TableMember {
  const { name, type, size } = header;
  if (wanted === undefined || name !== wanted.name) {
    if (all.some((member) => member.name === name)) damaged(`its member ${name} is not in order`);
    return damaged(`it has a member ${quoted(name)}, which its manifest does not name`);
  }
  if (type !== 'file') damaged(`its member ${name} is no file`);
  if (size !== wanted.bytes) damaged(`its member ${name} is not as long as its manifest says`);
  return wanted;
}

async function* verified(entry: Entry, { table, name, sha256 }: TableMember): AsyncGenerator<TableRows> {
  const sum = createHash('sha256');
  for await (const bytes of entry) {
    sum.update(bytes);
    yield { table, bytes };
  }
  if (sum.digest('hex') !== sha256) damaged(`its member ${name} is not what was written: its checksum is wrong`);
}

/** The members of an archive while it is unpacked, as far as is allowed. */
class Unpacking {
  readonly #file: FileHandle;
  readonly #bytes: number;
  #allowed = LARGEST_MANIFEST + SLACK_BYTES;

  constructor(file: FileHandle, bytes: number) {
    this.#file = file;
    this.#bytes = bytes;
  }

  /** So many bytes more may be unpacked. */
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

/**
 * A backup as bytes: two zstd frames, which any zstd reader joins to one tar archive. The manifest precedes the members
 * and holds their digests, so it is made last, as a frame of its own.
 */
import { hash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, zstdCompressSync } from 'node:zlib';
import { type Pack, pack } from 'tar-stream';
import {
  BACKUP_FORMAT,
  FORMAT_VERSION,
  MANIFEST_NAME,
  type Manifest,
  type Member,
  memberName,
} from './backup-manifest.ts';
import type { Contents, Dump } from './contents.ts';

const CHUNK_BYTES = 262_144;
/** The two empty blocks that end a tar archive. */
const END_BYTES = 1_024;
const PARAMS = { [constants.ZSTD_c_checksumFlag]: 1 };
/** Unpacked files are readable only by their owner. */
const MODE = 0o600;

/** Writes the members in the order of the dump; returns the manifest that belongs before them. */
export async function writeMembers(
  dump: Dump,
  write: (chunk: Buffer) => Promise<void>,
  signal: AbortSignal,
): Promise<Manifest> {
  const archive = pack();
  const compress = createZstdCompress({ chunkSize: CHUNK_BYTES, params: PARAMS });
  const writeAll = async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) await write(chunk);
  };
  const written = pipeline(archive, compress, writeAll, { signal });
  const packed = packMembers(archive, dump).catch((error) => {
    archive.destroy(error);
    throw error;
  });
  // The failure of one ends the other; the error of `written` is the cause of both.
  const [end] = await Promise.allSettled([written, packed]);
  if (end.status === 'rejected') throw end.reason;
  return packed;
}

async function packMembers(archive: Pack, dump: Dump): Promise<Manifest> {
  const members: Record<string, Member[]> = {};
  let contents: Contents | undefined;
  let written = Promise.resolve();
  for await (const item of dump) {
    if (!('bytes' in item)) {
      contents = item;
      continue;
    }
    members[item.table] ??= [];
    const own = members[item.table] as Member[];
    const member = { name: memberName(item.table, own.length + 1), bytes: item.bytes.length };
    own.push({ ...member, sha256: hash('sha256', item.bytes) });
    await written;
    written = addMember(archive, member.name, item.bytes);
    // The database sends the next rows while these are compressed; `await written` above reports a failure.
    written.catch(() => undefined);
  }
  await written;
  if (contents === undefined) throw new Error('a dump without its contents');
  archive.finalize();
  const tables = contents.tables.map((table) => ({ ...table, members: members[table.table] ?? [] }));
  return { format: BACKUP_FORMAT, version: FORMAT_VERSION, ...contents, tables };
}

/** Resolves when the archive has consumed all bytes. */
function addMember(archive: Pack, name: string, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const member = archive.entry({ name, mode: MODE, size: bytes.length }, (error) =>
      error ? reject(error) : resolve(),
    );
    // When the archive is destroyed, the member emits an error as well.
    member.on('error', reject);
    member.end(bytes);
  });
}

/** The frame that precedes the one of the members. */
export async function manifestFrame(manifest: Manifest): Promise<Buffer> {
  const archive = pack();
  archive.entry({ name: MANIFEST_NAME, mode: MODE }, `${JSON.stringify(manifest, null, 2)}\n`);
  archive.finalize();
  const bytes = await buffer(archive);
  return zstdCompressSync(bytes.subarray(0, -END_BYTES), { params: PARAMS });
}

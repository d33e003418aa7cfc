/** Decompresses a zstd file or a range of one. */
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { constants, createZstdDecompress } from 'node:zlib';
import { BadContent, damage, damaged } from './backup-refusals.ts';

const READ_BYTES = 262_144;
const CHUNK_BYTES = 262_144;
/** 8 MB of memory: more than any usual level of zstd needs. */
const WINDOW_LOG = 23;

/** COPY output of prices compresses about 15 times. */
const MAX_COMPRESSION_RATIO = 200;
const ALWAYS_ALLOWED_BYTES = 64_000_000;

/** How much a file of this size may unpack to; more would only serve to fill a memory or a disk. */
export function maxUnpackedBytes(bytes: number): number {
  return ALWAYS_ALLOWED_BYTES + bytes * MAX_COMPRESSION_RATIO;
}

/** Decompresses the bytes from `from` up to `to`. Rejects with the error of zstd, or with `BadContent`. */
export async function* unpack(file: FileHandle, from: number, to: number): AsyncGenerator<Buffer, void, void> {
  const packed = Readable.from(read(file, from, to), { objectMode: false });
  const plain = createZstdDecompress({
    chunkSize: CHUNK_BYTES,
    params: { [constants.ZSTD_d_windowLogMax]: WINDOW_LOG },
  });
  packed.on('error', (error) => plain.destroy(error));
  try {
    yield* packed.pipe(plain);
    if (plain.bytesWritten !== to - from) damaged('something follows its end');
  } finally {
    packed.destroy();
    plain.destroy();
  }
}

/** Reads the bytes from `from` up to `to`. */
export async function* read(file: FileHandle, from: number, to: number): AsyncGenerator<Buffer, void, void> {
  for (let at = from; at < to; ) {
    const wanted = Math.min(READ_BYTES, to - at);
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(wanted), 0, wanted, at);
    if (bytesRead === 0) damaged('it became shorter while it was read');
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

/** Turns an error of zstd or tar into one about the content; leaves errors of the disk as they are. */
export function asDamage(error: unknown, where: string): unknown {
  if (error instanceof BadContent || (error instanceof Error && 'syscall' in error)) return error;
  return damage(`it cannot be unpacked${where}`);
}

/** Reads a file, or a stretch of it, that was compressed with zstd. */
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { constants, createZstdDecompress } from 'node:zlib';
import { BadContent, damage, damaged } from './refusals.ts';

const READ_BYTES = 1_000_000;
const CHUNK_BYTES = 262_144;
/** 8 MB of memory: more than any usual level of zstd asks for. */
const WINDOW_LOG = 23;

/** The content of the bytes from `from` to before `to`. Rejects as zstd does, or with `BadContent`. */
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

/** The bytes from `from` to before `to`. */
export async function* read(file: FileHandle, from: number, to: number): AsyncGenerator<Buffer, void, void> {
  for (let at = from; at < to; ) {
    const wanted = Math.min(READ_BYTES, to - at);
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(wanted), 0, wanted, at);
    if (bytesRead === 0) damaged('it has become shorter meanwhile');
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

/** What zstd or tar finds wrong with the content; what the disk does stays as it is. */
export function asDamage(error: unknown, where: string): unknown {
  if (error instanceof BadContent || (error instanceof Error && 'syscall' in error)) return error;
  return damage(`it cannot be unpacked${where}`);
}

/**
 * The smallest brotli encoding of a body, computed off the event loop and abandoned as soon as it is no longer needed.
 */
import { once } from 'node:events';
import zlib from 'node:zlib';
import { brotliParams } from './brotli-params.ts';

/** The body is fed in chunks: no thread of the pool is held for long, and an abort takes effect soon. */
const CHUNK_BYTES = 64 * 1024;

/** Brotli at its best quality; `null` = aborted before it finished. */
export async function compressBrotliBest(plain: Buffer, signal: AbortSignal): Promise<Buffer | null> {
  const compressor = zlib.createBrotliCompress({
    params: brotliParams(zlib.constants.BROTLI_MAX_QUALITY, plain.length),
  });
  const chunks: Buffer[] = [];
  compressor.on('data', (part: Buffer) => chunks.push(part));
  try {
    for (let from = 0; from < plain.length && !signal.aborted; from += CHUNK_BYTES) {
      if (!compressor.write(plain.subarray(from, from + CHUNK_BYTES))) await once(compressor, 'drain', { signal });
    }
    if (signal.aborted) return null;
    compressor.end();
    await once(compressor, 'end', { signal });
    return Buffer.concat(chunks);
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  } finally {
    compressor.destroy();
  }
}

/** The smallest brotli form of a body, made off the event loop and given up at once when it is no longer wanted. */
import { once } from 'node:events';
import zlib from 'node:zlib';
import { brotliParams } from './brotli-params.ts';

/** Fed in pieces, so that the thread pool is never held for long and giving up takes effect soon. */
const CHUNK_BYTES = 64 * 1024;

/** Brotli at its best quality; `null` when the signal came first. */
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

/** The smallest brotli form of a body, made off the event loop and given up at once when it is no longer wanted. */
import { once } from 'node:events';
import zlib from 'node:zlib';
import { brotliParams } from './brotli-params.ts';

/** Fed in pieces, so that the thread pool is never held for long and giving up takes effect soon. */
const PIECE = 64 * 1024;

/** Brotli at its best quality; `null` when the signal came first. */
export async function bestBrotli(plain: Buffer, signal: AbortSignal): Promise<Buffer | null> {
  const coder = zlib.createBrotliCompress({
    params: brotliParams(zlib.constants.BROTLI_MAX_QUALITY, plain.length),
  });
  const parts: Buffer[] = [];
  coder.on('data', (part: Buffer) => parts.push(part));
  try {
    for (let from = 0; from < plain.length && !signal.aborted; from += PIECE) {
      if (!coder.write(plain.subarray(from, from + PIECE))) await once(coder, 'drain', { signal });
    }
    if (signal.aborted) return null;
    coder.end();
    await once(coder, 'end', { signal });
    return Buffer.concat(parts);
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  } finally {
    coder.destroy();
  }
}

/** Brotli parameters for a body of known size. */
import zlib from 'node:zlib';

/** The two qualities that look for the best of all encodings, and need much time and memory for it. */
export const BEST_QUALITIES = { small: 11, large: 10 };

/**
 * At these qualities the encoder's window costs many times its size: measured with 6,000 records, 29 MB of memory for
 * a window of 2 MB, and 16 MB for one of 256 KB, whose output is 59.2 KB instead of 57.7.
 */
const BEST_WINDOW_BITS = 18;

/** The window need not be larger than the body. */
export function brotliParams(quality: number, size: number): Record<number, number> {
  const { BROTLI_MIN_WINDOW_BITS, BROTLI_DEFAULT_WINDOW } = zlib.constants;
  const most = quality >= BEST_QUALITIES.large ? BEST_WINDOW_BITS : BROTLI_DEFAULT_WINDOW;
  // A window of n bits reaches back 2^n - 16 bytes.
  const bits = Math.ceil(Math.log2(size + 16));
  return {
    [zlib.constants.BROTLI_PARAM_QUALITY]: quality,
    [zlib.constants.BROTLI_PARAM_SIZE_HINT]: size,
    [zlib.constants.BROTLI_PARAM_LGWIN]: Math.max(BROTLI_MIN_WINDOW_BITS, Math.min(most, bits)),
  };
}

/** Brotli parameters for a body of known size. */
import zlib from 'node:zlib';

/** From this quality on the encoder compares many encodings of each part, which takes much time and memory. */
const FIRST_THOROUGH_QUALITY = 10;

/**
 * There the encoder's window costs many times its size: measured with 6,000 records at quality 11, 29 MB of memory for
 * a window of 2 MB, and 16 MB for one of 256 KB, whose output is 59.2 KB instead of 57.7.
 */
const BEST_WINDOW_BITS = 18;

/** The window need not be larger than the body. */
export function brotliParams(quality: number, size: number): Record<number, number> {
  const { BROTLI_MIN_WINDOW_BITS, BROTLI_DEFAULT_WINDOW } = zlib.constants;
  const most = quality >= FIRST_THOROUGH_QUALITY ? BEST_WINDOW_BITS : BROTLI_DEFAULT_WINDOW;
  // A window of n bits reaches back 2^n - 16 bytes.
  const bits = Math.ceil(Math.log2(size + 16));
  return {
    [zlib.constants.BROTLI_PARAM_QUALITY]: quality,
    [zlib.constants.BROTLI_PARAM_SIZE_HINT]: size,
    [zlib.constants.BROTLI_PARAM_LGWIN]: Math.max(BROTLI_MIN_WINDOW_BITS, Math.min(most, bits)),
  };
}

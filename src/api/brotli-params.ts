/** How brotli is told to work on a body whose size is known. */
import zlib from 'node:zlib';

/** The window only has to hold the body: the usual one of 4 MB costs up to 50 MB while the best quality is at work. */
export function brotliParams(quality: number, size: number): Record<number, number> {
  const { BROTLI_MIN_WINDOW_BITS, BROTLI_DEFAULT_WINDOW } = zlib.constants;
  // A window of n bits reaches back 2^n - 16 bytes.
  const bits = Math.ceil(Math.log2(size + 16));
  return {
    [zlib.constants.BROTLI_PARAM_QUALITY]: quality,
    [zlib.constants.BROTLI_PARAM_SIZE_HINT]: size,
    [zlib.constants.BROTLI_PARAM_LGWIN]: Math.max(BROTLI_MIN_WINDOW_BITS, Math.min(BROTLI_DEFAULT_WINDOW, bits)),
  };
}

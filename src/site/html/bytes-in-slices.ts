/** Long files of many short texts. */

/** Characters that are turned into bytes at once: a megabyte of short texts in one piece would take several ms. */
const CHUNK = 16_384;

/** The texts one after another in UTF-8, in slices of one text each. */
export function* bytesInSlices(texts: Iterable<string>): Generator<void, Buffer, void> {
  const chunks: Buffer[] = [];
  let chunk = '';
  for (const text of texts) {
    chunk += text;
    if (chunk.length >= CHUNK) {
      chunks.push(Buffer.from(chunk));
      chunk = '';
    }
    yield;
  }
  return Buffer.concat([...chunks, Buffer.from(chunk)]);
}

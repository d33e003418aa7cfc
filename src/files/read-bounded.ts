import { closeSync, openSync, readSync } from 'node:fs';

/** The file has more bytes than its reader takes. */
export class FileTooLarge extends Error {}

const CHUNK_BYTES = 65_536;

/**
 * The content of a file of at most `maxBytes`, which may be a device or a pipe. Throws `FileTooLarge`, or the system's
 * error.
 */
export function readBounded(file: string, maxBytes: number): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    const chunks: Buffer[] = [];
    for (let length = 0; ; ) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const bytesRead = readSync(descriptor, chunk);
      if (bytesRead === 0) return Buffer.concat(chunks);
      length += bytesRead;
      if (length > maxBytes) throw new FileTooLarge(`${file} is larger than ${maxBytes / 1_000_000} MB`);
      chunks.push(chunk.subarray(0, bytesRead));
    }
  } finally {
    closeSync(descriptor);
  }
}

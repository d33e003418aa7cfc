/** A text file that is written piece by piece, compressed or not. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

export type TextFile = { write(text: string): Promise<void>; close(): Promise<void> };

/** The next levels take twice the time for a tenth less. */
const GZIP_LEVEL = 6;
/** Pieces are collected up to this length. */
const PIECE_LENGTH = 65_536;

/** Opens a new file. What fails while it is written rejects the next call. */
export function openTextFile(file: string, { gzip }: { readonly gzip: boolean }): TextFile {
  const output = createWriteStream(file, { flags: 'wx', mode: 0o644 });
  const input = gzip ? createGzip({ level: GZIP_LEVEL }) : output;
  if (gzip) input.pipe(output);
  const done = finished(output);
  const failed = done.then(() => undefined);
  failed.catch(() => undefined);
  let pending = '';
  const send = async () => {
    const piece = pending;
    pending = '';
    if (!input.write(piece)) await Promise.race([once(input, 'drain'), failed]);
  };
  return {
    async write(text) {
      pending += text;
      if (pending.length >= PIECE_LENGTH) await send();
    },
    async close() {
      input.end(pending);
      await done;
    },
  };
}

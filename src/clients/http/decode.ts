/** Reads a body with a limit on its size, both compressed and decompressed, so a gzip bomb is cut off. */
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { RequestFailure } from './request-failure.ts';

/** The content codings that we request and can decode. */
export const ACCEPTED_CODINGS = 'gzip, br';

const DECODERS: Readonly<Record<string, (packed: Buffer, limit: { maxOutputLength: number }) => Promise<Buffer>>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  br: promisify(brotliDecompress),
};

/** The whole body, decoded. Throws a `RequestFailure` if it is larger than `maxBytes` or has an unrequested coding. */
export async function readBody(body: AsyncIterable<Buffer>, coding: string, maxBytes: number): Promise<Buffer> {
  const packed = await readCapped(body, maxBytes);
  const name = coding.trim().toLowerCase();
  if (name === '' || name === 'identity' || packed.length === 0) return packed;
  const unpack = DECODERS[name];
  if (!unpack)
    throw new RequestFailure(`the answer is coded as "${name.slice(0, 30)}", which was not asked for`, false);
  try {
    return await unpack(packed, { maxOutputLength: maxBytes });
  } catch (error) {
    throw (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge(maxBytes) : error;
  }
}

async function readCapped(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

function tooLarge(maxBytes: number): RequestFailure {
  const limit = maxBytes >= 1_000_000 ? `${Math.round(maxBytes / 1e5) / 10} MB` : `${maxBytes} bytes`;
  return new RequestFailure(`the answer is larger than ${limit}`, false);
}

/** Reads a price list from a local file, as if it had been downloaded. */

import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { NoResponse, type ReceivedResponse } from '../../clients/http/response.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.tsv': 'text/tab-separated-values',
  '.json': 'application/json',
  '.html': 'text/html',
  '.htm': 'text/html',
};

/** Reads the file. Rejects with `NoResponse`, a sentence, unless it is a regular file of at most `maxBytes`. */
export async function readListFile(file: string, maxBytes: number): Promise<ReceivedResponse> {
  const handle = await openFile(file);
  try {
    const body = await contentsOf(handle, file, maxBytes);
    return { status: 200, contentType: TYPES[path.extname(file).toLowerCase()] ?? '', body };
  } catch (error) {
    throw error instanceof NoResponse ? error : readError(file, error);
  } finally {
    await handle.close();
  }
}

/** Opens without blocking: opening a pipe without a writer would never return. */
async function openFile(file: string): Promise<FileHandle> {
  try {
    return await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw readError(file, error);
  }
}

async function contentsOf(handle: FileHandle, file: string, maxBytes: number): Promise<Buffer> {
  const before = await handle.stat();
  if (before.isDirectory()) throw new NoResponse(`${file} is a folder, not a file`);
  if (!before.isFile()) throw new NoResponse(`${file} is a device, pipe or socket, not a regular file`);
  if (before.size > maxBytes) throw new NoResponse(`${file} is larger than ${Math.floor(maxBytes / 1e5) / 10} MB`);
  const body = Buffer.alloc(before.size);
  let length = 0;
  while (length < body.length) {
    const { bytesRead } = await handle.read(body, length, body.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  const after = await handle.stat();
  if (length < body.length || after.size !== before.size || after.mtimeMs !== before.mtimeMs) {
    throw new NoResponse(`${file} changed while it was read; write a new list beside it and rename it into place`);
  }
  return body;
}

function readError(file: string, error: unknown): NoResponse {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return new NoResponse(`there is no file ${file}`);
  if (code === 'EACCES' || code === 'EPERM') return new NoResponse(`this user may not read ${file}`);
  return new NoResponse(`${file} cannot be read: ${message}`);
}

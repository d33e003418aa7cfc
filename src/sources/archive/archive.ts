/** The archive of raw answers on disk: `DATA_DIR/archive/<source>/<run time>.ndjson.zst`, one file per run. */
import { createReadStream } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createZstdDecompress } from 'node:zlib';
import { isoInstant } from '../../domain/days.ts';
import { SourceFailed } from '../source.ts';
import type { ArchivedAnswer } from './recording.ts';

/** An archived run does not exist, or its file is damaged: the source itself may be fine. */
export class ArchiveUnreadable extends SourceFailed {}

const SUFFIX = '.ndjson.zst';

/** Folder of a source's archived runs. */
export function archiveFolder(dataDir: string, source: string): string {
  // Names like `prices:A/B` must stay one folder, and `..` must not climb.
  return join(dataDir, 'archive', encodeURIComponent(source).replaceAll('.', '%2E'));
}

/** File of the run at `instant` (epoch ms): `20261120T080000Z.ndjson.zst`, with milliseconds unless they are 0. */
export function archivePath(dataDir: string, source: string, instant: number): string {
  return join(archiveFolder(dataDir, source), `${basicInstant(instant)}${SUFFIX}`);
}

/** Run times archived for a source, oldest first. */
export async function listArchives(dataDir: string, source: string): Promise<number[]> {
  const names = await readdir(archiveFolder(dataDir, source)).catch(defaultIfMissing<string[]>([]));
  return names
    .map(archivedInstant)
    .filter((instant) => instant !== null)
    .sort((a, b) => a - b);
}

/**
 * The records of the run at exactly `instant`. Rejects with `ArchiveUnreadable`, naming the nearest runs, if there is
 * no such archive; iterating rejects likewise if the file is damaged.
 */
export async function readArchive(
  dataDir: string,
  source: string,
  instant: number,
): Promise<AsyncIterable<ArchivedAnswer>> {
  const path = archivePath(dataDir, source, instant);
  const exists = await access(path).then(() => true, defaultIfMissing(false));
  if (exists) return readRecords(path);
  throw new ArchiveUnreadable(
    `no archived run of ${source} at ${iso(instant)}${nearest(await listArchives(dataDir, source), instant)}`,
  );
}

async function* readRecords(path: string): AsyncGenerator<ArchivedAnswer, void, void> {
  const file = createReadStream(path);
  const decompressed = createZstdDecompress();
  file.on('error', (error) => decompressed.destroy(error));
  try {
    for await (const line of linesOf(file.pipe(decompressed), MAX_RECORD_LENGTH))
      yield JSON.parse(line) as ArchivedAnswer;
  } catch (error) {
    throw new ArchiveUnreadable(`the archive ${path} is damaged: ${(error as Error).message}`);
  } finally {
    file.destroy();
    decompressed.destroy();
  }
}

/** Characters of an answer of 20 MB, each escaped. */
const MAX_RECORD_LENGTH = 128_000_000;

/**
 * Only `\n` ends a record: `readline` would also break at U+2028, which a body may hold. Throws where a line is longer
 * than `maxLength`, or the last one does not end.
 */
export async function* linesOf(bytes: AsyncIterable<Buffer>, maxLength: number): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let rest = '';
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > maxLength) throw new Error(`a line is longer than ${maxLength} characters`);
    yield* lines;
  }
  if (rest !== '') throw new Error('it ends in the middle of a record');
}

function nearest(archived: readonly number[], instant: number): string {
  const before = archived.findLast((other) => other < instant);
  const after = archived.find((other) => other > instant);
  const near = [before, after].filter((other) => other !== undefined).map(iso);
  return near.length === 0 ? '; no run is archived' : `; the nearest are ${near.join(' and ')}`;
}

function basicInstant(instant: number): string {
  const digits = new Date(instant).toISOString().replace(/[-:.]/g, '');
  return digits.endsWith('000Z') ? digits.replace(/000Z$/, 'Z') : digits;
}

/** The run's time in the name of its archive; `null` = it is no such name. */
export function archivedInstant(name: string): number | null {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})?Z\.ndjson\.zst$/.exec(name);
  if (!parts) return null;
  const [, year, month, day, hour, minute, second, milli = '000'] = parts;
  const instant = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${milli}Z`);
  return Number.isNaN(instant) ? null : instant;
}

/** A run is named to the second, unless it has milliseconds. */
function iso(instant: number): string {
  return instant % 1000 === 0 ? isoInstant(instant) : new Date(instant).toISOString();
}

function defaultIfMissing<T>(value: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === 'ENOENT') return value;
    throw error;
  };
}

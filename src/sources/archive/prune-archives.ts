/** Removes archived runs that are too old, or more than one source may keep: no source may fill the disk. */
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { archivedInstant, archiveFolder } from './archive.ts';

const DAY_MS = 86_400_000;

/** What the archive of one source keeps. */
const LIMITS = {
  days: 30,
  bytes: 4_000_000_000,
  /** Nobody needs a run that failed once its cause is known. */
  failed: { days: 2, files: 24, bytes: 256_000_000 },
};

export type PruneOptions = {
  /** The runs, by their time in epoch ms, that delivered nothing. */
  readonly undelivered: ReadonlyMap<number, 'set_aside' | 'failed'>;
  readonly now: number;
};

type ArchiveFile = {
  readonly path: string;
  readonly outcome: 'delivered' | 'set_aside' | 'failed' | 'unfinished';
  /**
   * The time of the run, or the last write if that was later: an old day that is backfilled stays as long as any other.
   */
  readonly at: number;
  readonly bytes: number;
};

/**
 * Removes what is too old and, if the rest is too large, the oldest runs that failed, then those set aside, then those
 * that delivered. Returns the number of files removed.
 */
export async function pruneArchives(dataDir: string, source: string, options: PruneOptions): Promise<number> {
  const files = await archiveFiles(archiveFolder(dataDir, source), options.undelivered);
  const kept = new Set(keptFiles(files, options.now));
  const removed = files.filter((file) => !kept.has(file));
  for (const { path } of removed) await rm(path, { force: true });
  return removed.length;
}

async function archiveFiles(folder: string, undelivered: PruneOptions['undelivered']): Promise<ArchiveFile[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const files: ArchiveFile[] = [];
  for (const name of names) {
    const instant = archivedInstant(name);
    if (instant === null && !name.endsWith('.part')) continue;
    const path = join(folder, name);
    const { mtimeMs, size } = await stat(path);
    const outcome = instant === null ? 'unfinished' : (undelivered.get(instant) ?? 'delivered');
    files.push({ path, outcome, at: Math.max(instant ?? 0, mtimeMs), bytes: size });
  }
  return files;
}

function keptFiles(files: readonly ArchiveFile[], now: number): ArchiveFile[] {
  const { days, bytes, failed } = LIMITS;
  const newest = (outcome: ArchiveFile['outcome'], maxDays: number) =>
    files
      .filter((file) => file.outcome === outcome && file.at >= now - maxDays * DAY_MS)
      .sort((one, other) => other.at - one.at);
  const finished = [
    ...newest('delivered', days),
    ...newest('set_aside', days),
    ...firstThatFit(newest('failed', failed.days).slice(0, failed.files), failed.bytes),
  ];
  // Another process may be writing an unfinished file.
  return [...firstThatFit(finished, bytes), ...newest('unfinished', failed.days)];
}

/** The files, from the first on, whose sizes add up to at most this many bytes. */
function firstThatFit(files: readonly ArchiveFile[], maxBytes: number): ArchiveFile[] {
  let bytes = 0;
  return files.filter((file) => {
    bytes += file.bytes;
    return bytes <= maxBytes;
  });
}

/** Where tests keep databases: in memory, if this machine has a folder there with enough room. */
import { statfsSync } from 'node:fs';

/** Linux keeps the files of this folder in memory; other systems have no such folder. */
const MEMORY_FOLDER = '/dev/shm';
/** Ten times what databases take at once in `npm test`, three times in the medium form; a container may have less. */
const ENOUGH_MEMORY_BYTES = 2_000_000_000;

/**
 * The folder in memory; undefined where it is missing or small. Each test database is a copy of 500 files, deleted
 * seconds later. A file system without a journal looks past every file that was just deleted (ext4:
 * `recently_deleted`), so that creating one soon costs ten times as much.
 */
export function memoryFolder(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return bavail * bsize >= ENOUGH_MEMORY_BYTES ? MEMORY_FOLDER : undefined;
  } catch {
    return undefined;
  }
}

import { randomUUID } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';

export type AtomicWriteOptions = {
  /** The temporary name, where the caller has one already; in the folder of the file. */
  readonly temporary?: string;
  /** Asked when the file is complete: `false` = it is thrown away after all. */
  readonly isWanted?: () => Promise<boolean>;
};

/**
 * Has a file written under a temporary name and renames it into place: readers find the old file, the new one whole, or
 * none, never a part. When anything fails it rejects and leaves nothing behind. `write` makes the file durable itself
 * where that matters.
 */
export async function writeAtomically(
  file: string,
  write: (temporary: string) => Promise<void>,
  { temporary = temporaryName(file), isWanted = async () => true }: AtomicWriteOptions = {},
): Promise<void> {
  try {
    await write(temporary);
    if (await isWanted()) await rename(temporary, file);
    else await rm(temporary, { force: true });
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** A name beside the file that nobody else uses. */
function temporaryName(file: string): string {
  return `${file}.${randomUUID().slice(0, 8)}.part`;
}

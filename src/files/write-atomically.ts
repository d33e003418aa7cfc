import { randomUUID } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';

export type AtomicWriteOptions = {
  /** The temporary name if the caller has one already; in the same folder as the file. */
  readonly temporary?: string;
  /** Called when the file is complete: `false` = discard it. */
  readonly isWanted?: () => Promise<boolean>;
};

/**
 * Calls `write` with a temporary name and renames the file into place: readers find the old file, the complete new one,
 * or none, never a part. On any failure it rejects and leaves nothing behind. `write` itself makes the file durable
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

/** A unique name in the folder of the file. */
function temporaryName(file: string): string {
  return `${file}.${randomUUID().slice(0, 8)}.part`;
}

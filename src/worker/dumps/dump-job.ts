/** Makes the dumps every night, and at once where there are none or other sources may be published. */
import { lastTimeOfDay } from '../../domain/days.ts';
import type { DumpManifest } from '../../dumps/manifest.ts';
import { ManifestReader } from '../../dumps/published/dump-folder.ts';
import type { Database } from '../../store/connection/database.ts';
import { currentVersion } from '../../store/prices/publication.ts';
import { underDumpLease } from './dump-lease.ts';
import type { DumpReport } from './dump-options.ts';

export type DumpJob = {
  readonly database: Database;
  readonly holder: string;
  readonly folder: string;
  readonly allowed: readonly string[];
  readonly clock: () => number;
  /** Makes the dumps, in a process of its own. */
  readonly make: (signal: AbortSignal) => Promise<DumpReport>;
  readonly log: { info(message: string): void };
};

/** Few people read at this hour in Bucharest, and the day before has ended. */
const NIGHT_HOUR = 3;

/** Makes the dumps if they are due; checking costs one look at a file. */
export function createDumpRunner(job: DumpJob): (signal: AbortSignal) => Promise<void> {
  const { database, folder, allowed, clock, holder, make, log } = job;
  const manifest = new ManifestReader(folder);
  const isDue = async () => isDumpDue(await manifest.read(), allowed, clock());
  return async (signal) => {
    if (!(await isDue()) || (await currentVersion(database)) === 0) return;
    await underDumpLease(database.kysely, { holder, restAfterFailure: true, signal }, async (mayGoOn) => {
      // Another process of this machine may have made them meanwhile.
      if (!(await isDue())) return;
      const { written, files, bytes } = await make(mayGoOn);
      log.info(`dumps: ${written} of ${files} files are new, ${(bytes / 1e6).toFixed(1)} MB in all, in ${folder}`);
    });
  };
}

/** @param now epoch ms */
export function isDumpDue(manifest: DumpManifest | null, allowed: readonly string[], now: number): boolean {
  if (manifest === null || manifest.allowed.join() !== [...allowed].sort().join()) return true;
  return manifest.madeAt < lastTimeOfDay(NIGHT_HOUR, now);
}

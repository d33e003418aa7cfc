/** The place of a process among several that serve one address. */
import type { Logger } from 'pino';
import { whenAborted } from '../concurrency/when-aborted.ts';
import type { Database } from '../store/connection/database.ts';
import type { Schema } from '../store/connection/schema.ts';
import type { AcceptanceClaims } from '../store/limits/acceptance-claims.ts';
import { currentVersion } from '../store/prices/publication.ts';
import type { SnapshotFollower } from '../worker/serving/snapshot-follower.ts';

export type ServingPlace = {
  /** How many there are, this one included. */
  readonly processes: number;
  /** The listening socket that this process has inherited, and the address that it is bound to. */
  readonly socket: { readonly fd: number; readonly host: string };
  /**
   * Whether another process serves this socket until this one does: then it accepts no connection before it has the
   * latest publication.
   */
  readonly takesOver: boolean;
  /** What all of them accept while the database is away. */
  readonly claims: AcceptanceClaims;
};

/** A process that takes over waits for the latest publication for as long. */
const LATEST_TIMEOUT_MS = 15_000;

/** Waits until the follower serves what the database has; not for a database that is away, and not for ever. */
export async function latestPublication(
  database: Promise<Database<Schema> | null>,
  follower: SnapshotFollower,
  log: Logger,
): Promise<void> {
  const late = whenAborted(AbortSignal.timeout(LATEST_TIMEOUT_MS));
  const opened = await Promise.race([database, late]);
  if (!opened) return;
  const latest = currentVersion(opened).then((version) => follower.waitForVersion(version));
  await Promise.race([latest, late]).catch((error: Error) =>
    log.warn(`this process serves before it knows the latest publication: ${error.message}`),
  );
}

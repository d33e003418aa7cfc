/** The place of a process among several that serve one address. */
import type { Logger } from 'pino';
import { TimeoutError, withTimeout } from '../concurrency/with-timeout.ts';
import type { Database } from '../store/connection/database.ts';
import type { Schema } from '../store/connection/schema.ts';
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
};

/** A process that takes over waits for the latest publication for as long. */
const LATEST_TIMEOUT_MS = 15_000;

/** Waits until the follower serves what the database has; not for a database that is away, and not for ever. */
export async function latestPublication(
  database: Promise<Database<Schema> | null>,
  follower: SnapshotFollower,
  log: Logger,
): Promise<void> {
  const latest = database.then(async (opened) => {
    if (opened !== null) await follower.waitForVersion(await currentVersion(opened));
  });
  await withTimeout(LATEST_TIMEOUT_MS, latest).catch((error: Error) => {
    if (!(error instanceof TimeoutError)) throw error;
    log.warn(`this process serves before it has the latest publication: ${error.message}`);
  });
}

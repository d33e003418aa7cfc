/**
 * Reads publications from a streaming replica, so that many readers cost the primary one small question each; from the
 * primary where the replica does not have the version in time, or fails.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { WarnOnce } from '../../concurrency/warn-once.ts';
import type { Database } from '../../store/connection/database.ts';
import { replicaProblem } from '../../store/connection/replica.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { messageOf } from '../../store/database-errors.ts';
import { currentVersion } from '../../store/prices/publication.ts';
import type { PublicationReads } from '../../telemetry/snapshot-counts.ts';

export type PublicationReaderOptions = {
  readonly primary: Database<Schema>;
  /** `null` = there is none, or it is not connected. */
  readonly replica: () => Database<Schema> | null;
  readonly log: { info(message: string): void; warn(message: string): void };
  readonly maxLagMs?: number;
  /** Counts what was read; nowhere by default. */
  readonly reads?: PublicationReads;
};

/** How long a publication may reach the replica later than its announcement comes from the primary. */
export const MAX_LAG_MS = 2_000;
const POLL_MS = 50;

export class PublicationReader {
  readonly #options: PublicationReaderOptions;
  readonly #outage: WarnOnce;

  constructor(options: PublicationReaderOptions) {
    this.#options = options;
    this.#outage = new WarnOnce({
      warn: (why) => options.log.warn(`publications are read from the primary database: ${why}`),
      onRecovery: () => options.log.info('publications are read from the replica again'),
    });
  }

  /** Runs `work`, which must reject where a database does not have the version; the primary announced it. */
  async read<T>(version: number, work: (database: Database<Schema>) => Promise<T>): Promise<T> {
    const readable = this.#options.replica();
    if (readable === null) return this.#readPrimary(work);
    try {
      await this.#waitFor(readable, version);
      const found = await work(readable);
      this.#outage.succeeded();
      this.#count('replica');
      return found;
    } catch (error) {
      this.#outage.failed(messageOf(error));
      return this.#readPrimary(work);
    }
  }

  async #readPrimary<T>(work: (database: Database<Schema>) => Promise<T>): Promise<T> {
    const found = await work(this.#options.primary);
    this.#count('primary');
    return found;
  }

  #count(from: 'primary' | 'replica'): void {
    const { reads } = this.#options;
    if (reads !== undefined) reads[from] += 1;
  }

  async #waitFor(replica: Database<Schema>, version: number): Promise<void> {
    const { primary, maxLagMs = MAX_LAG_MS } = this.#options;
    const problem = await replicaProblem(primary, replica);
    if (problem !== null) throw new Error(problem.why);
    const deadline = performance.now() + maxLagMs;
    while ((await currentVersion(replica)) < version) {
      if (performance.now() > deadline)
        throw new Error(`the replica at DATABASE_READ_URL is more than ${maxLagMs / 1000} s behind`);
      await sleep(POLL_MS);
    }
  }
}

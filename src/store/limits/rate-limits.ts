/**
 * All limits, over all processes: of keys, of clients with a weekly cap, of clients with a
 * per-minute limit, and of the pages that a client reads.
 */

import { type BatchCounts, createBatchCounts } from '../../telemetry/batch-counts.ts';
import type { DatabaseConnection } from '../connection/database-connection.ts';
import type { AddressHashing } from './address-hash.ts';
import { KeyLimits } from './key-limits.ts';
import { MinuteLimits } from './minute-limits.ts';
import { PageLimits } from './page-limits.ts';
import { WeeklyCap } from './weekly-cap.ts';

export type RateLimitsOptions = {
  readonly database: DatabaseConnection;
  /** Makes the keyed hashes under which clients are stored. */
  readonly hashes: AddressHashing;
  /** This machine's clock, epoch ms. */
  readonly clock: () => number;
  /** Receives what the database counted for a key this month, and when (epoch ms). */
  readonly onKeyUsage: (key: number, used: number, now: number) => void;
};

export class RateLimits {
  readonly keys: KeyLimits;
  readonly weekly: WeeklyCap;
  readonly minutes: MinuteLimits;
  readonly pages: PageLimits;
  /** The batches in which the database decided. */
  readonly batches: BatchCounts = createBatchCounts();

  constructor({ database, hashes, clock, onKeyUsage }: RateLimitsOptions) {
    this.keys = new KeyLimits(database, onKeyUsage, this.batches);
    this.weekly = new WeeklyCap(database, { hasher: hashes.for('weekly caps'), clock, batches: this.batches });
    this.minutes = new MinuteLimits(database, { hasher: hashes.for('minute windows'), batches: this.batches });
    this.pages = new PageLimits(database, { hasher: hashes.for('minute windows') });
  }
}

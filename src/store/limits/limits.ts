/** All limits, over all processes: what keys, capped visitors and those counted by the minute may have. */
import type { DatabaseConnection } from '../connection/database-connection.ts';
import { KeyLimits } from './key-limits.ts';
import { MinuteLimits } from './minute-limits.ts';
import { WeeklyLimits } from './weekly-limits.ts';

export type RateLimitsOptions = {
  readonly database: DatabaseConnection;
  /** The keyed hash under which a client is kept; `null` = its key is not known yet. */
  readonly hash: (client: string) => Buffer | null;
  /** Of this machine, epoch ms. */
  readonly clock: () => number;
  /** Told what the database counted for a key this month, at its moment (epoch ms). */
  readonly onKeyUsage: (key: number, used: number, now: number) => void;
};

export class RateLimits {
  readonly keys: KeyLimits;
  readonly weekly: WeeklyLimits;
  readonly minutes: MinuteLimits;

  constructor({ database, hash, clock, onKeyUsage }: RateLimitsOptions) {
    this.keys = new KeyLimits(database, onKeyUsage);
    this.weekly = new WeeklyLimits(database, { hash, clock });
    this.minutes = new MinuteLimits(database, { hash });
  }
}

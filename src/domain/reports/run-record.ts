import type { Fuel, MilliPrice } from '../fuel.ts';

/** The record of one run of one source: what was read, refused, changed, set aside, and why. */
export type RunRecord = {
  readonly source: string;
  /** The run's clock, epoch ms. */
  readonly at: number;
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly outcome: 'delivered' | 'set_aside' | 'failed';
  /** False for runs dated by hand (`--at`): they do not move the schedule. */
  readonly scheduled: boolean;
  readonly forced: boolean;
  readonly requests: number;
  /** Rows with a valid price. */
  readonly rows: number;
  readonly rejected: Record<string, number>;
  readonly samples: Record<string, string[]>;
  /** Stations of the sweep that were known before, from any source. */
  readonly matched: number;
  /** Stations that the sweep made known. */
  readonly created: number;
  readonly ambiguous: readonly { key: string; stations: readonly string[] }[];
  readonly changed: number;
  readonly failedUnits: readonly string[];
  readonly means: Partial<Record<Fuel, MilliPrice>>;
  /** Why it failed or was set aside, one sentence. */
  readonly reason: string | null;
};

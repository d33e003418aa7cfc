/** Counts the batches in which the database decides on limits. */
import { durationCounts, ValueCounts } from './value-counts.ts';

const SIZE_BOUNDS = [1, 2, 5, 10, 25, 50, 100, 250, 500];

/** The batches of one limit. */
export class BatchSeries {
  /** How many requests a batch had. */
  readonly sizes = new ValueCounts(SIZE_BOUNDS);
  readonly seconds: ValueCounts = durationCounts();
  failures = 0;

  count(size: number, ms: number, isFailure: boolean): void {
    this.sizes.add(size);
    this.seconds.add(ms / 1000);
    if (isFailure) this.failures += 1;
  }
}

/** The batches of each limit, by its name. */
export type BatchCounts = Readonly<Record<'key' | 'weekly_cap' | 'weekly_cap_refund' | 'minute', BatchSeries>>;

export function createBatchCounts(): BatchCounts {
  return {
    key: new BatchSeries(),
    weekly_cap: new BatchSeries(),
    weekly_cap_refund: new BatchSeries(),
    minute: new BatchSeries(),
  };
}

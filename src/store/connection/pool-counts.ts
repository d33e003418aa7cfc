/** How long requests wait for the database, by pool: for a connection, and for the statements on it. */
import { durationCounts, type ValueCounts } from '../../telemetry/value-counts.ts';

export type PoolCounts = {
  /** Seconds until there was a connection. */
  readonly waits: ValueCounts;
  /** Seconds that the work on a connection took: one statement, or a transaction. */
  readonly work: ValueCounts;
  /** How often there was no answer in time, and how often no server. */
  timeouts: number;
  unavailable: number;
};

const countsByPool = new WeakMap<object, PoolCounts>();

/** The counts of a pool, which begin at 0 when they are first asked for. */
export function poolCounts(pool: object): PoolCounts {
  const known = countsByPool.get(pool) ?? {
    ...{ waits: durationCounts(), work: durationCounts() },
    ...{ timeouts: 0, unavailable: 0 },
  };
  countsByPool.set(pool, known);
  return known;
}

/** How snapshots come about in a process, in plain numbers. */
import { durationCounts, type ValueCounts } from './value-counts.ts';

/** Where publications are read from: the primary database, its replica, or the followed server. */
export type PublicationReads = Record<'primary' | 'replica' | 'followed', number>;

export type SnapshotCounts = {
  /** Seconds from the facts to the served snapshot. */
  readonly builds: ValueCounts;
  /** How often something was read. */
  readonly reads: PublicationReads;
};

export function snapshotCounts(): SnapshotCounts {
  return { builds: durationCounts(), reads: { primary: 0, replica: 0, followed: 0 } };
}

/** Whether a process has everything that its answers need: for load balancers, and for a process that takes over. */
import type { DatabaseConnection } from '../../store/connection/database-connection.ts';

/** The parts that read at the start, each as far as it has come. */
export type StartingParts = {
  readonly snapshot: {
    /** Whether there are prices, or it is known that none were published. */
    readonly hasPrices: boolean;
    /** Whether there are also the statistics of past days. */
    readonly isComplete: boolean;
    /** Whether the latest reading from the database failed. */
    readonly isFailing: boolean;
  };
  /** The server that this one follows; `null` = publications come from the database. */
  readonly followed: { readonly state: DatabaseConnection['state'] } | null;
  /** `unavailable` for good where there is none. */
  readonly database: Pick<DatabaseConnection, 'state'>;
  /** Whether the feed of changes was read, or could not be. */
  readonly hasReadChanges: boolean;
};

/** Whether nothing is missing. */
export function isComplete({ snapshot, database, hasReadChanges }: StartingParts): boolean {
  return snapshot.isComplete && (database.state === 'unavailable' || hasReadChanges);
}

/**
 * Whether requests may come, `/readyz`: nothing is missing, or what is missing cannot be had for now, so that waiting
 * brings nothing better. A server that follows another must know prices in any case.
 */
export function isReady(parts: StartingParts): boolean {
  if (isComplete(parts)) return true;
  const { snapshot, followed, database, hasReadChanges } = parts;
  if (followed === null && database.state === 'unavailable') return true;
  if (!snapshot.hasPrices || (database.state !== 'unavailable' && !hasReadChanges)) return false;
  return snapshot.isComplete || (followed === null ? snapshot.isFailing : followed.state === 'unavailable');
}

/** How long a process that has prices waits for the rest, which may never come, ms. */
export const COMPLETE_WITHIN_MS = 15_000;

/**
 * The same, once and for all: a process that was ready reads a restored database beside its answers. With prices alone
 * it is ready after `COMPLETE_WITHIN_MS`, counted from when it is first asked.
 */
export function createReadiness(parts: () => StartingParts, clock = () => performance.now()): () => boolean {
  let wasReady = false;
  let pricesSince: number | null = null;
  return () => {
    const current = parts();
    if (current.snapshot.hasPrices) pricesSince ??= clock();
    wasReady ||= isReady(current) || (pricesSince !== null && clock() - pricesSince >= COMPLETE_WITHIN_MS);
    return wasReady;
  };
}

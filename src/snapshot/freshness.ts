/** How fresh the data are, and whether they are fresh enough. Source: API contract, "GET /api/v1/health"; rule 33. */
import type { SourceTimes } from '../domain/prices/facts.ts';
import type { Snapshot } from './snapshot.ts';

/** The service is degraded if a source delivered longer ago than this. */
export const MAX_DELIVERY_AGE_SECONDS = 86_400;

export type Freshness = {
  /** Whether every source in service delivered recently, and prices are served. */
  readonly isFresh: boolean;
  /** Since the last update; `null` = there was none. */
  readonly updateAgeSeconds: number | null;
  /** Of the source that delivered longest ago; `null` = no source is in service, or one never delivered. */
  readonly oldestDeliverySeconds: number | null;
  /** Of the source that was downloaded longest ago; `null` = not known, or no source has delivered. */
  readonly oldestDownloadSeconds: number | null;
};

/** The freshness of a snapshot at an instant, epoch ms. */
export function freshness({ updatedAt, sources, counts }: Snapshot, now: number): Freshness {
  const oldestDelivery = oldestAge(sources, ({ deliveredAt }) => deliveredAt, now);
  return {
    isFresh: oldestDelivery !== null && oldestDelivery <= MAX_DELIVERY_AGE_SECONDS && counts.recordsWithPrice > 0,
    updateAgeSeconds: updatedAt === null ? null : ageSeconds(updatedAt, now),
    oldestDeliverySeconds: oldestDelivery,
    oldestDownloadSeconds: oldestDelivery === null ? null : oldestAge(sources, ({ downloadedAt }) => downloadedAt, now),
  };
}

/** `null` when no source is in service or one has no such time yet. */
function oldestAge(
  sources: readonly SourceTimes[],
  timestampOf: (source: SourceTimes) => number | null,
  now: number,
): number | null {
  const known = sources.map(timestampOf).filter((moment) => moment !== null);
  return known.length === 0 || known.length < sources.length ? null : ageSeconds(Math.min(...known), now);
}

function ageSeconds(moment: number, now: number): number {
  return Math.max(0, Math.floor((now - moment) / 1000));
}

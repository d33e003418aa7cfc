/** One publication: everything a collection found, stored and announced in one transaction. */

import type { Kysely } from 'kysely';
import { bucharestDay, dayNumber } from '../../domain/days.ts';
import type { CollectionSettings } from '../../domain/prices/collection-settings.ts';
import type { RunRecord } from '../../domain/reports/run-record.ts';
import { isPriceSource, readingRank } from '../../domain/reports/source-kind.ts';
import type { FinishedSweep } from '../../domain/reports/sweep.ts';
import { holdsLease, type Lease } from '../../store/connection/leases.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { writeDay } from '../../store/prices/daily-prices.ts';
import { loadFacts } from '../../store/prices/load-facts.ts';
import { completePublication, lockPublication, publicationTransaction } from '../../store/prices/publication.ts';
import { deliveryTimes, insertRun } from '../../store/prices/runs.ts';
import { type AppliedSweep, applySweep } from './apply-sweep.ts';
import { rewriteDay, storeClosedDays } from './close-days.ts';
import { dayValues } from './day-values.ts';
import { LeaseLost } from './lease-errors.ts';
import { writeStatistics } from './write-statistics.ts';

/** A source that could not be read at all. */
export type FailedSweep = {
  readonly source: string;
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly requests: number;
  readonly reason: string;
};

export type Collection = {
  readonly swept: readonly FinishedSweep[];
  readonly failed: readonly FailedSweep[];
  /** The run's clock, epoch ms. */
  readonly at: number;
  readonly scheduled: boolean;
  readonly force: boolean;
};

/** The outcome of each source; `version` is `null` when nothing changed. */
export type PublishResult = { readonly runs: readonly RunRecord[]; readonly version: number | null };

/**
 * Stores and announces a collection; one that only records a failure uses no version. Rejects with `LeaseLost` when the
 * lease is no longer held. From `onLeaseLocked` until this ends no other process can take the lease, renewed or not.
 */
export async function publish(
  db: Kysely<Schema>,
  lease: Lease,
  collection: Collection,
  settings: CollectionSettings,
  onLeaseLocked: () => void = () => undefined,
): Promise<PublishResult> {
  return publicationTransaction(db, async (tx) => {
    const publication = await lockPublication(tx);
    if (!(await holdsLease(tx, lease))) throw new LeaseLost();
    onLeaseLocked();
    const failed = collection.failed.map((failure) => failedRun(failure, collection));
    for (const run of failed) await insertRun(tx, run);
    if (collection.swept.length === 0) return { runs: failed, version: null };

    const { at } = collection;
    const day = dayNumber(bucharestDay(at));
    const published = publication.publishedAt;
    const isPastDay = published !== null && day < dayNumber(bucharestDay(published));
    const closed = isPastDay ? [] : await storeClosedDays(tx, published, day, settings);
    const applied = await applyAll(tx, collection, settings);
    const runs = [...applied.map(({ run }) => run), ...failed];
    if (runs.every(({ outcome }) => outcome === 'failed')) return { runs, version: null };

    const anyDelivered = runs.some(({ outcome }) => outcome === 'delivered');
    if (anyDelivered && isPastDay)
      await rewriteDay(
        tx,
        day,
        settings,
        applied.flatMap(({ factsAfter }) => factsAfter),
      );
    const facts = await loadFacts(tx);
    if (anyDelivered && !isPastDay) await writeDay(tx, day, dayValues(facts, Math.max(at, published ?? 0), settings));
    const changedDays = anyDelivered && isPastDay ? [day] : closed;
    await writeStatistics(tx, changedDays, settings.gazetteer);
    const version = await completePublication(tx, {
      publishedAt: anyDelivered ? at : null,
      updatedAt: runs.some(updatesPrices) ? at : null,
      changedDays,
      facts,
    });
    return { runs, version };
  });
}

/** A locator has no prices, so its stations make no price newer. */
function updatesPrices({ source, outcome }: RunRecord): boolean {
  return outcome === 'delivered' && isPriceSource(source);
}

async function applyAll(
  tx: Kysely<Schema>,
  collection: Collection,
  settings: CollectionSettings,
): Promise<AppliedSweep[]> {
  const applied: AppliedSweep[] = [];
  const times = await deliveryTimes(tx);
  const inOrder = collection.swept.toSorted((a, b) => readingRank(a.source) - readingRank(b.source));
  for (const finished of inOrder) {
    const deliveredAt = times.get(finished.source);
    const { at, scheduled, force } = collection;
    const newest = deliveredAt === undefined || at >= deliveredAt;
    applied.push(await applySweep(tx, finished, { at, scheduled, force, settings, newest }));
  }
  return applied;
}

function failedRun(failure: FailedSweep, { at, scheduled, force }: Collection): RunRecord {
  return {
    ...failure,
    at,
    outcome: 'failed',
    scheduled,
    forced: force,
    rows: 0,
    rejected: {},
    samples: {},
    matched: 0,
    created: 0,
    ambiguous: [],
    changed: 0,
    failedUnits: [],
    means: {},
  };
}

/** A run dated before one that has delivered already: its facts are added, no current value changes. */
import type { Kysely } from 'kysely';
import {
  type CollectionChanges,
  factKey,
  type KnownPrice,
  type PriceObservation,
} from '../../domain/prices/apply-collection.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { nextObservations, recomputeKnownPrices } from '../../store/prices/facts-as-of.ts';
import { appendObservations, loadKnownPrices, saveKnownPrices } from '../../store/prices/observations.ts';
import { firstReadsAfter } from '../../store/prices/runs.ts';

/** Stores the changes of an older run; `known` is the state as of its moment `at`. */
export async function storeOlderRun(
  tx: Kysely<Schema>,
  source: string,
  known: readonly KnownPrice[],
  changes: CollectionChanges,
  run: { readonly id: number; readonly at: number },
): Promise<void> {
  await appendObservations(tx, changes.observations, run.at, run.id);
  const present = new Set((await loadKnownPrices(tx, source)).map(({ station, fuel }) => factKey(station, fuel)));
  const absentFacts = changes.changedFacts.filter(({ station, fuel }) => !present.has(factKey(station, fuel)));
  await saveKnownPrices(tx, absentFacts, run.at);
  await restoreLaterObservations(tx, source, known, changes, run.at);
  await recomputeKnownPrices(tx, source, changes.observations);
}

/**
 * A run that finds a price unchanged stores nothing. So where the next later run read the unit and stored nothing, it
 * saw the earlier state, which must be stored now: else the price that this run adds would seem to last.
 */
async function restoreLaterObservations(
  tx: Kysely<Schema>,
  source: string,
  known: readonly KnownPrice[],
  changes: CollectionChanges,
  at: number,
): Promise<void> {
  const firstRead = await firstReadsAfter(tx, source, at);
  const next = await nextObservations(tx, source, changes.observations, at);
  const before = new Map(known.map((fact) => [factKey(fact.station, fact.fuel), fact]));
  const units = new Map(changes.factsAfter.map((fact) => [factKey(fact.station, fact.fuel), fact.unit]));
  const seen: { row: PriceObservation; read: { id: number; at: number } }[] = [];
  for (const added of changes.observations) {
    const key = factKey(added.station, added.fuel);
    const read = firstRead(units.get(key) as string);
    if (read === undefined || (next.get(key) ?? Number.POSITIVE_INFINITY) <= read.at) continue;
    seen.push({ row: asSeenByLaterRun(added, before.get(key)), read });
  }
  for (const [id, rows] of Map.groupBy(seen, ({ read }) => read.id)) {
    const [first] = rows as [(typeof seen)[number]];
    await appendObservations(
      tx,
      rows.map(({ row }) => row),
      first.read.at,
      id,
    );
  }
}

/** What a later run that stored nothing had found. The day that the source gave then is lost. */
function asSeenByLaterRun(added: PriceObservation, before: KnownPrice | undefined): PriceObservation {
  if (before === undefined || before.missingSince !== null) return { ...added, missing: true };
  return { ...added, price: before.price, missing: false, observed: null };
}

/** A run dated before one that has delivered already: its facts are added, nothing present moves. */
import type { Kysely } from 'kysely';
import { type Changes, factKey, type KnownPrice, type ObservationRow } from '../../domain/prices/apply-collection.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { nextObservations, refreshFacts } from '../../store/prices/as-of.ts';
import { appendObservations, loadKnown, saveFacts } from '../../store/prices/observations.ts';
import { firstReadsAfter } from '../../store/prices/runs.ts';

/** Stores what an older run changes; `known` is what was known as of its moment `at`. */
export async function storeOlderRun(
  tx: Kysely<Schema>,
  source: string,
  known: readonly KnownPrice[],
  changes: Changes,
  run: { readonly id: number; readonly at: number },
): Promise<void> {
  await appendObservations(tx, changes.observations, run.at, run.id);
  const present = new Set((await loadKnown(tx, source)).map(({ station, fuel }) => factKey(station, fuel)));
  const forgotten = changes.facts.filter(({ station, fuel }) => !present.has(factKey(station, fuel)));
  await saveFacts(tx, forgotten, run.at);
  await restoreLater(tx, source, known, changes, run.at);
  await refreshFacts(tx, source, changes.observations);
}

/**
 * A run that finds a price unchanged stores nothing of it. So where the next later run read the unit and stored
 * nothing, it saw what was known before, and that has to be said now: else what this run adds would seem to last.
 */
async function restoreLater(
  tx: Kysely<Schema>,
  source: string,
  known: readonly KnownPrice[],
  changes: Changes,
  at: number,
): Promise<void> {
  const firstRead = await firstReadsAfter(tx, source, at);
  const next = await nextObservations(tx, source, changes.observations, at);
  const before = new Map(known.map((fact) => [factKey(fact.station, fact.fuel), fact]));
  const units = new Map(changes.after.map((fact) => [factKey(fact.station, fact.fuel), fact.unit]));
  const seen: { row: ObservationRow; read: { id: number; at: number } }[] = [];
  for (const added of changes.observations) {
    const key = factKey(added.station, added.fuel);
    const read = firstRead(units.get(key) as string);
    if (read === undefined || (next.get(key) ?? Number.POSITIVE_INFINITY) <= read.at) continue;
    seen.push({ row: asSeenLater(added, before.get(key)), read });
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

/** What a later run that stored nothing had found. Which day the source then gave is not known any more. */
function asSeenLater(added: ObservationRow, before: KnownPrice | undefined): ObservationRow {
  if (before === undefined || before.missingSince !== null) return { ...added, missing: true };
  return { ...added, price: before.price, missing: false, observed: null };
}

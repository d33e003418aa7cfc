/** Stores the facts of one source's finished sweep, inside the transaction of a publication. */
import type { Kysely } from 'kysely';
import type { CollectionChanges, KnownPrice } from '../../domain/prices/apply-collection.ts';
import { type JudgingOptions, judgeSweep, type SweepBaseline } from '../../domain/prices/judge-sweep.ts';
import type { RunRecord } from '../../domain/reports/run-record.ts';
import type { FinishedSweep } from '../../domain/reports/sweep.ts';
import type { LinkedStations } from '../../domain/stations/link-stations.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { loadKnownPricesAsOf } from '../../store/prices/facts-as-of.ts';
import { loadFacts } from '../../store/prices/load-facts.ts';
import { appendObservations, loadKnownPrices, saveKnownPrices } from '../../store/prices/observations.ts';
import {
  insertRun,
  loadNotFoundCounts,
  pastRuns,
  recordNotFoundCounts,
  recordSourceTimes,
  recordUnitReads,
} from '../../store/prices/runs.ts';
import { createStations, loadSourceStations, saveSourceStations } from '../../store/prices/stations.ts';
import { storeOlderRun } from './older-run.ts';

export type RunOptions = JudgingOptions & {
  /** `false` = a later run of the source has delivered already: facts are added, current values do not change. */
  readonly newest: boolean;
};

export type AppliedSweep = { readonly run: RunRecord; readonly factsAfter: readonly KnownPrice[] };

/** Judges the sweep as a whole and, if it is plausible, stores its facts. */
export async function applySweep(
  tx: Kysely<Schema>,
  finished: FinishedSweep,
  options: RunOptions,
): Promise<AppliedSweep> {
  const { source } = finished;
  const before: SweepBaseline = {
    known: options.newest ? await loadKnownPrices(tx, source) : await loadKnownPricesAsOf(tx, source, options.at),
    notFoundCounts: options.newest ? await loadNotFoundCounts(tx, source) : new Map(),
    sourceStations: await loadSourceStations(tx),
    pastRuns: await pastRuns(tx, source, options.at),
    facts: finished.sweep.networkPrices?.length ? (await loadFacts(tx)).prices : [],
  };
  const { run, notFoundCounts, delivery } = judgeSweep(finished, before, options);
  // Of every outcome: else units that keep a run from delivering would be counted from zero for ever. Rule 26.
  if (options.newest) await recordNotFoundCounts(tx, source, notFoundCounts);
  if (delivery === null) {
    await insertRun(tx, run);
    if (run.outcome === 'set_aside') await recordSourceTimes(tx, source, null, options.at);
    return { run, factsAfter: [] };
  }
  const { answered, linked, changes } = delivery;
  await storeSweep(tx, run, before.known, linked, changes, options);
  await recordUnitReads(tx, source, answered, options.at);
  await recordSourceTimes(tx, source, options.at, options.at);
  return { run, factsAfter: changes.factsAfter };
}

async function storeSweep(
  tx: Kysely<Schema>,
  run: RunRecord,
  known: readonly KnownPrice[],
  linked: LinkedStations,
  changes: CollectionChanges,
  options: RunOptions,
): Promise<void> {
  await createStations(tx, linked.createdStations, options.at);
  await saveSourceStations(tx, linked.sourceStations, !options.newest);
  const id = await insertRun(tx, run);
  if (!options.newest) return storeOlderRun(tx, run.source, known, changes, { id, at: options.at });
  await appendObservations(tx, changes.observations, options.at, id);
  await saveKnownPrices(tx, changes.changedFacts, options.at);
}

/** Updates what a reader holds to the current publication, reading only what changed. */
import type { Kysely } from 'kysely';
import type { DayNumber } from '../../domain/days.ts';
import type { PublishedFacts } from '../../domain/prices/facts.ts';
import { HISTORY_DAYS, PriceHistory } from '../../snapshot/price-history.ts';
import { StatisticsHistory } from '../../snapshot/statistics-history.ts';
import type { Database } from '../../store/connection/database.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { loadFirstDays, readDay } from '../../store/prices/daily-prices.ts';
import { readFacts } from '../../store/prices/packed-facts.ts';
import { daysChangedSince, inReadSnapshot } from '../../store/prices/publication.ts';
import { withChangedStatistics } from './read-statistics.ts';

export type LoadedState = {
  readonly facts: PublishedFacts;
  readonly history: PriceHistory;
  /** Of past days. */
  readonly statistics: StatisticsHistory;
  /** Whether the statistics of all past days were read, and not only those that changed since the start. */
  readonly hasAllStatistics: boolean;
};

/**
 * The facts as of one moment, with the days that changed since `loaded` was read (`null` = all 90) in a history of
 * their own: what is held stays as it is. Today's value is the price being served; what is stored of today is read only
 * because a publication by a clock ahead of ours may have closed it already. A whole reading leaves the statistics out,
 * so that prices are served first. Rejects where the publication is older than `leastVersion`.
 */
export async function readChanges(
  database: Database<Schema>,
  loaded: LoadedState | null,
  today: DayNumber,
  leastVersion = 0,
): Promise<LoadedState> {
  return inReadSnapshot(database.kysely, (tx) => readChangesIn(tx, loaded, today), leastVersion);
}

/** The same, within a transaction that sees one moment. */
export async function readChangesIn(
  tx: Kysely<Schema>,
  loaded: LoadedState | null,
  today: DayNumber,
): Promise<LoadedState> {
  const facts = await readFacts(tx);
  const since = loaded !== null && loaded.facts.version <= facts.version ? loaded.facts.version : null;
  const changed = since === null ? null : await daysChangedSince(tx, since, facts.version);
  if (loaded !== null && changed?.length === 0) return { ...loaded, facts };
  const isNew = loaded === null || changed === null;
  const history = isNew ? new PriceHistory() : loaded.history.copy();
  const statistics = isNew
    ? new StatisticsHistory()
    : await withChangedStatistics(tx, loaded.statistics, changed, today);
  for (const { station, firstDay, fuels } of await loadFirstDays(tx)) history.noteKnown(station, firstDay, fuels);
  const oldest = today - HISTORY_DAYS + 1;
  const days = changed ?? Array.from({ length: HISTORY_DAYS }, (_, index) => oldest + index);
  for (const day of days) {
    if (day < oldest || day > today) continue;
    const rows = await readDay(tx, day);
    history.clearDay(day);
    for (const row of rows) history.putDay(row, day);
  }
  return { facts, history, statistics, hasAllStatistics: !isNew && loaded.hasAllStatistics };
}

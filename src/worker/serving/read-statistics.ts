/** Reads the statistics of past days. */
import type { Kysely } from 'kysely';
import type { DayNumber } from '../../domain/days.ts';
import { SCOPE_KINDS, type ScopeKind } from '../../domain/prices/day-statistics.ts';
import { STATISTICS_DAYS, StatisticsHistory } from '../../snapshot/statistics-history.ts';
import type { Database } from '../../store/connection/database.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { firstDayOfStatistics, readDayStatistics } from '../../store/prices/day-statistics.ts';
import { inReadSnapshot } from '../../store/prices/publication.ts';

/** Days read in one statement: few enough that parsing them does not hold up requests. */
const CITY_DAYS_AT_ONCE = 5;
const OTHER_DAYS_AT_ONCE = 60;

/**
 * Reads all days that are held in memory: 1 to 2 CPU seconds for 400. `null` = none is stored. Rejects where the
 * publication is older than `leastVersion`.
 */
export async function readAllStatistics(
  database: Database<Schema>,
  today: DayNumber,
  leastVersion = 0,
): Promise<StatisticsHistory | null> {
  const readAll = async (tx: Kysely<Schema>) => {
    const first = await firstDayOfStatistics(tx);
    if (first === null) return null;
    const statistics = new StatisticsHistory();
    const read = async (kinds: readonly ScopeKind[], days: number, atOnce: number) => {
      for (let from = Math.max(first, today - days); from <= today; from += atOnce) {
        const to = Math.min(from + atOnce - 1, today);
        for (const { day, lists } of await readDayStatistics(tx, from, to, kinds)) statistics.putDay(day, lists);
      }
    };
    await read(['national', 'county', 'network'], STATISTICS_DAYS.national, OTHER_DAYS_AT_ONCE);
    await read(['city'], STATISTICS_DAYS.city, CITY_DAYS_AT_ONCE);
    return statistics;
  };
  return inReadSnapshot(database.kysely, readAll, leastVersion);
}

/** A copy with the changed days read again, bounded to the days that are held in memory. */
export async function withChangedStatistics(
  tx: Kysely<Schema>,
  held: StatisticsHistory,
  changed: readonly DayNumber[],
  today: DayNumber,
): Promise<StatisticsHistory> {
  const statistics = held.copy();
  for (const day of changed) {
    if (day < today - STATISTICS_DAYS.national) continue;
    statistics.clearDay(day);
    for (const { lists } of await readDayStatistics(tx, day, day, SCOPE_KINDS)) statistics.putDay(day, lists);
  }
  statistics.prune(today);
  return statistics;
}

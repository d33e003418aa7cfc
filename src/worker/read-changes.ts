/** Brings a reader's facts and history up to the present publication, reading no more than what changed. */
import type { DayNumber } from '../domain/days.ts';
import type { Facts } from '../domain/facts.ts';
import { HISTORY_DAYS, type History } from '../snapshot/history.ts';
import { loadFirstDays, readDays } from '../store/daily-prices.ts';
import type { Database } from '../store/database.ts';
import { daysChangedSince, loadFacts } from '../store/publication.ts';
import type { Schema } from '../store/schema.ts';

/**
 * Reads the facts as of one moment and the past days that changed since version `since` (`null` = all 90) into the
 * history. Today needs no reading: its value is the price being served.
 */
export async function readChanges(
  database: Database<Schema>,
  history: History,
  since: number | null,
  today: DayNumber,
): Promise<Facts> {
  return database.kysely
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const facts = await loadFacts(tx);
      const oldest = today - HISTORY_DAYS + 1;
      const behind = since !== null && since <= facts.version;
      const changed = !behind ? null : await daysChangedSince(tx, since, facts.version);
      const days = changed ?? Array.from({ length: HISTORY_DAYS - 1 }, (_, index) => oldest + index);
      const wanted = days.filter((day) => day >= oldest && day < today);
      if (changed === null || changed.length > 0) {
        for (const { station, firstDay, fuels } of await loadFirstDays(tx)) history.know(station, firstDay, fuels);
      }
      for (const [from, to] of stretches(wanted)) {
        for await (const { day, rows } of readDays(tx, from, to)) {
          history.clear(day);
          for (const row of rows) history.put(row, day);
        }
      }
      return facts;
    });
}

/** Sorted days → first and last of each unbroken stretch. */
function* stretches(days: readonly DayNumber[]): Generator<[DayNumber, DayNumber]> {
  let from: DayNumber | undefined;
  for (const [index, day] of days.entries()) {
    from ??= day;
    if (days[index + 1] === day + 1) continue;
    yield [from, day];
    from = undefined;
  }
}

/** What a reader holds, brought up to the present publication by reading no more than what changed. */
import type { DayNumber } from '../../domain/days.ts';
import type { Facts } from '../../domain/prices/facts.ts';
import { HISTORY_DAYS, History } from '../../snapshot/history.ts';
import type { Database } from '../../store/connection/database.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { loadFirstDays, readDay } from '../../store/prices/daily-prices.ts';
import { atOneMoment, daysChangedSince, loadFacts } from '../../store/prices/publication.ts';

export type Held = { readonly facts: Facts; readonly history: History };

/**
 * The facts as of one moment, with the days that changed since `held` was read (`null` = all 90) in a history of their
 * own: what is held stays as it is. Today's value is the price being served; what is stored of today is read only
 * because a publication by a clock ahead of ours may have closed it already.
 */
export async function readChanges(database: Database<Schema>, held: Held | null, today: DayNumber): Promise<Held> {
  return atOneMoment(database.kysely, async (tx) => {
    const facts = await loadFacts(tx);
    const since = held !== null && held.facts.version <= facts.version ? held.facts.version : null;
    const changed = since === null ? null : await daysChangedSince(tx, since, facts.version);
    if (held !== null && changed?.length === 0) return { facts, history: held.history };
    const history = held === null || changed === null ? new History() : copyOf(held.history);
    for (const { station, firstDay, fuels } of await loadFirstDays(tx)) history.know(station, firstDay, fuels);
    const oldest = today - HISTORY_DAYS + 1;
    const days = changed ?? Array.from({ length: HISTORY_DAYS }, (_, index) => oldest + index);
    for (const day of days) {
      if (day < oldest || day > today) continue;
      const rows = await readDay(tx, day);
      history.clear(day);
      for (const row of rows) history.put(row, day);
    }
    return { facts, history };
  });
}

/** A history of its own with the same content. */
export function copyOf(history: History): History {
  return new History(
    new Map([...history.content()].map(([id, series]) => [id, { ...series, ring: series.ring.slice() }])),
  );
}

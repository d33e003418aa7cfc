/** Stores day values: of days that ended, when facts are published, and of past days, when facts come late. Rule 31. */

import type { Kysely } from 'kysely';
import { bucharestDay, type DayNumber, dayNumber, startOfBucharestDay } from '../../domain/days.ts';
import type { KnownPrice } from '../../domain/prices/apply-collection.ts';
import type { CollectionSettings } from '../../domain/prices/collection-settings.ts';
import type { StoredPrice } from '../../domain/prices/facts.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { writeDay } from '../../store/prices/daily-prices.ts';
import { loadKnownPricesAsOf, readTimesAsOf } from '../../store/prices/facts-as-of.ts';
import { loadFacts } from '../../store/prices/load-facts.ts';
import { closedDayValues, dayValues } from './day-values.ts';

/** Writes the days that ended since the last publication, before new facts come in. */
export async function storeClosedDays(
  tx: Kysely<Schema>,
  publishedAt: number | null,
  today: DayNumber,
  settings: CollectionSettings,
): Promise<DayNumber[]> {
  if (publishedAt === null || dayNumber(bucharestDay(publishedAt)) >= today) return [];
  const closed = closedDayValues(await loadFacts(tx), today, settings);
  for (const { day, rows } of closed) await writeDay(tx, day, rows);
  return closed.map(({ day }) => day);
}

/** Rewrites the value of a past day from what was known at its end, overlaid with the rows of an older run. */
export async function rewriteDay(
  tx: Kysely<Schema>,
  day: DayNumber,
  settings: CollectionSettings,
  overlay: readonly KnownPrice[],
): Promise<void> {
  const end = startOfBucharestDay(day + 1) - 1;
  const present = await loadFacts(tx);
  const sources = new Set(present.prices.map(({ source }) => source));
  const prices: StoredPrice[] = [];
  for (const source of sources) {
    const readAt = await readTimesAsOf(tx, source, end);
    const known = new Map(
      (await loadKnownPricesAsOf(tx, source, end)).map((fact) => [`${fact.station} ${fact.fuel}`, fact]),
    );
    for (const fact of overlay) {
      const later = known.get(`${fact.station} ${fact.fuel}`);
      if (fact.source === source && later?.price === fact.price) known.set(`${fact.station} ${fact.fuel}`, fact);
    }
    for (const fact of known.values()) {
      prices.push({ ...fact, readAt: readAt(fact.unit) ?? fact.observed?.at ?? Number.NEGATIVE_INFINITY });
    }
  }
  await writeDay(tx, day, dayValues({ ...present, prices }, end, settings));
}

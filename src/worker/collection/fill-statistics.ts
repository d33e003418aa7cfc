/** Computes the statistics of past days that have none: those stored by a version that did not know statistics. */
import type { Kysely } from 'kysely';
import { bucharestDay, dayNumber } from '../../domain/days.ts';
import type { Gazetteer } from '../../domain/places/gazetteer.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { fillTrust } from '../../store/prices/daily-prices.ts';
import { daysWithoutStatistics } from '../../store/prices/day-statistics.ts';
import { completePublication, lockPublication, publicationTransaction } from '../../store/prices/publication.ts';
import { writeStatistics } from './write-statistics.ts';

/** Days in one publication, which locks out others for about a second. */
const DAYS_AT_ONCE = 20;

/** Publishes the missing statistics, latest days first; returns their number of days. Stops early when aborted. */
export async function fillStatistics(db: Kysely<Schema>, gazetteer: Gazetteer, signal: AbortSignal): Promise<number> {
  let filled = 0;
  for (let latest = -1; latest !== 0 && !signal.aborted; filled += latest) latest = await fillSome(db, gazetteer);
  return filled;
}

function fillSome(db: Kysely<Schema>, gazetteer: Gazetteer): Promise<number> {
  return publicationTransaction(db, async (tx) => {
    const { publishedAt } = await lockPublication(tx);
    if (publishedAt === null) return 0;
    // The day of the newest facts is still open: the next publication closes it.
    const days = await daysWithoutStatistics(tx, dayNumber(bucharestDay(publishedAt)), DAYS_AT_ONCE);
    if (days.length === 0) return 0;
    await fillTrust(tx, days);
    await writeStatistics(tx, days, gazetteer);
    await completePublication(tx, { publishedAt: null, updatedAt: null, changedDays: days });
    return days.length;
  });
}

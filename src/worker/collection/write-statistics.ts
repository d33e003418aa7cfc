/** Computes the statistics of past days from their stored values, with the places that the stations have now. */
import type { Kysely } from 'kysely';
import type { DayNumber } from '../../domain/days.ts';
import type { Gazetteer } from '../../domain/places/gazetteer.ts';
import { describeStations } from '../../domain/stations/source-station.ts';
import { aggregateDay } from '../../snapshot/aggregate-day.ts';
import { createStationPlacer } from '../../snapshot/station-placer.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { readCountedDay } from '../../store/prices/daily-prices.ts';
import { writeDayStatistics } from '../../store/prices/day-statistics.ts';
import { loadSourceStations } from '../../store/prices/stations.ts';

/** Call it in the transaction that changed the values of these days. */
export async function writeStatistics(
  tx: Kysely<Schema>,
  days: readonly DayNumber[],
  gazetteer: Gazetteer,
): Promise<void> {
  if (days.length === 0) return;
  const place = createStationPlacer(gazetteer);
  const placed = new Map(describeStations(await loadSourceStations(tx)).map((one) => [one.id, place(one).served]));
  for (const day of days) {
    const values = await readCountedDay(tx, day);
    const trusted = values.flatMap(({ station: id, prices }) => {
      const station = placed.get(id);
      return station === undefined ? [] : [{ station, prices }];
    });
    await writeDayStatistics(tx, day, aggregateDay(trusted));
  }
}

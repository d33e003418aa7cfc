/**
 * Closes the days that ended since the facts were published, in memory, as the next publication will in the database.
 */
import type { DayNumber } from '../../domain/days.ts';
import { FUELS } from '../../domain/fuel.ts';
import type { CollectionSettings } from '../../domain/prices/collection-settings.ts';
import { aggregateDay, type TrustedStation } from '../../snapshot/aggregate-day.ts';
import type { PriceHistory } from '../../snapshot/price-history.ts';
import { createStationPlacer } from '../../snapshot/station-placer.ts';
import type { DayPrices } from '../../store/prices/daily-prices.ts';
import { closedDayValues } from '../collection/day-values.ts';
import type { LoadedState } from './read-changes.ts';

/** Returns what is held with these days added to copies of its histories, or itself if no day ended. */
export function withClosedDays(loaded: LoadedState, today: DayNumber, settings: CollectionSettings): LoadedState {
  const closed = closedDayValues(loaded.facts, today, settings);
  if (closed.length === 0) return loaded;
  const history = loaded.history.copy();
  const statistics = loaded.statistics.copy();
  const place = createStationPlacer(settings.gazetteer);
  const placed = new Map(loaded.facts.stations.map((station) => [station.id, place(station).served]));
  for (const { day, rows } of closed) {
    for (const row of rows) history.putDay(row, day, row.facts);
    const counted = countedPrices(history, day, rows).flatMap(({ station: id, prices }): TrustedStation[] => {
      const station = placed.get(id);
      return station === undefined ? [] : [{ station, prices }];
    });
    for (const lists of aggregateDay(counted)) statistics.putDay(day, lists);
  }
  return { ...loaded, history, statistics };
}

/** The values of a day that count in statistics: trusted ones, and imported ones where no fact has spoken. */
function countedPrices(history: PriceHistory, day: DayNumber, rows: readonly DayPrices[]) {
  const own = new Map(rows.map((row) => [row.station, row]));
  return [...history.pricesOn(day)].map(({ station, prices }) => {
    const { facts = 0, sources = [] } = own.get(station) ?? {};
    const isCounted = (index: number) => ((facts >> index) & 1) === 0 || (sources[index] ?? null) !== null;
    return { station, prices: FUELS.map((_, index) => (isCounted(index) ? (prices[index] ?? null) : null)) };
  });
}

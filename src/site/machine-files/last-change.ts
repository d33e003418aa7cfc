/** When the prices that a page shows last changed: what the sitemap tells crawlers. */
import type { DayNumber } from '../../domain/days.ts';
import type { Fuel, RoadFuel } from '../../domain/fuel.ts';
import { HISTORY_DAYS } from '../../snapshot/price-history.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { StationPrices } from '../lookup/station-prices.ts';

/**
 * The last day on which a price of the stations changed or was withdrawn, of one fuel or of all; `null` = not known.
 */
export function lastChange(
  stations: readonly StationPrices[],
  snapshot: Snapshot,
  fuel: RoadFuel | 'all' = 'all',
): DayNumber | null {
  let latest: DayNumber | null = null;
  for (const { station, verdicts } of stations)
    for (const [each, verdict] of verdicts) {
      if (fuel !== 'all' && each !== fuel) continue;
      const day = 'fact' in verdict ? verdict.fact.sinceDay : withdrawalDay(station.id, each, snapshot);
      if (day !== null && (latest === null || day > latest)) latest = day;
    }
  return latest;
}

/** The first day without the price, if it had one within the days kept. */
function withdrawalDay(station: string, fuel: Fuel, { history, today }: Snapshot): DayNumber | null {
  const series = history(station);
  if (series === undefined || !series.fuels.includes(fuel)) return null;
  for (let day = today - 1; day > today - HISTORY_DAYS; day -= 1) if (series.price(fuel, day) !== null) return day + 1;
  return null;
}

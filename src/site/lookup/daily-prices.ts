/** The recent prices of a station, day by day. */
import type { Fuel, MilliPrice } from '../../domain/fuel.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';

/** The prices of the last days, today included, oldest first; `null` = none is known. At most 90 days are. */
export function dailyPrices(
  stationId: string,
  fuel: Fuel,
  days: number,
  { history, today }: Snapshot,
): (MilliPrice | null)[] {
  const known = history(stationId);
  return Array.from({ length: days }, (_, index) => known?.price(fuel, today - days + 1 + index) ?? null);
}

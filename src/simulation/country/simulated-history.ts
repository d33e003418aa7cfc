/** The past of the simulated country as day values: what collections at the end of each day would store. */
import { type DayNumber, dayText } from '../../domain/days.ts';
import type { MilliPrice, RoadFuel } from '../../domain/fuel.ts';
import { ORPHAN_PRICE_MS, STALE_DAYS, STUCK_DAYS } from '../../domain/prices/price-verdict.ts';
import type { Country } from './country.ts';
import { anomalyOf, isUnitFailing, registerQuote } from './simulated-prices.ts';
import { registerKey, type SimulatedStation } from './simulated-station.ts';

/**
 * One day value, ready to be imported. `station` is the id that the caller's `stationKeyToId` returns for the
 * register's key.
 */
export type SimulatedDayPrice = {
  readonly date: string;
  readonly station: string;
  readonly fuel: RoadFuel;
  readonly price: MilliPrice;
  /** Whether the rules would doubt it: such a price counts in no statistics. */
  readonly doubtful: boolean;
};

const LAST_MINUTE = 24 * 60 - 1;
/** Days for which an orphan's last price is still served. */
const ORPHAN_DAYS = ORPHAN_PRICE_MS / 86_400_000;
/** Days after which an anomaly makes a price doubtful. Rule 26. */
const DAYS_UNTIL_DOUBTFUL = { orphan: 0, stale: STALE_DAYS, stuck: STUCK_DAYS } as const;

/**
 * Day values from `fromDay` to `toDay`, both included, oldest day first: prices served, doubtful ones too (rule
 * 31). Withdrawn or unknown prices give no row, nor do stations whose key (see `stationKey`) has no id.
 */
export function* historyDays(
  country: Country,
  fromDay: DayNumber,
  toDay: DayNumber,
  stationKeyToId: (key: string) => string | undefined,
): Generator<SimulatedDayPrice> {
  for (let day = fromDay; day <= toDay; day += 1) {
    const date = dayText(day);
    for (const station of country.stations) {
      const id = stationKeyToId(registerKey(station));
      if (id === undefined) continue;
      for (const fuel of station.fuels) {
        const price = dayValue(country, station, fuel, day);
        if (price !== null) yield { date, station: id, fuel, price, doubtful: isDoubtful(station, fuel, day) };
      }
    }
  }
}

/** The price served at the end of a Bucharest day, doubtful or not; `null` = withdrawn or unknown. */
function dayValue(country: Country, station: SimulatedStation, fuel: RoadFuel, day: DayNumber): MilliPrice | null {
  if (station.anomalies.length > 0) {
    // Its last good answer came at the end of the previous day: a failing unit has been silent for 24 hours.
    if (isUnitFailing(country, station.siruta, day)) return null;
    const lastDay = lastDaySent(station, fuel, day);
    if (lastDay !== day) return day - lastDay <= ORPHAN_DAYS ? dayValue(country, station, fuel, lastDay) : null;
    if (isWithdrawn(station, fuel, day)) return null;
  }
  const posting = registerQuote(country, station, fuel, { day, minute: LAST_MINUTE });
  return posting.kind === 'priced' ? posting.price : null;
}

function isDoubtful(station: SimulatedStation, fuel: RoadFuel, day: DayNumber): boolean {
  return (['orphan', 'stale', 'stuck'] as const).some((kind) => {
    const since = anomalyOf(station, kind, fuel)?.since;
    return since != null && day - since >= DAYS_UNTIL_DOUBTFUL[kind];
  });
}

function lastDaySent(station: SimulatedStation, fuel: RoadFuel, day: DayNumber): DayNumber {
  const orphan = anomalyOf(station, 'orphan', fuel);
  return orphan?.since == null || day < orphan.since ? day : orphan.since - 1;
}

function isWithdrawn(station: SimulatedStation, fuel: RoadFuel, day: DayNumber): boolean {
  return (['out-of-range', 'premium-below-standard'] as const).some((kind) => {
    const anomaly = anomalyOf(station, kind, fuel);
    return anomaly !== undefined && day >= (anomaly.since ?? 0);
  });
}

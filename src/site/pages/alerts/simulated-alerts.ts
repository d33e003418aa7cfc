/** Which alerts the rules would have sent of late, judged from the days that the snapshot has in memory. */

import { BoundedMap } from '../../../concurrency/bounded-map.ts';
import { runInTimeSlices } from '../../../concurrency/in-slices.ts';
import {
  ALERT_DAYS,
  type PastDay,
  type PriceDrop,
  type TrustedPrice,
  type TrustedPrices,
} from '../../../domain/alerts/alert.ts';
import { type PublishedPrices, replayAlertsInSlices } from '../../../domain/alerts/alert-replay.ts';
import { bucharestDay, type DayNumber, dayNumber, noonOfBucharestDay } from '../../../domain/days.ts';
import type { RoadFuel } from '../../../domain/fuel.ts';
import type { StationHistory } from '../../../snapshot/price-history.ts';
import type { Snapshot } from '../../../snapshot/snapshot.ts';
import { type StationPrices, stationLookup } from '../../lookup/station-prices.ts';

/** The days that a simulation covers, today included. */
export const SIMULATED_DAYS = 30;

export type SimulatedAlerts = {
  /** Oldest first. */
  readonly alerts: readonly { readonly day: DayNumber; readonly drop: PriceDrop }[];
  /** How many of the days have a price. */
  readonly knownDays: number;
};

const MAX_CACHED = 500;
const simulations = new WeakMap<Snapshot, BoundedMap<Promise<SimulatedAlerts>>>();

/**
 * The alerts for one city and fuel: each day counts as one publication at noon. Judged once per snapshot, in slices of
 * the event loop.
 */
export function simulatedAlerts(city: string, fuel: RoadFuel, snapshot: Snapshot): Promise<SimulatedAlerts> {
  const cached = simulations.get(snapshot) ?? new BoundedMap(MAX_CACHED);
  simulations.set(snapshot, cached);
  const key = `${city} ${fuel}`;
  const known = cached.get(key);
  if (known !== undefined) return known;
  const made = runInTimeSlices(simulateInSlices(stationLookup(snapshot).byCity.get(city) ?? [], fuel, snapshot));
  cached.set(key, made);
  return made;
}

function* simulateInSlices(
  stations: readonly StationPrices[],
  fuel: RoadFuel,
  snapshot: Snapshot,
): Generator<void, SimulatedAlerts, void> {
  const pricesOn = yield* dayReader(stations, fuel, snapshot);
  const first = snapshot.today - SIMULATED_DAYS + 1;
  const past: PastDay[] = [];
  for (let day = first - ALERT_DAYS; day < first; day += 1) {
    past.push({ day, prices: pricesOn(day) });
    yield;
  }
  const judged = yield* replayAlertsInSlices(publications(first, snapshot.today, pricesOn), past);
  return {
    alerts: judged.flatMap(({ at, verdict }) =>
      verdict.kind === 'send' ? [{ day: dayNumber(bucharestDay(at)), drop: verdict.drop }] : [],
    ),
    knownDays: judged.length,
  };
}

/** A day without any price is none. */
function* publications(
  first: DayNumber,
  last: DayNumber,
  pricesOn: (day: DayNumber) => TrustedPrices,
): Generator<PublishedPrices, void, void> {
  for (let day = first; day <= last; day += 1) {
    const prices = pricesOn(day);
    if (prices.size > 0) yield { at: noonOfBucharestDay(day), prices };
  }
}

/** The prices of a day. Only today's sources are known, and only today the doubtful prices can be left out. */
function* dayReader(
  stations: readonly StationPrices[],
  fuel: RoadFuel,
  { history, today }: Snapshot,
): Generator<void, (day: DayNumber) => TrustedPrices, void> {
  const series: (Pick<StationPrices, 'station' | 'verdicts'> & { readonly past: StationHistory | undefined })[] = [];
  for (const { station, verdicts } of stations) {
    series.push({ station, verdicts, past: history(station.id) });
    yield;
  }
  return (day) => {
    const prices = new Map<string, TrustedPrice>();
    for (const { station, verdicts, past } of series) {
      const verdict = day === today ? verdicts.get(fuel) : undefined;
      const price = day === today ? null : (past?.price(fuel, day) ?? null);
      if (verdict?.kind === 'trusted') prices.set(station.id, { price: verdict.price, source: verdict.fact.source });
      else if (price !== null) prices.set(station.id, { price, source: null });
    }
    return prices;
  };
}

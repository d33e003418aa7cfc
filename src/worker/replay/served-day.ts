/** What would be served at the end of a replayed day. */

import { dayText } from '../../domain/days.ts';
import { FUELS } from '../../domain/fuel.ts';
import { FUEL_CODE } from '../../domain/fuel-codes.ts';
import type { CollectionSettings } from '../../domain/prices/collection-settings.ts';
import { verdictCode } from '../../domain/prices/price-verdict.ts';
import { buildSnapshot, priceOf } from '../../snapshot/build.ts';
import { PriceHistory } from '../../snapshot/price-history.ts';
import type { StationRecord } from '../../snapshot/snapshot.ts';
import type { ReplayedDay } from './replay.ts';

/** One record of a station and fuel, as the command line shows it. */
export type ServedPrice = {
  readonly station: string;
  readonly fuel: string;
  /** RON a litre; `null` = withdrawn or unknown. */
  readonly price: number | null;
  readonly verdict: string;
  /** The source of the price. */
  readonly source: string | null;
  /** Why it is doubtful. */
  readonly reason: string | null;
};

export type ServedDay = {
  /** `YYYY-MM-DD`, in Bucharest. */
  readonly day: string;
  readonly runs: number;
  /** Why the day is left out. */
  readonly leftOut: string | null;
  /** By station id and the contract's order of fuels. */
  readonly prices: readonly ServedPrice[];
};

/** Judges a replayed day by the rules. */
export function servedDay({ day, runs, leftOut, facts, now }: ReplayedDay, settings: CollectionSettings): ServedDay {
  const summary = { day: dayText(day), runs, leftOut };
  if (leftOut !== null) return { ...summary, prices: [] };
  const { records } = buildSnapshot({ ...settings, facts, now, history: new PriceHistory() });
  return { ...summary, prices: records.toSorted(byStation).map(servedPrice) };
}

function byStation(a: StationRecord, b: StationRecord): number {
  if (a.station.id !== b.station.id) return a.station.id < b.station.id ? -1 : 1;
  return FUELS.indexOf(a.fuel) - FUELS.indexOf(b.fuel);
}

function servedPrice({ station, fuel, verdict }: StationRecord): ServedPrice {
  const price = priceOf(verdict);
  return {
    station: station.id,
    fuel: FUEL_CODE[fuel],
    price: price === null ? null : price / 1000,
    verdict: verdictCode(verdict.kind),
    source: 'fact' in verdict ? verdict.fact.source : null,
    reason: verdict.kind === 'doubtful' ? verdict.reason : null,
  };
}

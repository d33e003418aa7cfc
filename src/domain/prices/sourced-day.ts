/**
 * Whose the price of a past day is. A day's values are stored without their sources; which source was relied on is
 * kept for some months beside them, so older values are attributed only where no other source is possible.
 */
import { FUELS, type Fuel, type MilliPrice } from '../fuel.ts';

/** The name under which daily prices that the operator imported count as a source. */
export const IMPORTED_DAYS = 'import';

/** What is stored of one day of one station; lists are in the order of `FUELS`. */
export type StoredStationDay = {
  readonly day: string;
  readonly station: string;
  readonly prices: readonly (MilliPrice | null)[];
  /** Fuels whose value comes from facts, one bit each; the others were imported. */
  readonly facts: number;
  /** Fuels whose value is a trusted price, one bit each; `null` = not known. */
  readonly trusted: number | null;
  /** The source of each trusted price; `null` in its place = a doubtful one. `null` alone = no longer kept. */
  readonly reliedOn: readonly (string | null)[] | null;
};

/** The trusted prices of one day and station that come from one source; `null` = none. */
export type SourcedDay = {
  readonly day: string;
  readonly station: string;
  readonly source: string;
  readonly prices: readonly (MilliPrice | null)[];
};

/**
 * The only source that ever told a price of this fuel at this station; `undefined` if there are several, or none.
 */
export type SoleSourceOf = (station: string, fuel: Fuel) => string | undefined;

/**
 * Splits a stored day by source, in the order of their names. Leaves out doubtful prices, and those whose source is not
 * known for certain.
 */
export function splitBySource(stored: StoredStationDay, soleSourceOf: SoleSourceOf): SourcedDay[] {
  const { day, station, prices } = stored;
  const bySource = new Map<string, (MilliPrice | null)[]>();
  for (const [index, fuel] of FUELS.entries()) {
    const price = prices[index] ?? null;
    const source = price === null ? null : sourceOfValue(stored, index, () => soleSourceOf(station, fuel));
    if (source === null) continue;
    const own = bySource.get(source) ?? FUELS.map(() => null);
    own[index] = price;
    bySource.set(source, own);
  }
  return [...bySource.keys()]
    .sort()
    .map((source) => ({ day, station, source, prices: bySource.get(source) as (MilliPrice | null)[] }));
}

function sourceOfValue(
  { facts, trusted, reliedOn }: StoredStationDay,
  index: number,
  soleSource: () => string | undefined,
): string | null {
  const bit = 1 << index;
  if ((facts & bit) === 0) return IMPORTED_DAYS;
  if (reliedOn !== null) return reliedOn[index] ?? null;
  return ((trusted ?? 0) & bit) === 0 ? null : (soleSource() ?? null);
}

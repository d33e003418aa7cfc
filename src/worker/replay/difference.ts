/** How two replays of the same days differ, record by record. */
import type { ServedDay, ServedPrice } from './served-day.ts';

export type DayDifference = {
  readonly day: string;
  /** Why the day cannot be compared; `null` = it was compared. */
  readonly leftOut: string | null;
  /** Records in either or both. */
  readonly records: number;
  /** A record may differ in several of these. */
  readonly prices: number;
  readonly verdicts: number;
  readonly sources: number;
  readonly appeared: number;
  readonly vanished: number;
  readonly differ: number;
  readonly examples: readonly DifferenceExample[];
};

export type DifferenceExample = {
  readonly station: string;
  readonly fuel: string;
  readonly before: ServedPrice | null;
  readonly after: ServedPrice | null;
};

/** Examples kept per day. */
const MAX_EXAMPLES = 5;

/** How `after` differs from `before`, two replays of one day. */
export function differenceOf(before: ServedDay, after: ServedDay): DayDifference {
  const leftOut = after.leftOut ?? (before.leftOut === null ? null : `${before.leftOut} (in the file)`);
  const pairs = leftOut === null ? pairsOf(before.prices, after.prices) : [];
  const differing = pairs.filter(isDifferent);
  const both = differing.filter((pair): pair is RecordPair => pair.before !== null && pair.after !== null);
  return {
    day: after.day,
    leftOut,
    records: pairs.length,
    prices: both.filter((pair) => pair.before.price !== pair.after.price).length,
    verdicts: both.filter(hasOtherVerdict).length,
    sources: both.filter((pair) => pair.before.source !== pair.after.source).length,
    appeared: differing.filter((pair) => pair.before === null).length,
    vanished: differing.filter((pair) => pair.after === null).length,
    differ: differing.length,
    examples: differing.slice(0, MAX_EXAMPLES),
  };
}

type RecordPair = DifferenceExample & { readonly before: ServedPrice; readonly after: ServedPrice };

function pairsOf(before: readonly ServedPrice[], after: readonly ServedPrice[]): DifferenceExample[] {
  const pairs = new Map<
    string,
    { station: string; fuel: string; before: ServedPrice | null; after: ServedPrice | null }
  >();
  for (const price of before) pairs.set(recordKey(price), { ...keyFields(price), before: price, after: null });
  for (const price of after) {
    const pair = pairs.get(recordKey(price));
    if (pair === undefined) pairs.set(recordKey(price), { ...keyFields(price), before: null, after: price });
    else pair.after = price;
  }
  return [...pairs.values()];
}

const keyFields = ({ station, fuel }: ServedPrice) => ({ station, fuel });
const recordKey = ({ station, fuel }: ServedPrice) => `${station} ${fuel}`;

function isDifferent({ before, after }: DifferenceExample): boolean {
  if (before === null || after === null) return true;
  const pair = { before, after };
  return before.price !== after.price || hasOtherVerdict(pair) || before.source !== after.source;
}

function hasOtherVerdict({ before, after }: Pick<RecordPair, 'before' | 'after'>): boolean {
  return before.verdict !== after.verdict || before.reason !== after.reason;
}

/** The prices of stations that return on a day, as of their first publication on it: later drops compare with them. */
import type { Kysely } from 'kysely';
import { runInSlices } from '../../concurrency/in-slices.ts';
import type { PastDay, TrustedPrice, TrustedPrices } from '../../domain/alerts/alert.ts';
import { isComparable } from '../../domain/alerts/alert.ts';
import { type DayNumber, startOfBucharestDay } from '../../domain/days.ts';
import type { CollectionSettings } from '../../domain/prices/collection-settings.ts';
import type { PublishedFacts } from '../../domain/prices/facts.ts';
import { buildSnapshotInSlices } from '../../snapshot/build.ts';
import { PriceHistory } from '../../snapshot/price-history.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { loadKnownPricesAsOf, readTimesAsOf } from '../../store/prices/facts-as-of.ts';
import { deliveriesBetween } from '../../store/prices/runs.ts';

/**
 * The sources of the cheapest stations now, if they were not trusted by the same source on the last known day before
 * `day`: only price drops of theirs can cause alerts on the day of their return.
 */
export function returnedSources(now: TrustedPrices, past: readonly PastDay[], day: DayNumber): string[] {
  const previous = past.filter((each) => each.day < day && each.prices.size > 0).sort((a, b) => b.day - a.day)[0];
  const lowest = Math.min(...[...now.values()].map(({ price }) => price));
  const returned = [...now].filter(
    ([station, each]) => each.price === lowest && !isComparable(each, previous?.prices.get(station)),
  );
  return [...new Set(returned.flatMap(([, { source }]) => source ?? []))];
}

/**
 * What a source alone gave on a day: the snapshots of its first run that delivered, and of the last one before the
 * moment `before`, epoch ms, for stations that returned in between. The first comes last.
 */
export async function snapshotsOfDay(
  tx: Kysely<Schema>,
  source: string,
  { day, before }: { day: DayNumber; before: number },
  { facts, settings }: { facts: PublishedFacts; settings: CollectionSettings },
): Promise<Snapshot[]> {
  const start = startOfBucharestDay(day);
  const delivered = await deliveriesBetween(tx, source, start, Math.min(before, startOfBucharestDay(day + 1)));
  const snapshots: Snapshot[] = [];
  for (const at of new Set([delivered.at(-1), delivered[0]])) {
    if (at === undefined) continue;
    const readAt = await readTimesAsOf(tx, source, at);
    const prices = (await loadKnownPricesAsOf(tx, source, at)).flatMap((fact) => {
      const read = readAt(fact.unit);
      return read === null || read < start ? [] : [{ ...fact, readAt: read }];
    });
    const asOf = { ...settings, facts: { ...facts, prices }, now: at, history: new PriceHistory() };
    snapshots.push(await runInSlices(buildSnapshotInSlices(asOf)));
  }
  return snapshots;
}

/** Of several such prices the later in the list, each only where its source is the one that prices the station now. */
export function mergeFirstPrices(now: TrustedPrices, given: readonly TrustedPrices[]): TrustedPrices {
  const first = new Map<string, TrustedPrice>();
  for (const prices of given) {
    for (const [station, { source }] of now) {
      const price = prices.get(station);
      if (price !== undefined && price.source === source) first.set(station, price);
    }
  }
  return first;
}

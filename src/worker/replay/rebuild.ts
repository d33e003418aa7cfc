/** Rewrites day values by a replay, in one publication. Current data do not change. Rule 31. */

import type { DayNumber } from '../../domain/days.ts';
import { FUELS } from '../../domain/fuel.ts';
import type { CollectionSettings } from '../../domain/prices/collection-settings.ts';
import { renewEpoch } from '../../store/changes/feed-head.ts';
import { holdsLease, releaseLease } from '../../store/connection/leases.ts';
import { type DayPrices, readDay, replaceDay, updateTrust } from '../../store/prices/daily-prices.ts';
import { completePublication, lockPublication, publicationTransaction } from '../../store/prices/publication.ts';
import { type CollectOptions, type Collector, startLeaseRenewal, waitForLease } from '../collection/collect.ts';
import { dayValues, pricedOnly } from '../collection/day-values.ts';
import { LeaseLost } from '../collection/lease-errors.ts';
import { writeStatistics } from '../collection/write-statistics.ts';
import type { ReplayedDay } from './replay.ts';

/** What today's rules give for a day. */
export type RebuiltDay = { readonly day: DayNumber; readonly rows: readonly DayPrices[] };

/** The values of a replayed day, as collections would have left them, of the stations that are stored. */
export function rebuiltDay(
  { day, facts, now, runs, setAside }: ReplayedDay,
  settings: CollectionSettings,
  stations: ReadonlySet<string>,
): RebuiltDay {
  const rows = dayValues(facts, now, settings).filter(({ station }) => stations.has(station));
  return { day, rows: setAside.length < runs ? rows : pricedOnly(rows) };
}

export type RebuildResult = {
  /** Number of changed values, by day; only days with any. */
  readonly changed: ReadonlyMap<DayNumber, number>;
  /** `null` = no value changed, nor whether it is trusted, and nothing was published. */
  readonly version: number | null;
};

type RebuildLeaseHolder = Pick<Collector, 'database' | 'settings' | 'holder' | 'leaseMs'>;

/**
 * Computes the days and stores them while no other process can collect. Rejects with `LeaseTaken` or `LeaseLost`, and
 * if it was stopped: then nothing is stored.
 */
export async function rebuildDays(
  holder: RebuildLeaseHolder,
  options: Pick<CollectOptions, 'waitMs' | 'signal'>,
  work: (signal: AbortSignal) => Promise<readonly RebuiltDay[]>,
): Promise<RebuildResult> {
  const lease = await waitForLease(holder, options);
  const lost = new AbortController();
  const stopRenewal = startLeaseRenewal(holder, lease, lost);
  try {
    const days = await work(AbortSignal.any([options.signal, lost.signal]));
    return await publicationTransaction(holder.database.kysely, async (tx) => {
      await lockPublication(tx);
      if (!(await holdsLease(tx, lease))) throw new LeaseLost();
      stopRenewal();
      const changed = new Map<DayNumber, number>();
      const changedDays: DayNumber[] = [];
      for (const { day, rows } of days) {
        const merged = mergeDay(await readDay(tx, day), rows);
        if (merged.changed > 0) {
          changed.set(day, merged.changed);
          await replaceDay(tx, day, merged.rows);
          changedDays.push(day);
        } else if (await updateTrust(tx, day, rows)) changedDays.push(day);
      }
      if (changedDays.length === 0) return { changed, version: null };
      await writeStatistics(tx, changedDays, holder.settings.gazetteer);
      // The past was rewritten: readers of the feed begin again.
      await renewEpoch(tx);
      const times = { publishedAt: null, updatedAt: null };
      return { changed, version: await completePublication(tx, { ...times, changedDays }) };
    });
  } finally {
    stopRenewal();
    await releaseLease(holder.database.kysely, lease).catch(() => undefined);
  }
}

/**
 * What a day holds after its facts were read again: values of facts as they are now, imported ones where no fact
 * gives one, and none where an earlier reading gave a value that this one does not.
 */
function mergeDay(
  stored: readonly DayPrices[],
  recomputed: readonly DayPrices[],
): { readonly rows: readonly DayPrices[]; readonly changed: number } {
  const before = new Map(stored.map((row) => [row.station, row]));
  const facts = new Map(recomputed.map((row) => [row.station, row]));
  let changed = 0;
  const rows: DayPrices[] = [];
  for (const station of new Set([...before.keys(), ...facts.keys()])) {
    const [old, fresh] = [before.get(station) ?? emptyDay(station), facts.get(station) ?? emptyDay(station)];
    const prices = FUELS.map((_, index) => {
      if (hasFact(fresh, index)) return fresh.prices[index] ?? null;
      return hasFact(old, index) ? null : (old.prices[index] ?? null);
    });
    changed += prices.filter((price, index) => price !== (old.prices[index] ?? null)).length;
    if (fresh.facts === 0 && prices.every((price) => price === null)) continue;
    rows.push({ ...fresh, prices });
  }
  return { rows, changed };
}

const hasFact = ({ facts }: DayPrices, index: number) => ((facts >> index) & 1) === 1;

function emptyDay(station: string): DayPrices {
  return { station, prices: FUELS.map(() => null), facts: 0 };
}

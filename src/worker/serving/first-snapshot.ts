/** The snapshot that a process serves first, and how one is built from what a process holds. */
import { runInSlices } from '../../concurrency/in-slices.ts';
import { bucharestDay, type DayNumber, dayNumber } from '../../domain/days.ts';
import type { CollectionSettings } from '../../domain/prices/collection-settings.ts';
import { NO_PUBLISHED_FACTS } from '../../domain/prices/facts.ts';
import { buildSnapshotInSlices } from '../../snapshot/build.ts';
import { PriceHistory, type PriceSeries } from '../../snapshot/price-history.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { StatisticsHistory } from '../../snapshot/statistics-history.ts';
import { readLastGood } from '../../store/prices/last-good.ts';
import type { LoadedState } from './read-changes.ts';
import { withClosedDays } from './with-closed-days.ts';

/** A snapshot and what it was built from. */
export type BuiltSnapshot = {
  readonly snapshot: Snapshot;
  /** The days before `today` are closed in it. */
  readonly state: LoadedState;
  readonly today: DayNumber;
};

/** Judges what is held at a moment. `closedBefore`: the day before which its days are closed already; `null` = none. */
export async function buildFrom(
  held: LoadedState,
  closedBefore: DayNumber | null,
  { settings, now }: { readonly settings: CollectionSettings; readonly now: number },
): Promise<BuiltSnapshot> {
  const today = dayNumber(bucharestDay(now));
  const state = today === closedBefore ? held : withClosedDays(held, today, settings);
  const snapshot = await runInSlices(buildSnapshotInSlices({ ...settings, ...state, now }));
  return { snapshot, state, today };
}

/** The snapshot of the last good facts on disk, or of nothing. */
export async function readFirstSnapshot(options: {
  readonly dataDir: string;
  readonly settings: CollectionSettings;
  readonly clock: () => number;
  readonly log: { warn(message: string): void };
}): Promise<BuiltSnapshot> {
  const { dataDir, settings, clock, log } = options;
  const stored = await readLastGood<PriceSeries>(dataDir, (why) => log.warn(why));
  const held = {
    facts: stored?.facts ?? NO_PUBLISHED_FACTS,
    history: new PriceHistory(new Map(stored?.series)),
    statistics: new StatisticsHistory(),
    hasAllStatistics: false,
  };
  return buildFrom(held, null, { settings, now: clock() });
}

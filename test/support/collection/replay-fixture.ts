/** Replays for tests: reads the collections of a fixture again from its archive. */
import { dayNumber } from '../../../src/domain/days.ts';
import type { CollectionSettings } from '../../../src/domain/prices/collection-settings.ts';
import { loadReplayStart } from '../../../src/store/prices/replay-start.ts';
import { stationIds } from '../../../src/store/prices/stations.ts';
import { type RebuildResult, type RebuiltDay, rebuildDays, rebuiltDay } from '../../../src/worker/replay/rebuild.ts';
import { type ReplayedDay, replayDays } from '../../../src/worker/replay/replay.ts';
import { planReplay } from '../../../src/worker/replay/replay-plan.ts';
import { type ServedDay, servedDay } from '../../../src/worker/replay/served-day.ts';
import type { CollectorFixture } from './collector-fixture.ts';

export type ReplayFixtureOptions = {
  /** First and last day, `YYYY-MM-DD`. */
  readonly from: string;
  readonly to: string;
  /** Differences from the settings of the collection. */
  readonly settings?: Partial<CollectionSettings>;
  /** The current day; by default far in the future. */
  readonly today?: string;
};

/** Replays each day and yields what is known at its end. */
export async function* replayFixture(
  { collector }: CollectorFixture,
  replay: ReplayFixtureOptions,
): AsyncGenerator<ReplayedDay> {
  const parts = { ...collector, settings: { ...collector.settings, ...replay.settings } };
  const days = await planReplay(parts, { from: dayNumber(replay.from), to: dayNumber(replay.to) });
  const all = days.map(({ day }) => day);
  const start = await loadReplayStart(collector.database, [...collector.configuredSources.keys()], all);
  const today = dayNumber(replay.today ?? '2099-01-01');
  const { signal } = new AbortController();
  yield* replayDays({ ...parts, start, days, today, onRun: () => undefined, signal });
}

/** The prices served at the end of each day. */
export async function* replayServedDays(
  fixture: CollectorFixture,
  replay: ReplayFixtureOptions,
): AsyncGenerator<ServedDay> {
  const settings = { ...fixture.collector.settings, ...replay.settings };
  for await (const day of replayFixture(fixture, replay)) yield servedDay(day, settings);
}

/** Rebuilds the day values, and returns which days stayed unchanged and why. */
export async function rebuild(
  fixture: CollectorFixture,
  replay: ReplayFixtureOptions,
): Promise<RebuildResult & { leftOut: (string | null)[] }> {
  const settings = { ...fixture.collector.settings, ...replay.settings };
  const leftOut: (string | null)[] = [];
  const order = { waitMs: 0, signal: new AbortController().signal };
  const rebuilt = await rebuildDays(fixture.collector, order, async () => {
    const days: RebuiltDay[] = [];
    const stations = new Set(await stationIds(fixture.database.kysely));
    for await (const day of replayFixture(fixture, replay)) {
      leftOut.push(day.leftOut);
      if (day.leftOut === null) days.push(rebuiltDay(day, settings, stations));
    }
    return days;
  });
  return { ...rebuilt, leftOut };
}

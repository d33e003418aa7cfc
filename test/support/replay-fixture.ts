/** Replays for tests: what was collected on a bench, read again from its archive. */
import { dayNumber } from '../../src/domain/days.ts';
import { loadReplayStart } from '../../src/store/prices/replay-start.ts';
import { stationIds } from '../../src/store/prices/stations.ts';
import type { Rules } from '../../src/worker/collection/days.ts';
import { type Rebuilt, type RebuiltDay, rebuildDays, rebuiltDay } from '../../src/worker/replay/rebuild.ts';
import { type ReplayedDay, replayDays } from '../../src/worker/replay/replay.ts';
import { planReplay } from '../../src/worker/replay/replay-plan.ts';
import { type ServedDay, servedDay } from '../../src/worker/replay/served-day.ts';
import type { Bench } from './collector-fixture.ts';

export type Replay = {
  /** First and last day, `YYYY-MM-DD`. */
  readonly from: string;
  readonly to: string;
  /** What differs from the rules that were collected by. */
  readonly rules?: Partial<Rules>;
  /** The day that it is; days after all of these when not told. */
  readonly today?: string;
};

/** Every day of a replay, with what is known at its end. */
export async function* replayed({ collector }: Bench, replay: Replay): AsyncGenerator<ReplayedDay> {
  const parts = { ...collector, rules: { ...collector.rules, ...replay.rules } };
  const days = await planReplay(parts, { from: dayNumber(replay.from), to: dayNumber(replay.to) });
  const all = days.map(({ day }) => day);
  const start = await loadReplayStart(collector.database, [...collector.feeds.keys()], all);
  const today = dayNumber(replay.today ?? '2099-01-01');
  const { signal } = new AbortController();
  yield* replayDays({ ...parts, start, days, today, onRun: () => undefined, signal });
}

/** What would be served at the end of each day. */
export async function* servedAgain(bench: Bench, replay: Replay): AsyncGenerator<ServedDay> {
  const rules = { ...bench.collector.rules, ...replay.rules };
  for await (const day of replayed(bench, replay)) yield servedDay(day, rules);
}

/** Makes the day values anew, and tells which days were left as they were, and why. */
export async function rebuild(bench: Bench, replay: Replay): Promise<Rebuilt & { leftOut: (string | null)[] }> {
  const rules = { ...bench.collector.rules, ...replay.rules };
  const leftOut: (string | null)[] = [];
  const order = { waitMs: 0, signal: new AbortController().signal };
  const rebuilt = await rebuildDays(bench.collector, order, async () => {
    const days: RebuiltDay[] = [];
    const stations = new Set(await stationIds(bench.database.kysely));
    for await (const day of replayed(bench, replay)) {
      leftOut.push(day.leftOut);
      if (day.leftOut === null) days.push(rebuiltDay(day, rules, stations));
    }
    return days;
  });
  return { ...rebuilt, leftOut };
}

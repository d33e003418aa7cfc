/** Applies today's rules to archived payloads, day by day, in memory: no table is touched. */

import { type DayNumber, startOfBucharestDay } from '../../domain/days.ts';
import type { PublishedFacts } from '../../domain/prices/facts.ts';
import type { Sweep } from '../../domain/reports/sweep.ts';
import { ArchiveUnreadable, readArchive } from '../../sources/archive/archive.ts';
import { replayFetch } from '../../sources/archive/recording.ts';
import type { ReplayStart } from '../../store/prices/replay-start.ts';
import type { ConfiguredSource } from '../collection/collect.ts';
import type { ArchivedRun, PlannedDay, ReplayDependencies } from './replay-plan.ts';
import { ReplayState } from './replay-state.ts';

/** A run that today's rules set aside. */
export type SetAsideRun = { readonly source: string; readonly at: number; readonly reason: string };

export type ReplayedDay = {
  readonly day: DayNumber;
  /** Number of archived runs read. */
  readonly runs: number;
  readonly setAside: readonly SetAsideRun[];
  /** Why the day cannot be judged, or what is known at its end. */
  readonly leftOut: string | null;
  readonly facts: PublishedFacts;
  /** The moment at which the day is judged, epoch ms: its end, or its last run if it has not ended. */
  readonly now: number;
};

export type ReplayOptions = ReplayDependencies & {
  readonly start: ReplayStart;
  readonly days: readonly PlannedDay[];
  /** The current day, which has not ended. */
  readonly today: DayNumber;
  readonly onRun: (run: ArchivedRun) => void;
  readonly signal: AbortSignal;
};

/** Yields every day in order, with what is known at its end. One archive is open at a time. */
export async function* replayDays(options: ReplayOptions): AsyncGenerator<ReplayedDay, void, void> {
  const state = new ReplayState(options.start);
  for (const { day, runs, leftOut } of options.days) {
    const setAside: SetAsideRun[] = [];
    let unreadable: string | null = null;
    for (const run of runs) {
      options.onRun(run);
      try {
        setAside.push(...(await replayRun(options, state, run)));
      } catch (error) {
        if (!(error instanceof ArchiveUnreadable)) throw error;
        unreadable = error.message;
      }
    }
    const last = runs.at(-1)?.at ?? startOfBucharestDay(day);
    const now = day < options.today ? startOfBucharestDay(day + 1) - 1 : last;
    yield { day, runs: runs.length, setAside, leftOut: leftOut ?? unreadable, facts: state.facts(day), now };
  }
}

async function replayRun(options: ReplayOptions, state: ReplayState, run: ArchivedRun): Promise<SetAsideRun[]> {
  const { source, at } = run;
  const setAside = (reason: string): SetAsideRun[] => [{ source, at, reason }];
  const sweep = await sweepArchive(options, state, run).catch((error: Error) => error);
  options.signal.throwIfAborted();
  if (sweep instanceof ArchiveUnreadable) throw sweep;
  if (sweep instanceof Error) return setAside(sweep.message);
  const finished = { source, sweep, startedAt: at, finishedAt: at };
  const judging = { at, scheduled: false, force: run.forced, settings: options.settings };
  const { reason } = state.apply(finished, judging, run.failedUnits);
  return reason === null ? [] : setAside(reason);
}

async function sweepArchive(options: ReplayOptions, state: ReplayState, { source, at }: ArchivedRun): Promise<Sweep> {
  const configured = options.configuredSources.get(source) as ConfiguredSource;
  const { fetch, close } = replayFetch(await readArchive(options.dataDir, source, at));
  try {
    return await configured.source.sweep({
      ...state.unitsOf(source),
      fetch,
      parallel: configured.parallel,
      now: at,
      ranges: options.settings.ranges,
      onProgress: () => undefined,
      signal: options.signal,
    });
  } finally {
    await close();
  }
}

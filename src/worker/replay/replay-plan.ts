/** Which archived runs a replay reads, and which days it can judge. */
import { bucharestDay, type DayNumber, dayNumber, isoInstant, startOfBucharestDay } from '../../domain/days.ts';
import { readingRank } from '../../domain/reports/source-kind.ts';
import { listArchives } from '../../sources/archive/archive.ts';
import { runsBetween } from '../../store/prices/replay-start.ts';
import type { Collector } from '../collection/collect.ts';

export type ReplayRange = {
  readonly from: DayNumber;
  /** Included. */
  readonly to: DayNumber;
};

export type ArchivedRun = {
  readonly source: string;
  /** The run's clock, epoch ms. */
  readonly at: number;
  /** Whether the operator forced it past the plausibility check then. */
  readonly forced: boolean;
  /** The units that failed when it delivered; `null` = it did not, or nothing is known of it. */
  readonly failedUnits: readonly string[] | null;
};

export type PlannedDay = {
  readonly day: DayNumber;
  /** In chronological order. */
  readonly runs: readonly ArchivedRun[];
  /** Why the day cannot be judged; `null` = everything collected on it is archived. */
  readonly leftOut: string | null;
};

export type ReplayDependencies = Pick<Collector, 'database' | 'dataDir' | 'configuredSources' | 'settings'>;

/**
 * The sources in service whose payloads are archived, in the order in which a publication applies runs of one moment.
 */
export function replayedSources({
  configuredSources,
  settings,
}: Pick<ReplayDependencies, 'configuredSources' | 'settings'>): string[] {
  const names = [...configuredSources.keys()].filter((name) => settings.inService?.includes(name) ?? true);
  return names.sort((a, b) => readingRank(a) - readingRank(b));
}

/** Plans every day of the range. Leaves out a day if its archive is missing or incomplete. */
export async function planReplay(dependencies: ReplayDependencies, { from, to }: ReplayRange): Promise<PlannedDay[]> {
  const [start, end] = [startOfBucharestDay(from), startOfBucharestDay(to + 1)];
  const { inService } = dependencies.settings;
  const stored = (await runsBetween(dependencies.database.kysely, start, end)).filter(
    ({ source }) => source !== 'manual' && (inService?.includes(source) ?? true),
  );
  const storedByKey = new Map(stored.map((run) => [runKey(run), run]));
  const archived: ArchivedRun[] = [];
  for (const source of replayedSources(dependencies)) {
    const times = (await listArchives(dependencies.dataDir, source)).filter((at) => at >= start && at < end);
    for (const at of times) {
      const then = storedByKey.get(runKey({ source, at }));
      const failedUnits = then?.outcome === 'delivered' ? then.failedUnits : null;
      archived.push({ source, at, forced: then?.forced ?? false, failedUnits });
    }
  }
  archived.sort((a, b) => a.at - b.at);
  const archivedKeys = new Set(archived.map(runKey));
  const missing = stored.filter((run) => run.outcome === 'delivered' && !archivedKeys.has(runKey(run)));
  const [runsOf, lostOf] = [Map.groupBy(archived, dayOf), Map.groupBy(missing, dayOf)];
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const [day, runs] = [from + index, runsOf.get(from + index) ?? []];
    return { day, runs, leftOut: whyLeftOut(runs, lostOf.get(day) ?? []) };
  });
}

type RunTime = { readonly source: string; readonly at: number };

const runKey = ({ source, at }: RunTime) => `${source} ${at}`;
const dayOf = ({ at }: RunTime) => dayNumber(bucharestDay(at));

function whyLeftOut(runs: readonly RunTime[], [lost, ...more]: readonly RunTime[]): string | null {
  if (lost !== undefined) {
    const others = more.length === 0 ? '' : `, and ${more.length} more`;
    return `the archive of ${lost.source} at ${isoInstant(lost.at)} is missing${others}`;
  }
  return runs.length === 0 ? 'no archived run' : null;
}

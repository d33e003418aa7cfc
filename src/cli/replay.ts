/** `pompa replay`: applies today's rules to archived payloads. */
import path from 'node:path';
import { type Command, type CommandCall, CommandError, UsageError } from '../app/command.ts';
import { withDatabase } from '../app/database/configured-database.ts';
import { createLog } from '../app/log/process-log.ts';
import { rulesVersion } from '../app/rules-version.ts';
import { createCollector } from '../app/scheduled-work/create-collector.ts';
import { version } from '../app/settings/version.ts';
import { bucharestDay, type DayNumber, dayNumber, dayText } from '../domain/days.ts';
import { NO_PUBLISHED_FACTS } from '../domain/prices/facts.ts';
import { listArchives } from '../sources/archive/archive.ts';
import { BadCell, pastDay } from '../sources/manual/parse-values.ts';
import { loadReplayStart } from '../store/prices/replay-start.ts';
import type { Collector } from '../worker/collection/collect.ts';
import { differenceOf } from '../worker/replay/difference.ts';
import { type RebuiltDay, rebuildDays, rebuiltDay } from '../worker/replay/rebuild.ts';
import { type ReplayedDay, type ReplayOptions, replayDays } from '../worker/replay/replay.ts';
import { BadReplayFile, type ReplayHeader, readReplayFile, writeReplayFile } from '../worker/replay/replay-file.ts';
import { type PlannedDay, planReplay, type ReplayRange, replayedSources } from '../worker/replay/replay-plan.ts';
import { type ServedDay, servedDay } from '../worker/replay/served-day.ts';
import { ReplayReport } from './reports/replay-report.ts';

const LEASE_WAIT_MS = 600_000;

export const replayCommand: Command = {
  name: 'replay',
  usage: 'replay --from DAY --to DAY [--out FILE] [--compare FILE] [--json]',
  details: `Applies today's rules to the archived payloads of these days (YYYY-MM-DD, in Bucharest).
Without FILE it rewrites the stored day values; nothing else changes. A day with an incomplete archive is left unchanged.
  --out FILE       store nothing, write what would have been served at the end of each day
  --compare FILE   store nothing, print how that differs from what another version wrote with --out`,
  flags: {
    from: { type: 'string' },
    to: { type: 'string' },
    out: { type: 'string' },
    compare: { type: 'string' },
  },
  args: { min: 0, max: 0 },
  async run(call) {
    const today = dayNumber(bucharestDay(Date.now()));
    const range = rangeOf(call, today);
    const report = new ReplayReport(call.terminal, call.flags.json === true);
    await withDatabase(call, async (database) => {
      const collector = createCollector(call.config, database, createLog(call.config));
      const job: ReplayJob = { call, collector, range, today, report };
      const { out, compare } = call.flags;
      if (out === undefined && compare === undefined) await rebuild(job);
      else await writeOrCompare(job, fileOf(out), fileOf(compare));
    });
    return 0;
  },
};

type ReplayJob = {
  readonly call: CommandCall;
  readonly collector: Collector;
  readonly range: ReplayRange;
  readonly today: DayNumber;
  readonly report: ReplayReport;
};

/** Rewrites the day values, while nobody else collects. */
async function rebuild(job: ReplayJob): Promise<void> {
  const { collector, report, today, call } = job;
  const replayedDays: ReplayedDay[] = [];
  const options = { waitMs: LEASE_WAIT_MS, signal: call.signal };
  const rebuilt = await rebuildDays(collector, options, async (signal) => {
    const work = await prepareReplay(job, signal);
    const days: RebuiltDay[] = [];
    for await (const replayed of replayDays(work)) {
      const leftOut = replayed.day === today ? 'it has not ended' : replayed.leftOut;
      replayedDays.push({ ...replayed, leftOut, facts: NO_PUBLISHED_FACTS });
      if (leftOut === null) days.push(rebuiltDay(replayed, collector.settings, work.start.stations));
    }
    return days;
  });
  report.reportRebuild(replayedDays, rebuilt);
}

/** Writes what would have been served, compares it, or does both; stores nothing. */
async function writeOrCompare(job: ReplayJob, out: string | null, compare: string | null): Promise<void> {
  const { collector, report, range, call } = job;
  const header: ReplayHeader = {
    program: version(),
    rules: rulesVersion(),
    from: dayText(range.from),
    to: dayText(range.to),
    sources: replayedSources(collector),
    inService: collector.settings.inService,
    ranges: collector.settings.ranges,
  };
  const baseline = compare === null ? null : await openBaseline(compare, header);
  const work = await prepareReplay(job, call.signal);
  async function* days(): AsyncGenerator<ServedDay> {
    for await (const replayed of replayDays(work)) {
      const day = servedDay(replayed, collector.settings);
      report.reportDay(replayed);
      if (baseline !== null) report.reportDifference(differenceOf(await baseline.next(day.day), day));
      yield day;
    }
  }
  if (baseline !== null) report.reportComparisonStart(baseline.header, header);
  if (out === null) for await (const _ of days());
  else report.reportFile(out, await writeOrFail(out, writeReplayFile(out, header, days())));
  if (baseline !== null) report.reportTotals();
}

async function prepareReplay(
  { collector, range, today, call }: ReplayJob,
  signal: AbortSignal,
): Promise<ReplayOptions> {
  const days = await planReplay(collector, range);
  const read = days.filter(({ runs }) => runs.length > 0).map(({ day }) => day);
  if (read.length === 0) throw new CommandError(await nothingArchived(collector, range));
  const start = await loadReplayStart(collector.database, replayedSources(collector), read);
  return { ...collector, start, days, today, onRun: progressOf(call, days), signal };
}

function progressOf({ terminal }: CommandCall, days: readonly PlannedDay[]): ReplayOptions['onRun'] {
  const total = days.reduce((sum, { runs }) => sum + runs.length, 0);
  let read = 0;
  return ({ at }) => {
    read += 1;
    terminal.progress(`${bucharestDay(at)}: run ${read} of ${total}`);
  };
}

async function nothingArchived(collector: Collector, { from, to }: ReplayRange): Promise<string> {
  const archives = replayedSources(collector).map((name) => listArchives(collector.dataDir, name));
  const times = (await Promise.all(archives)).flat().sort((a, b) => a - b);
  const [first, last] = [times[0], times.at(-1)];
  const asked = `no run from ${dayText(from)} to ${dayText(to)} is archived`;
  if (first === undefined || last === undefined) return `${asked}, nor is any other of the sources in service`;
  return `${asked}; the archive reaches from ${bucharestDay(first)} to ${bucharestDay(last)}`;
}

function rangeOf({ flags }: CommandCall, today: DayNumber): ReplayRange {
  const [from, to] = [dayOf('from', flags.from, today), dayOf('to', flags.to, today)];
  if (from > to) throw new UsageError(`--from ${dayText(from)} must not be after --to ${dayText(to)}`);
  return { from, to };
}

function dayOf(flag: string, text: unknown, today: DayNumber): DayNumber {
  if (text === undefined) throw new UsageError(`--${flag} is needed, a day such as ${dayText(today - 1)}`);
  try {
    return dayNumber(pastDay(`--${flag}`, String(text), dayText(today)));
  } catch (error) {
    if (error instanceof BadCell) throw new UsageError(error.message);
    throw error;
  }
}

/** A FILE argument, relative to the caller's folder. */
function fileOf(flag: unknown): string | null {
  if (flag === undefined) return null;
  if (flag === '') throw new UsageError('FILE must have a name');
  return path.resolve(String(flag));
}

/** Opens the other version's file if it can be compared; its days are read one by one. */
async function openBaseline(file: string, { from, to }: ReplayHeader) {
  const { header, days } = await readOrFail(file, readReplayFile(file));
  if (header.from !== from || header.to !== to) {
    await days.return();
    throw new CommandError(`${file}: it covers ${header.from} to ${header.to}; replay the same days to compare`);
  }
  const next = async (day: string): Promise<ServedDay> => {
    const { value } = await readOrFail(file, days.next());
    if (value?.day !== day) throw new CommandError(`${file}: it is truncated, ${day} is missing`);
    return value;
  };
  return { header, next };
}

function readOrFail<T>(file: string, work: Promise<T>): Promise<T> {
  return work.catch((error) => {
    throw error instanceof BadReplayFile ? new CommandError(`${file}: ${error.message}`) : error;
  });
}

function writeOrFail<T>(file: string, work: Promise<T>): Promise<T> {
  return work.catch((error: NodeJS.ErrnoException) => {
    throw error.syscall === undefined ? error : new CommandError(`${file}: it cannot be written: ${error.code}`);
  });
}

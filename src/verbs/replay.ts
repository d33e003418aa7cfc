/** `pompa replay`: archived payloads through today's rules. */
import path from 'node:path';
import { bucharestDay, type DayNumber, dayNumber, dayText } from '../domain/days.ts';
import { listArchives } from '../sources/archive.ts';
import { loadReplayStart } from '../store/replay-start.ts';
import type { Collector } from '../worker/collect.ts';
import { dayValues } from '../worker/days.ts';
import { differenceOf } from '../worker/replay/difference.ts';
import { BadReplayFile, type ReplayTerms, readReplayFile, writeReplayFile } from '../worker/replay/file.ts';
import { type PlannedDay, planReplay, type ReplayRange } from '../worker/replay/plan.ts';
import { type RebuiltDay, rebuildDays } from '../worker/replay/rebuild.ts';
import { type ReplayedDay, type ReplayWork, replayDays } from '../worker/replay/replay.ts';
import { type ServedDay, servedDay } from '../worker/replay/served-day.ts';
import { collectorOf, createLog, withStore } from './parts.ts';
import { ReplayReport } from './replay-report.ts';
import { rulesVersion } from './rules-version.ts';
import { type Call, Failure, UsageError, type Verb } from './verb.ts';
import { version } from './version.ts';

const LEASE_WAIT_MS = 600_000;

export const replayVerb: Verb = {
  name: 'replay',
  usage: 'replay --from DAY --to DAY [--out FILE] [--compare FILE] [--json]',
  details: `Reads the archived payloads of these days (YYYY-MM-DD, in Bucharest) through today's rules.
Without FILE the stored day values are made anew; nothing else changes. A day of which not all is archived stays as it is.
  --out FILE       store nothing, write what would have been served at the end of each day
  --compare FILE   store nothing, print how that differs from what another version wrote with --out`,
  flags: {
    from: { type: 'string' },
    to: { type: 'string' },
    out: { type: 'string' },
    compare: { type: 'string' },
  },
  words: { least: 0, most: 0 },
  async run(call) {
    const today = dayNumber(bucharestDay(Date.now()));
    const range = rangeOf(call, today);
    const report = new ReplayReport(call.terminal, call.flags.json === true);
    await withStore(call, async (database) => {
      const collector = collectorOf(call.config, database, createLog(call.config));
      const job: Job = { call, collector, range, today, report };
      const { out, compare } = call.flags;
      if (out === undefined && compare === undefined) await rebuild(job);
      else await tell(job, fileOf(out), fileOf(compare));
    });
    return 0;
  },
};

type Job = {
  readonly call: Call;
  readonly collector: Collector;
  readonly range: ReplayRange;
  readonly today: DayNumber;
  readonly report: ReplayReport;
};

/** Makes the day values anew, while nobody else collects. */
async function rebuild(job: Job): Promise<void> {
  const { collector, report, today, call } = job;
  const told: ReplayedDay[] = [];
  const order = { waitMs: LEASE_WAIT_MS, signal: call.signal };
  const rebuilt = await rebuildDays(collector, order, async (signal) => {
    const work = await prepare(job, signal);
    const days: RebuiltDay[] = [];
    for await (const replayed of replayDays(work)) {
      const { day, facts, now } = replayed;
      const leftOut = day === today ? 'it has not ended' : replayed.leftOut;
      told.push({ ...replayed, leftOut, facts: NOTHING_KEPT });
      if (leftOut !== null) continue;
      const rows = dayValues(facts, now, collector.rules).filter(({ station }) => work.start.stations.has(station));
      days.push({ day, rows });
    }
    return days;
  });
  report.rebuilt(told, rebuilt);
}

/** Writes what would have been served, compares it, or both; stores nothing. */
async function tell(job: Job, out: string | null, compare: string | null): Promise<void> {
  const { collector, report, range, call } = job;
  const terms: ReplayTerms = {
    program: version(),
    rules: rulesVersion(),
    from: dayText(range.from),
    to: dayText(range.to),
    sources: [...collector.feeds.keys()].filter((name) => collector.rules.inService?.includes(name) ?? true),
    inService: collector.rules.inService,
    ranges: collector.rules.ranges,
  };
  const other = compare === null ? null : await otherOf(compare, terms);
  const work = await prepare(job, call.signal);
  async function* days(): AsyncGenerator<ServedDay> {
    for await (const replayed of replayDays(work)) {
      const day = servedDay(replayed, collector.rules);
      report.replayed(replayed);
      if (other !== null) report.difference(differenceOf(await other.next(day.day), day));
      yield day;
    }
  }
  if (other !== null) report.comparing(other.terms, terms);
  if (out === null) for await (const _ of days());
  else report.written(out, await writing(out, writeReplayFile(out, terms, days())));
  if (other !== null) report.compared();
}

/** Prints runs: lines for people, JSON objects for programs. */

import type { Terminal } from '../../app/command.ts';
import { isoInstant } from '../../domain/days.ts';
import type { RunRecord } from '../../domain/reports/run-record.ts';
import type { Progress } from '../../sources/source.ts';

/** The object of `collect --json`, one per source. */
export function runObject(run: RunRecord): Record<string, unknown> {
  return {
    source: run.source,
    ok: run.outcome === 'delivered',
    requests: run.requests,
    rows: run.rows,
    rejected: run.rejected,
    matched: run.matched,
    new: run.created,
    ambiguous: run.ambiguous.length,
    changed: run.changed,
    seconds: (run.finishedAt - run.startedAt) / 1000,
    error: run.reason,
  };
}

/** The object of `runs --json`. */
export function pastRunObject(run: RunRecord): Record<string, unknown> {
  return {
    ...runObject(run),
    at: isoInstant(run.at),
    started: isoInstant(run.startedAt),
    finished: isoInstant(run.finishedAt),
    set_aside: run.outcome === 'set_aside',
    forced: run.forced,
    failed_units: run.failedUnits,
    ambiguous_rows: run.ambiguous,
    samples: run.samples,
  };
}

/** One line per source. */
export function runLine(run: RunRecord): string {
  const seconds = (run.finishedAt - run.startedAt) / 1000;
  const how = { delivered: 'delivered', set_aside: 'SET ASIDE', failed: 'FAILED' }[run.outcome];
  const why = run.reason === null ? '' : ` (${run.reason})`;
  return (
    `${run.source}: ${how}${why}; ${run.requests} requests, ${run.rows} rows, ${rejectedText(run.rejected)}, ` +
    `stations ${run.matched} matched ${run.created} new ${run.ambiguous.length} ambiguous, ` +
    `${run.changed} prices changed, ${seconds} s`
  );
}

/** Why a run did not deliver, for one line on stderr. */
export function failureText({ source, outcome, reason }: RunRecord): string {
  return `${source} ${outcome === 'failed' ? 'failed' : 'was set aside'}: ${reason}`;
}

export function rejectedText(rejected: Readonly<Record<string, number>>): string {
  const reasons = Object.entries(rejected);
  return reasons.length === 0
    ? 'none rejected'
    : `rejected ${reasons.map(([why, count]) => `${why} ${count}`).join(', ')}`;
}

/** Shows units done, rate and time left, on an interactive terminal only. */
export function progressReporter(terminal: Terminal, clock: () => number = () => performance.now()) {
  const startedAt = clock();
  return (source: string, { done, total }: Progress): void => {
    const seconds = Math.max((clock() - startedAt) / 1000, 0.001);
    const rate = done / seconds;
    const left = rate > 0 ? Math.ceil((total - done) / rate) : 0;
    terminal.progress(`${source}: ${done}/${total} units, ${rate.toFixed(1)}/s, about ${left} s left`);
  };
}

/** Metrics of the scheduled work. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { RunRecord } from '../../domain/reports/run-record.ts';
import type { JobName } from '../../worker/scheduler.ts';

/** What the scheduled work tells. */
export type WorkerCounts = {
  /** Told of the jobs and sources of this process, whose counts begin at 0, at an instant in epoch ms. */
  onStart(tasks: readonly JobName[], sources: readonly string[], at: number): void;
  /** Told of each run of a source. */
  onRuns(runs: readonly RunRecord[]): void;
  /** Told of each round of a job, at an instant in epoch ms. */
  onJob(task: JobName, outcome: 'done' | 'failed', at: number): void;
};

const RUN_OUTCOMES: readonly RunRecord['outcome'][] = ['delivered', 'set_aside', 'failed'];

export function registerWorker(registry: Registry): WorkerCounts {
  const registers = [registry];
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers });
  const gauge = (name: string, help: string, labelName: string) =>
    new Gauge({ ...{ name, help, registers }, labelNames: [labelName], aggregator: 'max' });
  const runsDone = counter(
    'pompa_collections_total',
    'Runs of a source by outcome: delivered, set_aside, failed.',
    ...['source', 'outcome'],
  );
  const requests = counter('pompa_collection_requests_total', 'Requests that a source was sent.', 'source');
  const rows = counter(
    'pompa_collection_rows_total',
    'Rows of a source that had a valid price (read), or were refused for some reason (rejected).',
    ...['source', 'result'],
  );
  const changes = counter('pompa_collection_price_changes_total', 'Prices that a run of a source changed.', 'source');
  const seconds = gauge('pompa_collection_last_duration_seconds', 'How long the last run of a source took.', 'source');
  const rounds = counter(
    'pompa_scheduled_work_total',
    'Rounds of the scheduled work by task: done, or failed and tried again soon.',
    ...['task', 'outcome'],
  );
  const doneAt = gauge(
    'pompa_scheduled_work_done_timestamp_seconds',
    'When a round of a task last succeeded; until the first one, when the process began its scheduled work.',
    'task',
  );
  return {
    onStart(tasks, sources, at) {
      for (const source of sources) {
        for (const outcome of RUN_OUTCOMES) runsDone.inc({ source, outcome }, 0);
        for (const result of ['read', 'rejected']) rows.inc({ source, result }, 0);
        requests.inc({ source }, 0);
        changes.inc({ source }, 0);
      }
      for (const task of tasks) {
        for (const outcome of ['done', 'failed']) rounds.inc({ task, outcome }, 0);
        // A job that hangs from the start is late as well.
        doneAt.set({ task }, at / 1000);
      }
    },
    onRuns(runs) {
      for (const { source, outcome, rejected, startedAt, finishedAt, ...run } of runs) {
        runsDone.inc({ source, outcome });
        requests.inc({ source }, run.requests);
        rows.inc({ source, result: 'read' }, run.rows);
        rows.inc(
          { source, result: 'rejected' },
          Object.values(rejected).reduce((sum, count) => sum + count, 0),
        );
        changes.inc({ source }, run.changed);
        seconds.set({ source }, (finishedAt - startedAt) / 1000);
      }
    },
    onJob(task, outcome, at) {
      rounds.inc({ task, outcome });
      if (outcome === 'done') doneAt.set({ task }, at / 1000);
    },
  };
}

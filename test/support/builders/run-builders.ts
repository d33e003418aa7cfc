/** Records of runs of sources, as the scheduled work reports them. */
import type { RunRecord } from '../../../src/domain/reports/run-record.ts';

/** A run of the register that delivered 80 prices in 90 seconds, and refused three rows. */
export function aRun(run: Partial<RunRecord> = {}): RunRecord {
  return {
    ...{ source: 'register', at: 0, startedAt: 0, finishedAt: 90_000, outcome: 'delivered' },
    ...{ scheduled: true, forced: false, requests: 7, rows: 80, samples: {}, matched: 0, created: 0 },
    rejected: { 'price out of range': 2, 'no station': 1 },
    ...{ ambiguous: [], changed: 5, failedUnits: [], means: {}, reason: null },
    ...run,
  };
}

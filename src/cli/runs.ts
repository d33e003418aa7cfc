/** `pompa runs`: the run history. */

import { type Command, UsageError } from '../app/command.ts';
import { openMigrated } from '../app/database/configured-database.ts';
import { createLog } from '../app/log/process-log.ts';
import { isoInstant } from '../domain/days.ts';
import type { RunRecord } from '../domain/reports/run-record.ts';
import { listRuns } from '../store/prices/runs.ts';
import { requireKnownSources } from './known-sources.ts';
import { pastRunObject, runLine } from './reports/run-report.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 10_000;

export const runsCommand: Command = {
  name: 'runs',
  usage: 'runs [SOURCE] [--limit N] [--json]',
  details: `Newest first.
  --limit N   how many runs (${DEFAULT_LIMIT})`,
  flags: { limit: { type: 'string' } },
  args: { min: 0, max: 1 },
  async run({ config, args, flags, terminal, signal }) {
    const limit =
      flags.limit === undefined ? DEFAULT_LIMIT : /^\d{1,5}$/.test(String(flags.limit)) ? Number(flags.limit) : 0;
    // The runs of a price list that is no longer in service stay visible.
    requireKnownSources(
      config,
      args.filter((name) => !name.startsWith('prices:') && name !== 'manual'),
    );
    if (limit < 1 || limit > MAX_LIMIT) throw new UsageError(`--limit must be a whole number from 1 to ${MAX_LIMIT}`);
    const database = await openMigrated(config, createLog(config), signal);
    try {
      const runs = await listRuns(database.kysely, limit, args[0]);
      for (const run of runs) {
        if (flags.json) {
          terminal.out(JSON.stringify(pastRunObject(run)));
          continue;
        }
        terminal.out(`${isoInstant(run.at)} ${runLine(run)}`);
        for (const line of detailLines(run)) terminal.out(`  ${line}`);
      }
      if (runs.length === 0 && !flags.json) terminal.out('no runs yet');
      return 0;
    } finally {
      await database.close();
    }
  },
};

/** At most this many failed units are named. */
const MAX_UNITS_LISTED = 5;

/** What does not fit on a run's one line. */
function detailLines({ scheduled, startedAt, forced, failedUnits, ambiguous }: RunRecord): string[] {
  const [shown, more] = [failedUnits.slice(0, MAX_UNITS_LISTED), failedUnits.length - MAX_UNITS_LISTED];
  const others = more > 0 ? ` and ${more} more` : '';
  return [
    ...(scheduled ? [] : [`dated manually; it ran at ${isoInstant(startedAt)}`]),
    ...(forced ? ['forced: the plausibility check was skipped'] : []),
    ...(shown.length === 0
      ? []
      : [`${failedUnits.length} units failed and keep their earlier prices: ${shown.join(', ')}${others}`]),
    ...ambiguous.map(
      ({ key, stations }) => `ambiguous: ${key} could be any of ${stations.join(', ')}; no price is taken from it`,
    ),
  ];
}

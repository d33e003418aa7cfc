/** `pompa collect`: one collection run now. */

import { type Command, type CommandCall, CommandError, UsageError } from '../app/command.ts';
import { openMigrated } from '../app/database/configured-database.ts';
import { refuseDemoFolder } from '../app/demo/demo-folder.ts';
import { createLog } from '../app/log/process-log.ts';
import { createCollector } from '../app/scheduled-work/create-collector.ts';
import { requireContact } from '../config/config.ts';
import { parseInstant, TOLERATED_AHEAD_MS } from '../sources/manual/parse-values.ts';
import { type CollectOptions, collect } from '../worker/collection/collect.ts';
import { currentRecords } from '../worker/collection/count-records.ts';
import { requireKnownSources } from './known-sources.ts';
import { failureText, progressReporter, runLine, runObject } from './reports/run-report.ts';

const LEASE_WAIT_MS = 600_000;

export const collectCommand: Command = {
  name: 'collect',
  usage: 'collect [SOURCE…] [--at ISO-TIME [--from-archive]] [--force] [--json]',
  details: `Without SOURCE all sources in SOURCES are collected. Prints one line per source; exit 1 if any failed.
  --at ISO-TIME    the run's time, for backfills: everything the run stores carries this time
  --from-archive   read the raw payloads archived for exactly that time instead of the network
  --force          accept what the plausibility check would set aside
  --json           one JSON object per source, then {"published","records"}`,
  flags: { at: { type: 'string' }, 'from-archive': { type: 'boolean' }, force: { type: 'boolean' } },
  args: { min: 0, max: 20 },
  async run(call) {
    const { config, terminal, flags, signal } = call;
    refuseDemoFolder(config);
    const log = createLog(config);
    const options: CollectOptions = {
      sources: sourcesOf(call),
      ...clockOf(call),
      force: flags.force === true,
      scheduled: flags.at === undefined,
      waitMs: LEASE_WAIT_MS,
      onProgress: progressReporter(terminal),
      signal,
    };
    const database = await openMigrated(config, log, signal);
    try {
      const collector = createCollector(config, database, log);
      const { runs, version } = await collect(collector, options);
      const records = await currentRecords(database, collector.settings, Date.now());
      const published = runs.some(({ outcome }) => outcome === 'delivered');
      for (const run of runs) terminal.out(flags.json ? JSON.stringify(runObject(run)) : runLine(run));
      if (flags.json) terminal.out(JSON.stringify({ published, records }));
      else terminal.out(published ? `published version ${version}: ${records} records` : 'nothing was published');
      const failed = runs.filter(({ outcome }) => outcome !== 'delivered');
      if (failed.length > 0) throw new CommandError(failed.map(failureText).join('; '));
      return 0;
    } finally {
      await database.close();
    }
  },
};

function sourcesOf({ args, config }: CommandCall): string[] {
  if (args.includes('manual')) throw new UsageError('manual is not collected; pompa import brings in its rows');
  requireKnownSources(config, args);
  const sources = args.length > 0 ? args : config.SOURCES.filter((name) => name !== 'manual');
  if (sources.length === 0)
    throw new UsageError('no source to collect: set SOURCES, such as SOURCES=register, or name one');
  requireContact(config, sources);
  return [...new Set(sources)];
}

function clockOf({ flags }: CommandCall): { at: number | null; fromArchive: boolean } {
  const fromArchive = flags['from-archive'] === true;
  if (flags.at === undefined) {
    if (fromArchive) throw new UsageError('--from-archive needs --at, the time of the archived run');
    return { at: null, fromArchive };
  }
  const at = parseInstant(String(flags.at));
  if (at === null)
    throw new UsageError(`--at "${flags.at}" must be ISO 8601 with an offset, such as 2026-11-20T08:00:00+02:00`);
  if (at > Date.now() + TOLERATED_AHEAD_MS) throw new UsageError(`--at "${flags.at}" is more than 10 minutes ahead`);
  return { at, fromArchive };
}

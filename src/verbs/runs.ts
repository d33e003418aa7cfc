/** `pompa runs`: the run history. */
import { isoInstant } from '../domain/days.ts';
import { listRuns } from '../store/runs.ts';
import { requireFeeds } from './feeds.ts';
import { createLog, openStore } from './parts.ts';
import { pastRunObject, runLine } from './report.ts';
import { UsageError, type Verb } from './verb.ts';

const SHOWN = 20;
const MOST = 10_000;

export const runsVerb: Verb = {
  name: 'runs',
  usage: 'runs [SOURCE] [--limit N] [--json]',
  details: `Newest first.
  --limit N   how many runs (${SHOWN})`,
  flags: { limit: { type: 'string' } },
  words: { least: 0, most: 1 },
  async run({ config, words, flags, terminal, signal }) {
    const limit = flags.limit === undefined ? SHOWN : /^\d{1,5}$/.test(String(flags.limit)) ? Number(flags.limit) : 0;
    // A list that is no longer in service keeps its runs.
    requireFeeds(
      config,
      words.filter((name) => !name.startsWith('prices:') && name !== 'manual'),
    );
    if (limit < 1 || limit > MOST) throw new UsageError(`--limit must be a whole number from 1 to ${MOST}`);
    const database = await openStore(config, createLog(config), signal);
    try {
      const runs = await listRuns(database.kysely, limit, words[0]);
      for (const run of runs) {
        if (flags.json) {
          terminal.out(JSON.stringify(pastRunObject(run)));
          continue;
        }
        terminal.out(`${isoInstant(run.at)} ${runLine(run)}`);
        for (const { key, stations } of run.ambiguous) {
          terminal.out(`  ambiguous: ${key} could be any of ${stations.join(', ')}; no price is taken from it`);
        }
      }
      if (runs.length === 0 && !flags.json) terminal.out('no run yet');
      return 0;
    } finally {
      await database.close();
    }
  },
};

/** CPU time of a collection: `pompa collect` against the simulated register, without pauses. `--long`: more rounds. */
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import {
  finishReport,
  heading,
  LONG,
  median,
  note,
  reportMetric,
  withTempFolder,
} from '../test/support/benchmark-report.ts';
import { withDatabaseServer } from '../test/support/database/bench-database.ts';
import { endedChildrenMs, startChild } from '../test/support/processes/child-process.ts';
import type { RegisterReady } from './processes/register-process.ts';

const LATER_ROUNDS = LONG ? 9 : 3;
const PARALLEL = 16;

type CollectionCost = { cpuMs: number; seconds: number; requests: number; rows: number };

heading('A collection: every unit and fuel of the simulated register, from the start of the program to its end');
await withTempFolder((folder) =>
  withDatabaseServer(folder, async (create) => {
    const register = startChild('bench/processes/register-process.ts');
    try {
      const { url } = await register.next<RegisterReady>();
      const settings = {
        DATABASE_URL: (await create('sweep')).url,
        DATA_DIR: path.join(folder, 'data'),
        SOURCES: 'register',
        REGISTER_URL: url,
        REGISTER_PAUSE_MS: '0',
        REGISTER_PARALLEL: String(PARALLEL),
      };
      const first = await measureCollect(settings);
      const later: CollectionCost[] = [];
      for (let round = 0; round < LATER_ROUNDS; round += 1) later.push(await measureCollect(settings));
      note(`${first.requests} requests, ${first.rows} prices, ${PARALLEL} at once`);
      reportMetric('the first collection, everything new', first.cpuMs / 1000, 's CPU', { most: 8 });
      reportMetric('a later one, everything known', median(later.map(({ cpuMs }) => cpuMs)) / 1000, 's CPU', {
        most: 8,
      });
      note(
        `by the clock: ${first.seconds.toFixed(1)} s and ${median(later.map(({ seconds }) => seconds)).toFixed(1)} s`,
      );
    } finally {
      await register.end();
    }
  }),
);
finishReport();

/** Measures the whole program, from its start to its end. */
async function measureCollect(settings: Readonly<Record<string, string>>): Promise<CollectionCost> {
  const begun = performance.now();
  const before = endedChildrenMs();
  const { process: collector } = startChild('bin/pompa', ['collect', 'register', '--json'], settings);
  if (collector.stdout === null) throw new Error('a collector without output');
  const [output] = await Promise.all([text(collector.stdout), once(collector, 'exit')]);
  const [run, summary] = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  if (collector.exitCode !== 0 || !summary.published) throw new Error(`nothing was collected: ${output}`);
  const seconds = (performance.now() - begun) / 1000;
  return { cpuMs: endedChildrenMs() - before, seconds, requests: run.requests, rows: run.rows };
}

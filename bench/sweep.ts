/** What one whole collection costs our process: `pompa collect` against the simulated register, no pause. `--long` for more. */
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { withServer } from '../test/support/bench-database.ts';
import { endedChildrenMs, start } from '../test/support/child-process.ts';
import { conclude, figure, heading, inFolder, LONG, median, note } from '../test/support/report.ts';
import type { Registered } from './processes/register.ts';

const LATER = LONG ? 9 : 3;
const PARALLEL = 16;

type Cost = { cpuMs: number; seconds: number; requests: number; rows: number };

heading('A collection: every unit and fuel of the simulated register, from the start of the program to its end');
await inFolder((folder) =>
  withServer(folder, async (create) => {
    const register = start('bench/processes/register.ts');
    try {
      const { url } = await register.next<Registered>();
      const settings = {
        DATABASE_URL: (await create('sweep')).url,
        DATA_DIR: path.join(folder, 'data'),
        SOURCES: 'register',
        REGISTER_URL: url,
        REGISTER_PAUSE_MS: '0',
        REGISTER_PARALLEL: String(PARALLEL),
      };
      const first = await collect(settings);
      const later: Cost[] = [];
      for (let round = 0; round < LATER; round += 1) later.push(await collect(settings));
      note(`${first.requests} requests, ${first.rows} prices, ${PARALLEL} at once`);
      figure('the first collection, everything new', first.cpuMs / 1000, 's CPU', { most: 8 });
      figure('a later one, everything known', median(later.map(({ cpuMs }) => cpuMs)) / 1000, 's CPU', { most: 8 });
      note(
        `by the clock: ${first.seconds.toFixed(1)} s and ${median(later.map(({ seconds }) => seconds)).toFixed(1)} s`,
      );
    } finally {
      await register.end();
    }
  }),
);
conclude();

/** The whole program, from its start to its end. */
async function collect(settings: Readonly<Record<string, string>>): Promise<Cost> {
  const begun = performance.now();
  const before = endedChildrenMs();
  const { process: collector } = start('bin/pompa', ['collect', 'register', '--json'], settings);
  if (collector.stdout === null) throw new Error('a collector without output');
  const [said] = await Promise.all([text(collector.stdout), once(collector, 'exit')]);
  const [run, ended] = said
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  if (collector.exitCode !== 0 || !ended.published) throw new Error(`nothing was collected: ${said}`);
  const seconds = (performance.now() - begun) / 1000;
  return { cpuMs: endedChildrenMs() - before, seconds, requests: run.requests, rows: run.rows };
}

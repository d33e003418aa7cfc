/**
 * A year of history of 2,000 stations through `pompa backup` and `pompa restore`: seconds, size, memory. The restore
 * is into a new DATA_DIR, whose embedded PostgreSQL it makes. `--long`: three years.
 */
import { once } from 'node:events';
import { statSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { withIdleTimeout } from '../src/store/connection/idle-timeout.ts';
import { removeEmbeddedDatabase } from '../src/store/embedded/remove.ts';
import { finishReport, heading, LONG, note, reportMetric, withTempFolder } from '../test/support/benchmark-report.ts';
import { syntheticCountry } from '../test/support/builders/synthetic-country.ts';
import { type BenchDatabase, seedDatabase, withDatabaseServer } from '../test/support/database/bench-database.ts';
import { residentMb, startChild } from '../test/support/processes/child-process.ts';
import { addOlderHistory } from './harness/older-history.ts';

/** With 4.2 fuels a station: 2,000 stations. */
const RECORDS = 8_400;
const YEARS = LONG ? 3 : 1;
const SAMPLE_INTERVAL_MS = 20;
/** Filling takes one statement per table. */
const IDLE_TIMEOUT_MS = 600_000;

heading(`Backup and restore of ${YEARS} year(s) of 2,000 stations, into a new DATA_DIR`);
await withTempFolder((folder) =>
  withDatabaseServer(folder, async (create) => {
    const store = await create('years');
    await seedDatabase(store, syntheticCountry(RECORDS, Date.now()));
    await withIdleTimeout(IDLE_TIMEOUT_MS, () => addOlderHistory(store, YEARS));
    await printSize(store);
    const file = path.join(folder, 'years.backup');
    const backup = await measureCommand(['backup', file, '--json'], { DATABASE_URL: store.url, DATA_DIR: folder });
    reportMetric('backup', backup.seconds, 's', { most: 60 });
    reportMetric('backup: resident memory at its peak', backup.peakMb, 'MB', { most: 250 });
    reportMetric('size of the file', statSync(file).size / 1e6, 'MB');
    const check = await measureCommand(['restore', '--check', file, '--json'], { DATA_DIR: folder });
    reportMetric('restore --check', check.seconds, 's');
    const dataDir = path.join(folder, 'restored');
    try {
      const restore = await measureCommand(['restore', file, '--json'], { DATA_DIR: dataDir });
      reportMetric('restore, a new embedded PostgreSQL included', restore.seconds, 's', { most: 60 * YEARS });
      reportMetric('restore: resident memory at its peak', restore.peakMb, 'MB', { most: 250 });
      const again = await measureCommand(['backup', `${file}.again`, '--json'], { DATA_DIR: dataDir });
      if (again.output.rows !== backup.output.rows) throw new Error('the restored data differ from the backup');
    } finally {
      await removeEmbeddedDatabase(dataDir);
    }
  }),
);
finishReport();

async function printSize({ pool }: BenchDatabase): Promise<void> {
  const { rows } = await pool.query(`
    select (select count(*) from stations) as stations, (select count(*) from daily_prices) as days,
      (select count(*) from observations) as changes, pg_database_size(current_database()) / 1000000 as mb`);
  note(
    `${rows[0].stations} stations, ${rows[0].days} daily rows, ${rows[0].changes} changes, ${rows[0].mb} MB of database`,
  );
}

type CommandMeasurement = { readonly seconds: number; readonly peakMb: number; readonly output: { rows: number } };

/** Measures the whole program, from its start to its end. */
async function measureCommand(args: readonly string[], settings: Record<string, string>): Promise<CommandMeasurement> {
  const begun = performance.now();
  const { process: child, pid } = startChild('bin/pompa', args, settings);
  if (child.stdout === null) throw new Error('a program without output');
  let peakMb = 0;
  const watch = setInterval(() => {
    try {
      peakMb = Math.max(peakMb, residentMb(pid).peak || 0);
    } catch {
      // It has just ended.
    }
  }, SAMPLE_INTERVAL_MS);
  const [stdoutText] = await Promise.all([text(child.stdout), once(child, 'exit')]).finally(() => clearInterval(watch));
  if (child.exitCode !== 0) throw new Error(`${args[0]} failed`);
  return { seconds: (performance.now() - begun) / 1000, peakMb, output: JSON.parse(stdoutText) };
}

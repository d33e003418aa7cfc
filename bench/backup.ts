/**
 * A year of history of 2,000 stations as `pompa backup` and `pompa restore` see it: seconds, size, memory. The restore
 * is into a new DATA_DIR, whose embedded PostgreSQL it makes. `--long`: three years.
 */
import { once } from 'node:events';
import { statSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { patiently } from '../src/store/connection/idle-timeout.ts';
import { removeCluster } from '../src/store/embedded/remove.ts';
import { fill, type Store, withServer } from '../test/support/bench-database.ts';
import { residentMb, start } from '../test/support/child-process.ts';
import { conclude, figure, heading, inFolder, LONG, note } from '../test/support/report.ts';
import { synthesise } from '../test/support/synthetic-country.ts';

/** With 4.2 fuels a station: 2,000 stations. */
const RECORDS = 8_400;
const YEARS = LONG ? 3 : 1;
/** A price changes every third day, most often. */
const DAYS_OF_A_PRICE = 3;
const WATCH_MS = 20;
/** Filling is one statement a table. */
const SILENT_MS = 600_000;

heading(`Backup and restore of ${YEARS} year(s) of 2,000 stations, into a new DATA_DIR`);
await inFolder((folder) =>
  withServer(folder, async (create) => {
    const store = await create('years');
    await fill(store, synthesise(RECORDS, Date.now()));
    await patiently(SILENT_MS, () => growOlder(store));
    await tellSize(store);
    const file = path.join(folder, 'years.backup');
    const backup = await measured(['backup', file, '--json'], { DATABASE_URL: store.url, DATA_DIR: folder });
    figure('backup', backup.seconds, 's', { most: 60 });
    figure('backup: resident memory at its peak', backup.peakMb, 'MB', { most: 250 });
    figure('size of the file', statSync(file).size / 1e6, 'MB');
    const check = await measured(['restore', '--check', file, '--json'], { DATA_DIR: folder });
    figure('restore --check', check.seconds, 's');
    const dataDir = path.join(folder, 'restored');
    try {
      const restore = await measured(['restore', file, '--json'], { DATA_DIR: dataDir });
      figure('restore, a new embedded PostgreSQL included', restore.seconds, 's', { most: 60 * YEARS });
      figure('restore: resident memory at its peak', restore.peakMb, 'MB', { most: 250 });
      const again = await measured(['backup', `${file}.again`, '--json'], { DATA_DIR: dataDir });
      if (again.told.rows !== backup.told.rows) throw new Error('what was restored is not what was backed up');
    } finally {
      await removeCluster(dataDir);
    }
  }),
);
conclude();

/** The days before the 90 that are filled, the changes that led to them, the runs, whose prices they were. */
async function growOlder({ pool }: Store): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(`
      set statement_timeout = 0;
      insert into daily_prices (day, station_id, petrol, petrol_premium, diesel, diesel_premium, lpg, facts)
        select day - 90 * n, station_id, petrol - n, petrol_premium - n, diesel + n, diesel_premium + n, lpg - n, facts
        from daily_prices, generate_series(1, ${Math.ceil((YEARS * 365) / 90)}) n
        where day - 90 * n > current_date - 365 * ${YEARS}
        order by 1, 2;
      insert into observations (station_id, fuel, source, price, missing, observed_day, seen_at, run_id)
        select station_id, fuel, source, price + (d * 7 % 40) * 10, false, current_date - d, now() - d * interval '1 day', d * 12
        from generate_series(${YEARS} * 365, 1, -1) d, price_facts
        where (hashtext(station_id) + fuel + d) % ${DAYS_OF_A_PRICE} = 0;
      insert into daily_reliance (day, station_id, petrol, petrol_premium, diesel, diesel_premium, lpg)
        select day, station_id, 'register', 'register', 'register', 'register', 'register' from daily_prices
        where day > current_date - 125;
      insert into runs (source, at, started_at, finished_at, outcome, scheduled, forced, requests, rows, rejected, samples,
          matched, new, ambiguous, changed, failed_units, means)
        select 'register', at, at - interval '20 minutes', at, 'delivered', true, false, 1875, 5646, '{"no price": 12}', '{}',
          1396, 0, '[]', 812, '{}', '{"petrol": 7412, "diesel": 7650}'
        from generate_series(now() - interval '400 days', now(), interval '2 hours') at`);
  } finally {
    client.release(true);
  }
}

async function tellSize({ pool }: Store): Promise<void> {
  const { rows } = await pool.query(`
    select (select count(*) from stations) as stations, (select count(*) from daily_prices) as days,
      (select count(*) from observations) as changes, pg_database_size(current_database()) / 1000000 as mb`);
  note(
    `${rows[0].stations} stations, ${rows[0].days} daily rows, ${rows[0].changes} changes, ${rows[0].mb} MB of database`,
  );
}

type Measured = { readonly seconds: number; readonly peakMb: number; readonly told: { rows: number } };

/** The whole program, from its start to its end. */
async function measured(words: readonly string[], settings: Record<string, string>): Promise<Measured> {
  const begun = performance.now();
  const { process: child, pid } = start('bin/pompa', words, settings);
  if (child.stdout === null) throw new Error('a program without output');
  let peakMb = 0;
  const watch = setInterval(() => {
    try {
      peakMb = Math.max(peakMb, residentMb(pid).peak || 0);
    } catch {
      // It has just ended.
    }
  }, WATCH_MS);
  const [said] = await Promise.all([text(child.stdout), once(child, 'exit')]).finally(() => clearInterval(watch));
  if (child.exitCode !== 0) throw new Error(`${words[0]} failed`);
  return { seconds: (performance.now() - begun) / 1000, peakMb, told: JSON.parse(said) };
}

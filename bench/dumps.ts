/**
 * The dumps of a year of 2,000 stations, made as a worker makes them: CPU per file of a month, memory, size. First
 * every month, then what a night costs. `--long`: ten years of daily prices and two of changes.
 */
import path from 'node:path';
import { runDumpProcess } from '../src/app/dumps/run-dump-process.ts';
import { DEFAULT_RANGES } from '../src/domain/fuel.ts';
import { readManifest } from '../src/dumps/published/dump-folder.ts';
import { withIdleTimeout } from '../src/store/connection/idle-timeout.ts';
import type { DumpReport } from '../src/worker/dumps/dump-options.ts';
import { finishReport, heading, LONG, note, reportMetric, withTempFolder } from '../test/support/benchmark-report.ts';
import { syntheticCountry } from '../test/support/builders/synthetic-country.ts';
import { type BenchDatabase, seedDatabase, withDatabaseServer } from '../test/support/database/bench-database.ts';
import { childrenOf, endedChildrenMs, residentMb } from '../test/support/processes/child-process.ts';

/** With 4.2 fuels a station: 2,000 stations. */
const RECORDS = 8_400;
const YEARS = LONG ? 10 : 1;
/** Older changes are deleted. */
const YEARS_OF_CHANGES = Math.min(YEARS, 2);
/** Of the prices of a day, 39 in 100 changed in the simulated country. */
const CHANGED_OF_A_HUNDRED = 39;
const SAMPLE_INTERVAL_MS = 20;
/** Filling takes one statement per table. */
const IDLE_TIMEOUT_MS = 1_200_000;

heading(`Dumps of ${YEARS} year(s) of 2,000 stations, in a process of their own`);
await withTempFolder((dataDir) =>
  withDatabaseServer(dataDir, async (create) => {
    const store = await create('dumped');
    await seedDatabase(store, syntheticCountry(RECORDS, Date.now()));
    await withIdleTimeout(IDLE_TIMEOUT_MS, () => addOlderHistory(store));
    const folder = path.join(dataDir, 'dumps');
    const make = () => measured(store, folder);
    const all = await make();
    const files = readManifest(folder)?.files ?? [];
    const months = files.filter(({ month }) => month !== null);
    note(`${all.report.files} files, ${all.report.rows} rows`);
    reportMetric('every month: CPU of the process', all.cpuMs / 1000, 's');
    reportMetric('every month: CPU per file of a month', all.cpuMs / 1000 / months.length, 's', { most: 5 });
    reportMetric('every month: resident memory at its peak', all.peakMb, 'MB', { most: 200 });
    reportMetric('size of all files', all.report.bytes / 1e6, 'MB');
    for (const table of ['modificari', 'servite', 'zilnic'])
      for (const format of ['csv.gz', 'parquet']) {
        const sizes = months.filter((file) => file.table === table && file.format === format).map(({ bytes }) => bytes);
        reportMetric(`largest month of ${table} as ${format}`, Math.max(...sizes) / 1e6, 'MB');
      }
    const night = await make();
    note(`a night later: ${night.report.written} new files`);
    reportMetric('a night: CPU of the process', night.cpuMs / 1000, 's', { most: 5 });
    reportMetric('a night: resident memory at its peak', night.peakMb, 'MB', { most: 200 });
  }),
);
finishReport();

/** Adds the days before the 90 seeded ones, and the changes of all. */
async function addOlderHistory({ pool }: BenchDatabase): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(`
      set statement_timeout = 0;
      insert into daily_prices (day, station_id, petrol, petrol_premium, diesel, diesel_premium, lpg, facts)
        select day - 90 * n, station_id, petrol - n % 9, petrol_premium - n % 9, diesel + n % 9, diesel_premium + n % 9, lpg, facts
        from daily_prices, generate_series(1, ${Math.ceil((YEARS * 365) / 90)}) n
        where day - 90 * n > current_date - 365 * ${YEARS}
        order by 1, 2;
      update daily_prices set trusted = 31;
      insert into observations (station_id, fuel, source, price, missing, observed_day, seen_at)
        select station_id, fuel, source, price + (d * 7 % 40) * 10, false, current_date - d,
          now() - d * interval '1 day' + (hashtext(station_id) % 12) * interval '1 hour'
        from generate_series(${YEARS_OF_CHANGES} * 365, 1, -1) d, price_facts
        where abs(hashtext(station_id || fuel || ' ' || d)) % 100 < ${CHANGED_OF_A_HUNDRED};
      insert into served_changes (seq, version, told_at, station_id, fuel, kind, old_price, new_price, source, observed_day,
          county, city, network)
        select row_number() over (order by seen_at, id), 1, seen_at, station_id, fuel, 'price', price, price + 10, source,
          observed_day, 'CJ', 'cluj-napoca', 'petrom'
        from observations where seen_at > now() - interval '100 days';
      insert into daily_reliance (day, station_id, petrol, petrol_premium, diesel, diesel_premium, lpg)
        select day, station_id, 'register', 'register', 'register', 'register', 'register' from daily_prices
        where day > current_date - 125;
      analyze`);
  } finally {
    client.release(true);
  }
}

type Measured = { readonly report: DumpReport; readonly cpuMs: number; readonly peakMb: number };

async function measured(store: BenchDatabase, folder: string): Promise<Measured> {
  const before = { children: new Set(childrenOf(process.pid)), cpuMs: endedChildrenMs() };
  let peakMb = 0;
  const watch = setInterval(() => {
    for (const pid of childrenOf(process.pid).filter((one) => !before.children.has(one)))
      try {
        peakMb = Math.max(peakMb, residentMb(pid).peak || 0);
      } catch {
        // It has just ended.
      }
  }, SAMPLE_INTERVAL_MS);
  const task = {
    ...{ databaseUrl: store.url, dataDir: folder, folder, allowed: ['register'], inService: null },
    ...{ ranges: DEFAULT_RANGES, publicUrl: 'https://pompa.example', simulated: true },
  };
  const report = await runDumpProcess(task, new AbortController().signal).finally(() => clearInterval(watch));
  return { report, cpuMs: endedChildrenMs() - before.cpuMs, peakMb };
}

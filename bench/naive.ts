/**
 * Reads without a key, compared with what one would write first: Fastify and a query to PostgreSQL for each request.
 * Both answer plain; the peer has an index on the coordinates, and neither counts requests. `--long`: more rounds.
 */
import {
  finishReport,
  heading,
  LONG,
  median,
  note,
  reportMetric,
  withTempFolder,
} from '../test/support/benchmark-report.ts';
import { type SyntheticCountry, syntheticCountry } from '../test/support/builders/synthetic-country.ts';
import { type BenchDatabase, withDatabaseServer } from '../test/support/database/bench-database.ts';
import {
  cpuMs,
  parentOf,
  processTreeCpuMs,
  startChild,
  waitUntilIdle,
} from '../test/support/processes/child-process.ts';
import { GENERATOR, type LoadTarget, runLoad } from './harness/load.ts';
import { benchRequestTargets } from './harness/request-targets.ts';
import type { ApiPorts } from './processes/api.ts';
import type { NaiveReady, NaiveSettings } from './processes/naive-peer.ts';

const RECORDS = 6_000;
const ROUNDS = LONG ? 9 : 5;
const SECONDS = 1;

heading(`Reads without a key beside Fastify and PostgreSQL, ${RECORDS} records; load by ${GENERATOR}`);
await withTempFolder((folder) =>
  withDatabaseServer(folder, async (create) => {
    const store = await create('naive');
    await fill(store, syntheticCountry(RECORDS, Date.now()));
    const { rows } = await store.pool.query<{ pid: number }>('select pg_backend_pid() as pid');
    const postmaster = parentOf((rows[0] as { pid: number }).pid);
    const server = startChild('bench/processes/api.ts', [String(RECORDS)]);
    const peer = startChild('bench/processes/naive-peer.ts');
    try {
      const { open } = await server.next<ApiPorts>();
      peer.send({ databaseUrl: store.url } satisfies NaiveSettings);
      const { port } = await peer.next<NaiveReady>();
      await waitUntilIdle(server.pid);
      const { search } = benchRequestTargets(RECORDS);
      const cases = [
        { name: '/preturi/minime', ours: ['/api/v1/preturi/minime'], theirs: ['/minime'] },
        {
          name: `a search within 5 km around a new point, ${search.records} records`,
          ours: search.new,
          theirs: search.new.map((each) => each.replace('/api/v1', '')),
        },
      ];
      for (const { name, ours, theirs } of cases) {
        const own: number[] = [];
        const naive: number[] = [];
        const target = (at: number, paths: readonly string[]): LoadTarget => ({ port: at, paths, coding: 'identity' });
        for (let round = -1; round < ROUNDS; round += 1) {
          const mine = await costOf(target(open, ours), () => cpuMs(server.pid));
          const other = await costOf(target(port, theirs), () => cpuMs(peer.pid) + processTreeCpuMs(postmaster));
          // The first round compiles, and prepares statements.
          if (round < 0) continue;
          own.push(mine);
          naive.push(other);
        }
        note(`${name}: ${median(own).toFixed(1)} µs, Fastify and PostgreSQL ${median(naive).toFixed(0)} µs`);
        reportMetric(name, median(naive.map((cost, at) => cost / (own[at] as number))), '× cheaper');
      }
    } finally {
      await Promise.all([server.end(), peer.end()]);
    }

    async function costOf(target: LoadTarget, cpu: () => number): Promise<number> {
      const before = cpu();
      const { requests } = await runLoad(folder, target, SECONDS, []);
      return ((cpu() - before) * 1_000) / requests;
    }
  }),
);
finishReport();

/** One table with all that an answer has, and the indexes that its queries want. */
async function fill({ pool }: BenchDatabase, { sourceStations, known }: SyntheticCountry): Promise<void> {
  await pool.query(`create table naive_prices (station text, network text, brand text, name text, address text, lat float8,
    lng float8, hours text, services text[], fuel text, price int, day date, primary key (station, fuel))`);
  const byStation = new Map(sourceStations.map((each) => [each.station, each]));
  const rows = known.map(({ station, fuel, price, observed }) => {
    const { network, brand, name, address, lat, lng, hours, services } = byStation.get(station) ?? {};
    return { station, network, brand, name, address, lat, lng, hours, services, fuel, price, day: observed?.day };
  });
  await pool.query('insert into naive_prices select * from jsonb_populate_recordset(null::naive_prices, $1)', [
    JSON.stringify(rows),
  ]);
  await pool.query('create index on naive_prices (lat, lng)');
  await pool.query('vacuum analyze naive_prices');
}

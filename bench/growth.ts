/**
 * How costs grow with 1, 10 and 100 times the stations, keys, clients without a key, days of history and subscriptions.
 * Each line ends with the figures compared with the first, and says what they should be.
 */
import v8 from 'node:v8';
import vm from 'node:vm';
import { hashApiKey } from '../src/domain/access/api-key.ts';
import { bucharestDay, dayNumber } from '../src/domain/days.ts';
import { KeyCacheEntries } from '../src/store/keys/key-cache-entries.ts';
import { readChanges } from '../src/worker/serving/read-changes.ts';
import { finishReport, heading, median, note, withTempFolder } from '../test/support/benchmark-report.ts';
import { syntheticCountry } from '../test/support/builders/synthetic-country.ts';
import { sendAlert } from '../test/support/database/bench-alert.ts';
import { type BenchDatabase, seedDatabase, withDatabaseServer } from '../test/support/database/bench-database.ts';
import { residentMb, startChild, waitUntilIdle } from '../test/support/processes/child-process.ts';
import { type BatchSource, clientBatches, keyBatches, runAlternating } from './harness/limit-costs.ts';
import { GENERATOR, type LoadTarget, runLoad } from './harness/load.ts';
import { benchRequestTargets } from './harness/request-targets.ts';
import type { ApiPorts } from './processes/api.ts';

const RECORDS = [600, 6_000, 60_000];
const KEYS = [5_000, 50_000, 500_000];
const CLIENTS = [10_000, 100_000, 1_000_000];
const DAYS = [90, 900, 9_000];
const SUBSCRIPTIONS = [1_000, 10_000, 100_000];
const WARM_UP_SUBSCRIPTIONS = 300;
const ROUNDS = 5;
v8.setFlagsFromString('--expose-gc');
const collectGarbage = vm.runInNewContext('gc') as () => void;

/** Requests, and how their cost should grow with the number of stations. */
const REQUESTS = {
  '/preturi/minime, br': 'flat',
  '/preturi without a key, br': 'flat',
  '/istoric of 30 days': 'flat',
  'a search within 5 km around a new point, about 60 records': 'flat or logarithmic',
  'the whole /statii, br': 'linear, as its bytes',
} as const;

heading(`Growth; load by ${GENERATOR}`);
await withTempFolder(async (folder) => {
  await growStations(folder);
  const perKey = KEYS.map(bytesOfKey);
  line('memory of a known key, of that many', KEYS, perKey, 'bytes', 'flat: linear in all');
  await withDatabaseServer(folder, async (create) => {
    await growTable('a decision on a key, of that many keys', KEYS, keyBatches, create, 'keys');
    await growTable('a decision on a client without a key, of that many', CLIENTS, clientBatches, create, 'clients');
    await growHistory(create);
    await sendAlert(await create('alerts_warm_up'), WARM_UP_SUBSCRIPTIONS);
    const alerts = [];
    for (const count of SUBSCRIPTIONS) alerts.push(await sendAlert(await create(`alerts_${count}`), count));
    const micros = alerts.map(({ cpuMs, delivered }) => (1_000 * cpuMs) / delivered);
    line('a message of an alert to that many', SUBSCRIPTIONS, micros, 'µs', 'flat');
  });
});
finishReport();

/** Costs per request, by turns, and memory of three processes that differ in their country alone. */
async function growStations(folder: string): Promise<void> {
  const servers = RECORDS.map((records) => startChild('bench/processes/api.ts', [String(records)]));
  try {
    const ports: ApiPorts[] = [];
    for (const server of servers) {
      ports.push(await server.next<ApiPorts>());
      await waitUntilIdle(server.pid);
    }
    const anonymous = servers.map(({ pid }) => residentMb(pid).anonymous);
    line('memory of a process, anonymous, for that many records', RECORDS, anonymous, 'MB', 'constant plus linear');
    const measured = RECORDS.map((records, index) => targets(records, ports[index] as ApiPorts));
    for (const [name, growth] of Object.entries(REQUESTS)) {
      const costs = RECORDS.map((): number[] => []);
      for (let round = -1; round < ROUNDS; round += 1) {
        for (const [index, server] of servers.entries()) {
          const target = measured[index]?.[name as keyof typeof REQUESTS] as LoadTarget;
          const { requests, cpuMs } = await runLoad(folder, target, 1, [server.pid]);
          // The first round compiles and fills caches.
          if (round >= 0) costs[index]?.push((1_000 * cpuMs) / requests);
        }
      }
      line(name, RECORDS, costs.map(median), 'µs', growth);
    }
  } finally {
    for (const server of servers) await server.end();
  }
}

function targets(records: number, { open, keyed }: ApiPorts): Record<keyof typeof REQUESTS, LoadTarget> {
  const { histories, search } = benchRequestTargets(records);
  const hot = { port: open, coding: 'br' };
  return {
    '/preturi/minime, br': { ...hot, paths: ['/api/v1/preturi/minime'] },
    '/preturi without a key, br': { ...hot, paths: ['/api/v1/preturi'] },
    '/istoric of 30 days': { port: open, coding: 'identity', paths: histories },
    'a search within 5 km around a new point, about 60 records': { port: open, coding: 'identity', paths: search.new },
    'the whole /statii, br': { port: keyed, coding: 'br', paths: ['/api/v1/statii'] },
  };
}

/** What a key takes in the memory of a process that knows this many. */
function bytesOfKey(count: number): number {
  const key = { id: 0, plan: 'pro', quota: 100_000, hasOwnCap: false, createdAt: 1e12, subscribed: true } as const;
  const secretOf = (id: number) => ({ key: { ...key, id }, hash: hashApiKey(`key ${id}`), msLeft: 1e9, closing: null });
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const entries = new KeyCacheEntries();
  for (let id = 0; id < count; id += 1) entries.put([secretOf(id)], 0);
  collectGarbage();
  const bytes = (process.memoryUsage().heapUsed - before) / count;
  // Used until here, so that it is not collected.
  entries.removeKey(0);
  return bytes;
}

/** Reading the prices and what a process holds of their history: 90 days, however many there are. */
async function growHistory(create: (name: string) => Promise<BenchDatabase>): Promise<void> {
  const reads: number[] = [];
  for (const days of DAYS) {
    const store = await create(`days_${days}`);
    const world = syntheticCountry(RECORDS[0] as number, Date.now());
    await seedDatabase(store, world);
    await addDaysBefore(store, days);
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const begun = performance.now();
      await readChanges(store, null, dayNumber(bucharestDay(world.now)));
      times.push(performance.now() - begun);
    }
    reads.push(median(times));
  }
  line('reading the prices and their history from a database with that many days', DAYS, reads, 'ms', 'flat: 90 days');
}

/** Repeats the seeded days before them, until there are so many. */
async function addDaysBefore({ pool }: BenchDatabase, days: number): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(`
      set statement_timeout = 0;
      insert into daily_prices (day, station_id, petrol, petrol_premium, diesel, diesel_premium, lpg, facts, trusted)
        select day - 90 * n, station_id, petrol, petrol_premium, diesel, diesel_premium, lpg, facts, trusted
        from daily_prices, generate_series(1, ${days / 90 - 1}) n`);
    await client.query('vacuum analyze daily_prices');
  } finally {
    client.release(true);
  }
}

/** CPU of PostgreSQL per decision, in tables that differ in their size alone. */
async function growTable(
  name: string,
  sizes: readonly number[],
  fill: (store: BenchDatabase, count: number) => Promise<BatchSource>,
  create: (name: string) => Promise<BenchDatabase>,
  table: string,
): Promise<void> {
  const sources: BatchSource[] = [];
  for (const size of sizes) sources.push(await fill(await create(`${table}_${size}`), size));
  const costs = await runAlternating(sources);
  const micros = costs.map(({ cpuUs }) => cpuUs);
  line(`${name}, PostgreSQL`, sizes, micros, 'µs', 'logarithmic');
}

function line(name: string, sizes: readonly number[], values: readonly number[], unit: string, growth: string): void {
  const [first = 0] = values;
  const each = sizes.map((size, at) => `${size.toLocaleString('en')}: ${values[at]?.toPrecision(3)} ${unit}`);
  const times = values.slice(1).map((value) => `${(value / first).toFixed(2)} ×`);
  note(`${name}: ${each.join(', ')} (${times.join(', ')}; should be ${growth})`);
}

/**
 * The cost of decisions on limits for the database: keys in tables of 5,000 and 50,000, capped clients in tables of
 * 1,000 and 1,000,000, and maintenance. `--long` makes longer rounds.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Queryable } from '../src/store/connection/database-connection.ts';
import { runStatement } from '../src/store/connection/query-timeout.ts';
import type { KeyedHasher } from '../src/store/limits/address-hash.ts';
import { grantToKeys } from '../src/store/limits/key-limit-queries.ts';
import { pruneLimits } from '../src/store/limits/prune-limits.ts';
import { takeWeeklyCaps } from '../src/store/limits/weekly-cap-queries.ts';
import {
  finishReport,
  heading,
  LONG,
  median,
  note,
  reportMetric,
  withTempFolder,
} from '../test/support/benchmark-report.ts';
import { type BenchDatabase, withDatabaseServer } from '../test/support/database/bench-database.ts';
import { namedHasher } from '../test/support/database/named-hashes.ts';
import { cpuMs } from '../test/support/processes/child-process.ts';

/** The requests of 10 ms at 5,000 requests a second. */
const BATCH_TIMEOUT_MS = 600_000;
const BATCH = 50;
const ROUNDS = LONG ? 25 : 9;
const BATCHES = LONG ? 300 : 100;
/** Requests per second of all keys together. */
const REQUESTS_PER_SECOND = 5_000;
const FEW_KEYS = 5_000;
const MANY_KEYS = 50_000;
const FEW_CLIENTS = 1_000;
const MANY_CLIENTS = 1_000_000;
const OTHER_ENDPOINT = '/api/v1/judete/{judet}';
/** At most two requests a second per key, however fast the rounds are. */
const KEY_INTERVAL_MS = 1_000;

heading('Decisions on limits: CPU of the database server, by a single connection, in batches of 50');
await withTempFolder((folder) =>
  withDatabaseServer(folder, async (create) => {
    await benchmarkKeys(await create('few_keys'), await create('many_keys'));
    const many = await create('many_clients');
    await benchmarkClients(await create('few_clients'), many);
    await benchmarkMaintenance(many);
  }),
);
finishReport();

async function benchmarkKeys(few: BenchDatabase, many: BenchDatabase): Promise<void> {
  for (const [store, count] of [
    [few, FEW_KEYS],
    [many, MANY_KEYS],
  ] as const) {
    await store.pool.query(
      `insert into api_keys (plan, created_at) select 'pro', now() from generate_series(1, ${count})`,
    );
    // Together they have sent 5,000 requests a second in the last minute.
    const each = (1_000 * count) / REQUESTS_PER_SECOND;
    await store.pool.query(`insert into key_usage (key_id, recent)
      select id, array(select (extract(epoch from now()) * 1000)::bigint - ago from generate_series(60000, 1500, -${each}) as ago)
      from api_keys`);
    await store.pool.query('vacuum analyze key_usage');
  }
  const batches = (count: number) => {
    let next = 0;
    return async (database: Queryable) => {
      const wanted = Array.from({ length: BATCH }, (_, index) => {
        // Neighbours in a batch are not neighbours in the table.
        const key = 1 + (((next + index) * 7_919) % count);
        return { key, slots: 1, counted: 1, quota: 1_000_000 };
      });
      next += BATCH;
      const granted = await grantToKeys(database, wanted, BATCH_TIMEOUT_MS);
      if ([...granted.values()].some(({ slots }) => slots === 0)) throw new Error('a key of the bench was too fast');
    };
  };
  const costs = await runAlternating([few, batches(FEW_KEYS)], [many, batches(MANY_KEYS)]);
  printCosts('of 5,000 keys', 'of 50,000', costs, 1.2);
}

/** Inserts one row per number, in chunks, because statements have a time limit. */
async function fillCaps(store: BenchDatabase, count: number, row: string): Promise<void> {
  for (let from = 1; from <= count; from += 50_000) {
    const to = Math.min(count, from + 49_999);
    await store.pool.query(`insert into weekly_caps select ${row} from generate_series(${from}, ${to}) as n`);
  }
}

/** Hashes that the database can compute, too: `earlier` is never found, as for most clients. */
async function benchmarkHasher(database: Queryable): Promise<KeyedHasher> {
  const { refresh, hash } = await namedHasher(database);
  const digest = (text: string) => createHash('sha256').update(text).digest().subarray(0, 16);
  return { refresh, hash: (text) => ({ ...hash(text), current: digest(text), earlier: digest(`earlier ${text}`) }) };
}

async function benchmarkClients(few: BenchDatabase, many: BenchDatabase): Promise<void> {
  for (const [store, count] of [
    [few, FEW_CLIENTS],
    [many, MANY_CLIENTS],
  ] as const) {
    await fillCaps(
      store,
      count,
      `substr(sha256(n::text::bytea), 1, 16), '/api/v1/retele', now() - interval '167 hours' * random()`,
    );
    await store.pool.query('vacuum analyze weekly_caps');
  }
  // Half are new, half return.
  const batches = (count: number, hasher: KeyedHasher) => {
    let next = 0;
    return async (database: Queryable) => {
      const visits = Array.from({ length: BATCH }, (_, index) => {
        next += 1;
        return { client: `${index % 2 === 0 ? -next : 1 + ((next * 7_919) % count)}`, endpoint: '/api/v1/retele' };
      });
      await takeWeeklyCaps(database, visits, hasher, BATCH_TIMEOUT_MS);
    };
  };
  const fewBatches = batches(FEW_CLIENTS, await benchmarkHasher(few));
  const manyBatches = batches(MANY_CLIENTS, await benchmarkHasher(many));
  const costs = await runAlternating([few, fewBatches], [many, manyBatches]);
  printCosts('of 1,000 capped clients', 'of 1,000,000', costs, 1.5);
}

/** Deletes a million expired rows while others send requests. */
async function benchmarkMaintenance(store: BenchDatabase): Promise<void> {
  await fillCaps(
    store,
    MANY_CLIENTS,
    `substr(sha256((-n)::text::bytea), 1, 16), '${OTHER_ENDPOINT}', now() - interval '8 days'`,
  );
  let done = false;
  const pruning = async () => {
    const begun = performance.now();
    const removed = await pruneLimits(store.pool).finally(() => {
      done = true;
    });
    return { removed, seconds: (performance.now() - begun) / 1_000 };
  };
  const hasher = await benchmarkHasher(store);
  const asking = async () => {
    const waits: number[] = [];
    for (let number = 0; !done; number += 1) {
      const begun = performance.now();
      await takeWeeklyCaps(store, [{ client: `${number}`, endpoint: OTHER_ENDPOINT }], hasher, 60_000);
      waits.push(performance.now() - begun);
    }
    return waits;
  };
  const [{ removed, seconds }, waits] = await Promise.all([pruning(), asking()]);
  reportMetric(`maintenance: ${removed} rows deleted, for 100,000 of them`, (seconds / removed) * 100_000, 's', {
    most: 2,
  });
  reportMetric('a decision meanwhile, median', median(waits), 'ms');
  reportMetric('the slowest', Math.max(...waits), 'ms', { most: 800 });
  const idle = performance.now();
  await pruneLimits(store.pool);
  reportMetric('maintenance with nothing to delete, a million rows', performance.now() - idle, 'ms', { most: 1_000 });
}

type BatchSource = readonly [store: BenchDatabase, batch: (database: Queryable) => Promise<void>];
type BatchCost = { readonly cpuUs: number; readonly ms: number };

/** Alternates rounds of both; returns the medians of the server's CPU per request and of the time per batch. */
async function runAlternating(...sources: readonly [BatchSource, BatchSource]): Promise<[BatchCost, BatchCost]> {
  const costs: [BatchCost[], BatchCost[]] = [[], []];
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const [index, source] of sources.entries()) {
      const cost = await measureRound(source);
      // The first one fills caches and prepares statements.
      if (round >= 0) costs[index as 0 | 1].push(cost);
    }
  }
  const middle = (all: readonly BatchCost[]) => ({
    cpuUs: median(all.map(({ cpuUs }) => cpuUs)),
    ms: median(all.map(({ ms }) => ms)),
  });
  return [middle(costs[0]), middle(costs[1])];
}

async function measureRound([store, batch]: BatchSource): Promise<BatchCost> {
  const client = await store.pool.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const { pid } = rows[0] as { pid: number };
    const singleConnection = { query: client.query.bind(client), release: () => undefined } as unknown as pg.PoolClient;
    const pool = { connect: async () => singleConnection };
    const database: Queryable = { state: 'ready', query: (statement, limit) => runStatement(pool, statement, limit) };
    const begun = performance.now();
    const before = cpuMs(pid);
    let asking = 0;
    for (let done = 0; done < BATCHES; done += 1) {
      const from = performance.now();
      await batch(database);
      asking += performance.now() - from;
    }
    const cpuUs = ((cpuMs(pid) - before) * 1_000) / (BATCHES * BATCH);
    await sleep(Math.max(0, begun + (KEY_INTERVAL_MS * BATCHES * BATCH) / FEW_KEYS - performance.now()));
    return { cpuUs, ms: asking / BATCHES };
  } finally {
    client.release();
  }
}

function printCosts(few: string, many: string, [less, more]: readonly [BatchCost, BatchCost], most: number): void {
  reportMetric(`a request ${few}`, less.cpuUs, 'µs CPU');
  reportMetric(`a request ${many}`, more.cpuUs, 'µs CPU');
  note(`a batch takes ${less.ms.toFixed(1)} and ${more.ms.toFixed(1)} ms, its commit included`);
  reportMetric(`${many} to ${few.replace('of ', '')}, CPU`, more.cpuUs / less.cpuUs, '×', { most });
}

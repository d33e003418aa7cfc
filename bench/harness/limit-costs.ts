/** What decisions on limits cost the database: full tables, batches of requests, and rounds of them by turns. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Queryable } from '../../src/store/connection/database-connection.ts';
import { runStatement } from '../../src/store/connection/query-timeout.ts';
import type { KeyedHasher } from '../../src/store/limits/address-hash.ts';
import { grantToKeys } from '../../src/store/limits/key-limit-queries.ts';
import { takeWeeklyCaps } from '../../src/store/limits/weekly-cap-queries.ts';
import { LONG, median } from '../../test/support/benchmark-report.ts';
import type { BenchDatabase } from '../../test/support/database/bench-database.ts';
import { namedHasher } from '../../test/support/database/named-hashes.ts';
import { cpuMs } from '../../test/support/processes/child-process.ts';

/** The requests of 10 ms at 5,000 requests a second. */
const BATCH = 50;
const BATCH_TIMEOUT_MS = 600_000;
const ROUNDS = LONG ? 25 : 9;
const BATCHES = LONG ? 300 : 100;
/** Requests per second of all keys together. */
const REQUESTS_PER_SECOND = 5_000;
/** At most two requests a second per key, however fast the rounds are. */
const MAX_KEY_RATE = 2;

export type BatchSource = {
  readonly store: BenchDatabase;
  readonly runBatch: (database: Queryable) => Promise<void>;
  /** A round takes at least this long, ms. */
  readonly minRoundMs: number;
};

/** The CPU time of a request, and the time until a batch is answered. */
export type BatchCost = { readonly cpuUs: number; readonly ms: number };

/** Fills a new database with keys, which together have sent 5,000 requests a second in the last minute. */
export async function keyBatches(store: BenchDatabase, count: number): Promise<BatchSource> {
  await store.pool.query(
    `insert into api_keys (plan, created_at) select 'pro', now() from generate_series(1, ${count})`,
  );
  // No key has sent more than its limit allows.
  const each = Math.max((1_000 * count) / REQUESTS_PER_SECOND, 500);
  await store.pool.query(`insert into key_usage (key_id, recent)
    select id, array(select (extract(epoch from now()) * 1000)::bigint - ago from generate_series(60000, 1500, -${each}) as ago)
    from api_keys`);
  await store.pool.query('vacuum analyze key_usage');
  let next = 0;
  const runBatch = async (database: Queryable) => {
    const wanted = Array.from({ length: BATCH }, (_, index) => {
      // Neighbours in a batch are not neighbours in the table.
      const key = 1 + (((next + index) * 7_919) % count);
      return { key, slots: 1, counted: 1, quota: 1_000_000 };
    });
    next += BATCH;
    const granted = await grantToKeys(database, wanted, BATCH_TIMEOUT_MS);
    if ([...granted.values()].some(({ slots }) => slots === 0)) throw new Error('a key of the bench was too fast');
  };
  return { store, runBatch, minRoundMs: (1_000 * BATCHES * BATCH) / (MAX_KEY_RATE * count) };
}

/** Fills a new database with clients without a key; half of those that ask are new, half return. */
export async function clientBatches(store: BenchDatabase, count: number): Promise<BatchSource> {
  const accepted = `now() - interval '167 hours' * random()`;
  await fillCaps(store, count, `substr(sha256(n::text::bytea), 1, 16), '/api/v1/retele', ${accepted}`);
  await store.pool.query('vacuum analyze weekly_caps');
  const hasher = await benchmarkHasher(store);
  let next = 0;
  const runBatch = async (database: Queryable) => {
    const visits = Array.from({ length: BATCH }, (_, index) => {
      next += 1;
      return { client: `${index % 2 === 0 ? -next : 1 + ((next * 7_919) % count)}`, endpoint: '/api/v1/retele' };
    });
    await takeWeeklyCaps(database, visits, hasher, BATCH_TIMEOUT_MS);
  };
  return { store, runBatch, minRoundMs: 0 };
}

/** Inserts one row per number, in chunks, because statements have a time limit. */
export async function fillCaps(store: BenchDatabase, count: number, row: string): Promise<void> {
  for (let from = 1; from <= count; from += 50_000) {
    const to = Math.min(count, from + 49_999);
    await store.pool.query(`insert into weekly_caps select ${row} from generate_series(${from}, ${to}) as n`);
  }
}

/** Hashes that the database can compute, too: `earlier` is never found, as for most clients. */
export async function benchmarkHasher(database: Queryable): Promise<KeyedHasher> {
  const { refresh, hash } = await namedHasher(database);
  const digest = (text: string) => createHash('sha256').update(text).digest().subarray(0, 16);
  return { refresh, hash: (text) => ({ ...hash(text), current: digest(text), earlier: digest(`earlier ${text}`) }) };
}

/** Alternates rounds of all; returns the medians of the server's CPU per request and of the time per batch. */
export async function runAlternating(sources: readonly BatchSource[]): Promise<BatchCost[]> {
  const costs = sources.map((): BatchCost[] => []);
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const [index, source] of sources.entries()) {
      const cost = await measureRound(source);
      // The first one fills caches and prepares statements.
      if (round >= 0) costs[index]?.push(cost);
    }
  }
  return costs.map((all) => ({
    cpuUs: median(all.map(({ cpuUs }) => cpuUs)),
    ms: median(all.map(({ ms }) => ms)),
  }));
}

async function measureRound({ store, runBatch, minRoundMs }: BatchSource): Promise<BatchCost> {
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
      await runBatch(database);
      asking += performance.now() - from;
    }
    const cpuUs = ((cpuMs(pid) - before) * 1_000) / (BATCHES * BATCH);
    await sleep(Math.max(0, begun + minRoundMs - performance.now()));
    return { cpuUs, ms: asking / BATCHES };
  } finally {
    client.release();
  }
}

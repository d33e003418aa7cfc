/** A database with a settable clock, keys, and two processes connected to it. */
import { type TestDatabase, testDatabase } from '../../support/database/test-database.ts';
import { inProcess, type LimitProcess } from './limit-commands.ts';
import { workerProcess } from './worker-process.ts';

export type LimitsFixture = {
  readonly database: TestDatabase;
  /** This process and another one, each with its own pool. */
  readonly processes: readonly [LimitProcess, LimitProcess];
  /** Creates keys; returns their ids. */
  keys(count: number): Promise<number[]>;
  close(): Promise<void>;
};

/** Uses the clock of the server. */
export async function limitsFixture(): Promise<LimitsFixture> {
  const database = await testDatabase();
  return fixtureOn(database, database.url);
}

export type LimitsFixtureWithClock = LimitsFixture & {
  /** The database URL whose connections use the set clock. */
  readonly url: string;
  /** Sets the clock, epoch ms. */
  setClock(moment: number): Promise<void>;
};

/** Uses a clock that moves only when set: `clock_timestamp()` resolves to a schema of the test first. */
export async function limitsFixtureWithClock(): Promise<LimitsFixtureWithClock> {
  const database = await testDatabase();
  await database.pool.query(`create schema clock;
    create table clock.moment (at timestamptz not null);
    insert into clock.moment values (now());
    create function clock.clock_timestamp() returns timestamptz volatile language sql as 'select at from clock.moment'`);
  const url = `${database.url}?options=${encodeURIComponent('-c search_path=clock,pg_catalog,public')}`;
  return {
    ...(await fixtureOn(database, url)),
    url,
    async setClock(moment) {
      await database.pool.query('update clock.moment set at = $1', [new Date(moment)]);
    },
  };
}

async function fixtureOn(database: TestDatabase, url: string): Promise<LimitsFixture> {
  const processes = await Promise.all([inProcess(url), workerProcess(url)]);
  return {
    database,
    processes,
    async keys(count) {
      const { rows } = await database.pool.query<{ key_id: number }>(
        `with made as (insert into api_keys (plan, created_at) select 'pro', now() from generate_series(1, $1) returning id)
        insert into key_usage (key_id) select id from made order by id returning key_id`,
        [count],
      );
      return rows.map(({ key_id }) => key_id);
    },
    async close() {
      for (const process of processes) await process.close();
      await database.drop();
    },
  };
}

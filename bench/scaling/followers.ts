/**
 * What followers cost: of one database, and of one server that has read it, while nothing is published and at a
 * publication in which every price changes. They receive and build nothing, so that what they follow is measured.
 * `--long`: more rounds.
 */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_RANGES } from '../../src/domain/fuel.ts';
import { loadGazetteer } from '../../src/geodata/load-gazetteer.ts';
import { openDatabase } from '../../src/store/connection/database.ts';
import type { Schema } from '../../src/store/connection/schema.ts';
import { attachToDatabase } from '../../src/store/embedded/supervisor-client.ts';
import {
  finishReport,
  heading,
  LONG,
  median,
  note,
  reportMetric,
  withTempFolder,
} from '../../test/support/benchmark-report.ts';
import { syntheticCountry } from '../../test/support/builders/synthetic-country.ts';
import {
  type BenchDatabase,
  publishSweep,
  seedDatabase,
  withDatabaseServer,
} from '../../test/support/database/bench-database.ts';
import { superuserOf } from '../../test/support/database/embedded-database.ts';
import { startReplica } from '../../test/support/database/streaming-replica.ts';
import { type Child, processTreeCpuMs, startChild, waitUntilIdle } from '../../test/support/processes/child-process.ts';
import type { FollowerReady } from '../processes/follower.ts';
import type { GroupBytes, GroupReceived } from '../processes/follower-group.ts';

const RECORDS = 6_000;
const COUNTS = [10, 100];
const IDLE_MS = 10_000;
const ROUNDS = LONG ? 9 : 3;
const SETTLE_MS = 1_500;
const MAX_CONNECTIONS = 500;
const NAME = 'followers';
const FOLLOW_TOKEN = 'a-token-of-at-least-thirty-two-characters';
const COLLECTION_SETTINGS = { ranges: DEFAULT_RANGES, gazetteer: loadGazetteer(), inService: ['register'] };
const SERVE = {
  SOURCES: 'register',
  CONTACT: 'bench@example.org',
  PORT: '0',
  FOLLOW_TOKEN,
  TRUSTED_PROXIES: '127.0.0.1',
};

/** What is measured: CPU of PostgreSQL and of the server that is followed, transactions, bytes to the followers. */
type Totals = {
  readonly postgres: number;
  readonly server: number;
  readonly transactions: number;
  readonly bytes: number;
};

heading(`Followers of one database and of one server, ${RECORDS} records`);
await withTempFolder((folder) =>
  withDatabaseServer(folder, async (create) => {
    const world = syntheticCountry(RECORDS, Date.now());
    await seedDatabase(await create(NAME), world);
    const dataDir = path.join(folder, 'postgres');
    const { connection, close } = await attachToDatabase(dataDir);
    // The embedded server allows 100 connections: its copy, which becomes a server of its own, allows more.
    const copy = await startReplica(dataDir, await superuserOf(dataDir, connection), MAX_CONNECTIONS);
    await copy.promote();
    const url = copy.urlOf(NAME);
    const store: BenchDatabase = { ...(await openDatabase<Schema>({ databaseUrl: url, dataDir, log: console })), url };
    const server = startChild('bench/processes/follower.ts', [], {
      ...{ ...SERVE, DATABASE_URL: url, DATA_DIR: path.join(folder, 'server') },
    });
    let published = 0;
    try {
      const { address } = await server.next<FollowerReady>();
      await waitUntilIdle(server.pid);
      note(`connections of one serve at rest: ${(await connections(store)) - 1}`);
      for (const [what, settings] of [
        ['server', { FOLLOW_URL: address, FOLLOW_TOKEN }],
        ['database', { DATABASE_URL: url }],
      ] as const)
        for (const count of COUNTS) {
          const group = startChild('bench/processes/follower-group.ts', [], { COUNT: String(count), ...settings });
          try {
            await group.next();
            await received(group, published + 1);
            await sleep(SETTLE_MS);
            note(`${count} followers of the ${what}: ${await connections(store)} connections of the database`);
            const read = () => totals(store, copy.pid, server.pid, group);
            const idle = await spent(read, () => sleep(IDLE_MS));
            report(`${count} of the ${what}, at rest, a second`, scaled(idle, 1000 / IDLE_MS));
            const rounds: (Totals & { readonly lastMs: number })[] = [];
            for (let round = 0; round < ROUNDS; round += 1) {
              let lastMs = Number.NaN;
              const cost = await spent(read, async () => {
                const version = await publishSweep(store, world, published, COLLECTION_SETTINGS);
                published += 1;
                const committedAt = performance.timeOrigin + performance.now();
                lastMs = Math.max(...(await received(group, version))) - committedAt;
                await sleep(SETTLE_MS);
              });
              rounds.push({ ...cost, lastMs });
            }
            const middle = (name: keyof (typeof rounds)[number]) => median(rounds.map((each) => each[name]));
            const name = `${count} of the ${what}, at a publication`;
            report(name, {
              postgres: middle('postgres'),
              server: middle('server'),
              transactions: middle('transactions'),
              bytes: middle('bytes'),
            });
            reportMetric(`${name}: the last has it after`, middle('lastMs'), 'ms');
          } finally {
            await group.end();
          }
        }
    } finally {
      await server.end();
      await store.close();
      await copy.close();
      await close();
    }
  }),
);
finishReport();

function report(name: string, { postgres, server, transactions, bytes }: Totals): void {
  reportMetric(`${name}: CPU of PostgreSQL`, postgres, 'ms');
  reportMetric(`${name}: CPU of the server`, server, 'ms');
  reportMetric(`${name}: transactions`, transactions, '');
  reportMetric(`${name}: received`, bytes / 1e6, 'MB');
}

async function received(group: Child, version: number): Promise<readonly number[]> {
  group.send({ await: version });
  return (await group.next<GroupReceived>()).receivedAt;
}

async function totals(store: BenchDatabase, postmaster: number, server: number, group: Child): Promise<Totals> {
  group.send({ bytes: true });
  const { bytes } = await group.next<GroupBytes>();
  const { rows } = await store.pool.query<{ count: number }>(
    `select xact_commit::float8 as count from pg_stat_database where datname = '${NAME}'`,
  );
  return {
    ...{ postgres: processTreeCpuMs(postmaster), server: processTreeCpuMs(server) },
    ...{ transactions: rows[0]?.count ?? 0, bytes },
  };
}

async function spent(read: () => Promise<Totals>, work: () => Promise<unknown>): Promise<Totals> {
  const before = await read();
  await work();
  const after = await read();
  return {
    ...{ postgres: after.postgres - before.postgres, server: after.server - before.server },
    ...{ transactions: after.transactions - before.transactions, bytes: after.bytes - before.bytes },
  };
}

function scaled({ postgres, server, transactions, bytes }: Totals, by: number): Totals {
  return { postgres: postgres * by, server: server * by, transactions: transactions * by, bytes: bytes * by };
}

async function connections(store: BenchDatabase): Promise<number> {
  const sql = `select count(*)::int as count from pg_stat_activity where datname = '${NAME}'`;
  return (await store.pool.query<{ count: number }>(sql)).rows[0]?.count ?? 0;
}

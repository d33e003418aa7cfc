/**
 * Metered reads, compared with what a naive service would take instead: Fastify with `@fastify/rate-limit` over Redis,
 * which counts one window a key and sends a ready answer from memory. Closed loop: each connection asks again once it
 * is answered. `--long`: longer rounds.
 */
import http from 'node:http';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import {
  finishReport,
  heading,
  LONG,
  median,
  note,
  reportMetric,
  withTempFolder,
} from '../test/support/benchmark-report.ts';
import { insertKeys } from '../test/support/builders/key-fixture.ts';
import { syntheticCountry } from '../test/support/builders/synthetic-country.ts';
import { type BenchDatabase, seedDatabase, withDatabaseServer } from '../test/support/database/bench-database.ts';
import { waitFor } from '../test/support/database/embedded-database.ts';
import {
  type Child,
  cpuMs,
  parentOf,
  processTreeCpuMs,
  startChild,
  threadsCpuMs,
  waitUntilIdle,
} from '../test/support/processes/child-process.ts';
import { type KeyedLoad, type KeyedLoadResult, keyedLoads } from './harness/keyed-load.ts';
import { GENERATOR } from './harness/load.ts';
import { NGINX_VERSION, startNginx } from './harness/nginx.ts';
import { REDIS_MISSING, REDIS_VERSION, type RedisServer, startRedis } from './harness/redis.ts';
import type { FollowerReady } from './processes/follower.ts';
import type { PeerReady } from './processes/rate-limit-peer.ts';

const RECORDS = 6_000;
/** As many as no round comes near the pace of one of them. */
const KEYS = 50_000;
const ROUNDS = LONG ? 9 : 5;
const SECONDS = LONG ? 4 : 2;
const WARM_UP_SECONDS = 2;
const KNOWN_WITHIN_MS = 20_000;
const REDIS_PORT = 18_090;
const NGINX_PORT = 18_091;
const PRICES = '/api/v1/preturi';
const STATIONS = '/api/v1/statii';

/** Both may be compared: a naive service sends its answers plain, and a less naive one has them compressed. */
const PEER_PATHS = ['/plain', '/br'] as const;

type Cost = KeyedLoadResult & { readonly micros: number };
/** A server under load, and the CPU time (ms) of its processes; `pid` is our server without its database. */
type Metered = { readonly port: number; readonly cpu: () => number };
type OwnServer = Metered & { readonly pid: number };

heading(
  `Metered reads: ${KEYS} keys, ${RECORDS} records; load by ${GENERATOR}; Redis ${REDIS_VERSION ?? REDIS_MISSING}`,
);
await withTempFolder((folder) =>
  withDatabaseServer(folder, async (create) => {
    const store = await create('metering');
    await seedDatabase(store, syntheticCountry(RECORDS, Date.now()));
    const keys = await insertKeys(store.pool, KEYS);
    const ask = keyedLoads(folder, keys);
    const started: { end(): Promise<void> }[] = [];
    try {
      const server = await startServer(folder, store, keys.at(-1) as string);
      started.push(server.child);
      const peer = REDIS_VERSION === null ? null : await startPeer(folder, server.port, keys[0] as string, started);
      for (const connections of [64, 300]) await compare(ask, connections, server, peer);
      await wholeList(ask, folder, server, keys[0] as string);
    } finally {
      for (const each of started.reverse()) await each.end();
    }
  }),
);
finishReport();

async function startServer(
  folder: string,
  store: BenchDatabase,
  lastKey: string,
): Promise<OwnServer & { child: Child }> {
  const { rows } = await store.pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  const postmaster = parentOf((rows[0] as { pid: number }).pid);
  const child = startChild('bench/processes/follower.ts', [], {
    // All load comes from one address, which may open as many connections as a proxy.
    TRUSTED_PROXIES: '127.0.0.1',
    DATA_DIR: path.join(folder, 'data'),
    SOURCES: 'register',
    CONTACT: 'bench@example.org',
    DATABASE_URL: store.url,
    PORT: '0',
  });
  const { address } = await child.next<FollowerReady>();
  await waitUntilIdle(child.pid);
  const headers = { 'X-Api-Key': lastKey };
  const isKnown = async () => (await fetch(address + PRICES, { headers })).headers.has('x-ratelimit-limit');
  await waitFor('the last key is known', KNOWN_WITHIN_MS, isKnown);
  const cpu = () => threadsCpuMs(child.pid) + processTreeCpuMs(postmaster);
  return { port: Number(new URL(address).port), cpu, pid: child.pid, child };
}

/** Starts the peer with our answers. */
async function startPeer(
  folder: string,
  port: number,
  key: string,
  started: { end(): Promise<void> }[],
): Promise<Metered> {
  const redis: RedisServer = await startRedis(folder, REDIS_PORT);
  started.push(redis);
  const child = startChild('bench/processes/rate-limit-peer.ts');
  started.push(child);
  const [plain, br] = await Promise.all(['identity', 'br'].map((coding) => rawAnswer(port, key, coding)));
  child.send({ redisPort: redis.port, plain, br });
  const ready = await child.next<PeerReady>();
  return { port: ready.port, cpu: () => threadsCpuMs(child.pid) + cpuMs(redis.pid) };
}

async function compare(
  ask: ReturnType<typeof keyedLoads>,
  connections: number,
  server: Metered,
  peer: Metered | null,
): Promise<void> {
  const ours = { port: server.port, path: PRICES, coding: 'br', connections };
  const theirs = PEER_PATHS.map((each) => ({ ...ours, port: peer?.port ?? 0, path: each }));
  const round = async ({ cpu }: Metered, load: KeyedLoad, seconds = SECONDS): Promise<Cost> => {
    const before = cpu();
    const result = await ask(load, seconds);
    return { ...result, micros: ((cpu() - before) * 1_000) / result.requests };
  };
  await round(server, ours, WARM_UP_SECONDS);
  if (peer !== null) for (const load of theirs) await round(peer, load, WARM_UP_SECONDS);
  const own: Cost[] = [];
  const others: Cost[][] = theirs.map(() => []);
  for (let each = 0; each < ROUNDS; each += 1) {
    own.push(await round(server, ours));
    if (peer === null) continue;
    for (const [index, load] of theirs.entries()) others[index]?.push(await round(peer, load));
  }
  note(`\n${connections} connections\nours, br: ${summary(own)}`);
  reportMetric('half of the answers within', middle(own, 'p50'), 'ms', connections === 64 ? { most: 3 } : undefined);
  reportMetric('99 of 100 within', middle(own, 'p99'), 'ms', connections === 64 ? { most: 12 } : undefined);
  for (const [index, costs] of others.entries()) {
    if (costs.length === 0) continue;
    const path = PEER_PATHS[index] as (typeof PEER_PATHS)[number];
    // The peer that the targets were set against sends its answer plain.
    const isPlain = path === '/plain';
    note(`rate limiter over Redis, ${path}: ${summary(costs)}`);
    const times = (value: 'perSecond' | 'micros') =>
      median(own.map((cost, at) => cost[value] / (costs[at] as Cost)[value]));
    reportMetric('answers a second, of the peer’s', times('perSecond'), '×', isPlain ? { least: 1.5 } : undefined);
    reportMetric('CPU of an answer, of the peer’s', times('micros'), '×', isPlain ? { most: 1 } : undefined);
  }
}

/** The whole country with a key, compared with nginx, which meters nothing, sending the same bytes. */
async function wholeList(
  ask: ReturnType<typeof keyedLoads>,
  folder: string,
  server: OwnServer,
  key: string,
): Promise<void> {
  const ours = { port: server.port, path: STATIONS, coding: 'br', connections: 64 };
  const copied = { name: 'whole', port: server.port, path: STATIONS, coding: 'br', headers: { 'x-api-key': key } };
  const nginx = NGINX_VERSION === null ? null : await startNginx(folder, NGINX_PORT, [copied]);
  const own: number[] = [];
  const database: number[] = [];
  const theirs: number[] = [];
  try {
    await ask(ours, WARM_UP_SECONDS);
    for (let round = 0; round < ROUNDS; round += 1) {
      const [before, all] = [threadsCpuMs(server.pid), server.cpu()];
      const { requests } = await ask(ours, SECONDS);
      const program = threadsCpuMs(server.pid) - before;
      own.push((program * 1_000) / requests);
      database.push(((server.cpu() - all - program) * 1_000) / requests);
      if (nginx === null) continue;
      const earlier = nginx.pids.reduce((sum, pid) => sum + cpuMs(pid), 0);
      const sent = await ask({ ...ours, port: nginx.port, path: '/whole' }, SECONDS);
      theirs.push(((nginx.pids.reduce((sum, pid) => sum + cpuMs(pid), 0) - earlier) * 1_000) / sent.requests);
    }
  } finally {
    await nginx?.end();
  }
  note(`\nthe whole list with a key, 64 connections: PostgreSQL ${median(database).toFixed(1)} µs besides`);
  if (nginx !== null) note(`nginx without metering: ${median(theirs).toFixed(1)} µs`);
  reportMetric('CPU of the program', median(own), 'µs', { most: 45 });
}

function middle(costs: readonly Cost[], value: keyof Cost): number {
  return median(costs.map((cost) => cost[value]));
}

function summary(costs: readonly Cost[]): string {
  const [rate, micros] = [middle(costs, 'perSecond').toFixed(0), middle(costs, 'micros').toFixed(1)];
  return `${rate} a second, ${micros} µs; p50 ${middle(costs, 'p50').toFixed(1)}, p99 ${middle(costs, 'p99').toFixed(1)} ms`;
}

/** Our answer as it is sent, in base64. */
async function rawAnswer(port: number, key: string, coding: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const headers = { 'x-api-key': key, 'accept-encoding': coding };
  http
    .get({ port, host: '127.0.0.1', path: PRICES, headers, agent: false }, (response) => {
      buffer(response).then((body) => resolve(body.toString('base64')), reject);
    })
    .on('error', reject);
  return promise;
}

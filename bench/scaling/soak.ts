/**
 * A day of a serving process in minutes: requests with and without keys, publications, losses of the leader of its
 * database, and kills of a second serving process. Does its memory grow, does it leave files or connections open?
 * `--long`: 5,000,000 requests, 500 publications, 20 fail-overs and 20 kills, some 25 minutes on an idle machine.
 * Installs PostgreSQL, Patroni, etcd and HAProxy of Debian where they are missing.
 */
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_RANGES } from '../../src/domain/fuel.ts';
import { loadGazetteer } from '../../src/geodata/load-gazetteer.ts';
import { openDatabase } from '../../src/store/connection/database.ts';
import type { Schema } from '../../src/store/connection/schema.ts';
import { migrate } from '../../src/store/migrations/apply-migrations.ts';
import { type FailoverKind, LeaderLoss } from '../../test/resilience/cluster/leader-loss.ts';
import { PatroniCluster } from '../../test/resilience/cluster/patroni-cluster.ts';
import {
  finishReport,
  heading,
  LONG,
  note,
  reportMetric,
  withTempFolder,
} from '../../test/support/benchmark-report.ts';
import { TRUST_LOOPBACK } from '../../test/support/builders/client-addresses.ts';
import { insertKeys } from '../../test/support/builders/key-fixture.ts';
import { type SyntheticCountry, syntheticCountry } from '../../test/support/builders/synthetic-country.ts';
import { type BenchDatabase, publishSweep, seedDatabase } from '../../test/support/database/bench-database.ts';
import { sampleOf } from '../../test/support/exposed-metrics.ts';
import { type Child, startChild, waitUntilIdle } from '../../test/support/processes/child-process.ts';
import { runLoad } from '../harness/load.ts';
import type { LoadResult, LoadSpec } from '../processes/load-generator.ts';

const RECORDS = 6_000;
const PORT = 18_271;
const SECOND_PORT = 18_272;
const METRICS_PORT = 18_273;
/** Without a key. */
const REQUESTS = LONG ? 5_000_000 : 200_000;
const PUBLICATIONS = LONG ? 500 : 20;
/** Of the leader; each is followed by a kill of the second serving process. */
const LOSSES = LONG ? 20 : 4;
const KINDS: readonly FailoverKind[] = ['kill', 'freeze', 'cut', 'switchover'];
/** For how long a leader that is cut off is still reached by clients. */
const REACHABLE_MS = 1_000;
const PUBLISHED_WITHIN_MS = 120_000;
/** Of a publication that a loss of the leader interrupts. */
const LEASE_MS = 10_000;
const SAMPLES = LONG ? 20 : 6;
/** The first ones, while caches and the table of clients fill, are left out of the slope. */
const WARM_UP_SAMPLES = LONG ? 6 : 2;
/** Our pool closes connections to the database that were idle for 10 s. */
const REST_MS = 12_000;
const KEYS = 1_000;
const KEYED_PER_SECOND = 200;
const COLLECTION_SETTINGS = { ranges: DEFAULT_RANGES, gazetteer: loadGazetteer(), inService: ['register'] };

/** Reads that need no database, so that all are answered with 200 while it has no leader. */
const TARGETS = ['IS', 'CJ', 'TM', 'BV'].flatMap((county) => [
  ...['/api/v1/preturi', `/api/v1/preturi?judet=${county}`],
  ...['/api/v1/preturi/minime', '/api/v1/health', '/openapi.json'],
]);
const KEYED_TARGET = '/api/v1/retele';

type Sample = {
  readonly requests: number;
  readonly residentMb: number;
  readonly files: number;
  readonly sockets: number;
};
type Soak = {
  readonly cluster: PatroniCluster;
  readonly folder: string;
  /** Whose memory, files and connections are measured. */
  readonly server: Child;
  readonly store: BenchDatabase;
  readonly world: SyntheticCountry;
  readonly keys: readonly string[];
  readonly killSecond: () => Promise<void>;
};
/** How much has happened, or shall have. */
type Progress = { requests: number; publications: number; losses: number };

heading(`${REQUESTS} requests, ${PUBLICATIONS} publications of ${RECORDS} records, ${LOSSES} fail-overs and kills`);
await withTempFolder(async (folder) => {
  const cluster = await PatroniCluster.start();
  try {
    await withStore(cluster, folder, (store) => soak(cluster, folder, store));
  } finally {
    await cluster.close();
  }
});
finishReport();

async function withStore(
  { url }: PatroniCluster,
  folder: string,
  work: (store: BenchDatabase) => Promise<void>,
): Promise<void> {
  const log = { info: () => undefined, warn: console.error };
  const database = await openDatabase<Schema>({ databaseUrl: url, dataDir: folder, log });
  try {
    await migrate(database);
    await work({ ...database, url });
  } finally {
    await database.close();
  }
}

async function soak(cluster: PatroniCluster, folder: string, store: BenchDatabase): Promise<void> {
  const world = syntheticCountry(RECORDS, Date.now());
  await seedDatabase(store, world);
  const keys = await insertKeys(store.pool, KEYS);
  const settings = { ...TRUST_LOOPBACK, DATABASE_URL: store.url, SOURCES: 'register', CONTACT: 'bench@example.org' };
  const start = (port: number, name: string, further = {}) =>
    startChild('bin/pompa', ['serve', '--no-worker'], {
      ...{ ...settings, PORT: String(port), DATA_DIR: path.join(folder, name), LOG_LEVEL: 'fatal' },
      ...further,
    });
  const server = start(PORT, 'first', { METRICS_PORT: String(METRICS_PORT) });
  let second = start(SECOND_PORT, 'second');
  const killSecond = async () => {
    second.process.kill('SIGKILL');
    await second.end();
    second = start(SECOND_PORT, 'second');
  };
  try {
    await waitUntilHealthy();
    report(await takeSamples({ cluster, folder, server, store, world, keys, killSecond }));
  } finally {
    await Promise.all([server.end(), second.end()]);
  }
}

async function takeSamples(soaking: Soak): Promise<Sample[]> {
  const samples: Sample[] = [await sampleAtRest(soaking.server, 0)];
  const done: Progress = { requests: 0, publications: 0, losses: 0 };
  for (let sample = 1; sample <= SAMPLES; sample += 1) {
    const due = (all: number) => Math.floor((sample * all) / SAMPLES);
    const until = { requests: due(REQUESTS), publications: due(PUBLICATIONS), losses: due(LOSSES) };
    const statuses = await runUntil(soaking, done, until);
    samples.push(await sampleAtRest(soaking.server, done.requests));
    const { residentMb, files, sockets } = samples.at(-1) as Sample;
    note(
      `${done.requests} requests, ${done.publications} publications, ${done.losses} losses of the leader: ` +
        `${residentMb.toFixed(0)} MB, ${files} files, ${sockets} of them sockets; with keys ${JSON.stringify(statuses)}`,
    );
  }
  return samples;
}

/** Does everything that is due, at the same time; resolves with the statuses of requests with keys. */
async function runUntil(soaking: Soak, done: Progress, due: Progress): Promise<Record<number, number>> {
  const { folder, server, store, world } = soaking;
  let isBusy = true;
  const publish = async () => {
    for (; done.publications < due.publications; done.publications += 1)
      await publishAgainAndAgain(store, world, done.publications);
  };
  const lose = async () => {
    for (; done.losses < due.losses; done.losses += 1) {
      await loseLeader(soaking.cluster, KINDS[done.losses % KINDS.length] as FailoverKind);
      await soaking.killSecond();
    }
  };
  const disturb = () =>
    Promise.all([publish(), lose()]).finally(() => {
      isBusy = false;
    });
  const ask = async () => {
    const target = { port: PORT, paths: TARGETS, coding: 'br', connections: 64 };
    while (isBusy || done.requests < due.requests)
      done.requests += (await runLoad(folder, target, 1, [server.pid])).requests;
  };
  const [, , statuses] = await Promise.all([disturb(), ask(), askWithKeys(soaking.keys, () => isBusy)]);
  return statuses;
}

/** Loses the leader, and waits until the cluster is whole again. */
async function loseLeader(cluster: PatroniCluster, kind: FailoverKind): Promise<void> {
  const { leader } = await cluster.untilHealthy();
  const loss = new LeaderLoss(cluster, kind, leader);
  await loss.begin(REACHABLE_MS);
  await cluster.untilWritable(leader);
  await loss.end();
  await cluster.untilHealthy();
}

/** Requests with keys, at a fixed rate; resolves with the number of answers of each status. */
async function askWithKeys(keys: readonly string[], isBusy: () => boolean): Promise<Record<number, number>> {
  const generator = startChild('bench/processes/load-generator.ts');
  const all: Record<number, number> = {};
  try {
    while (isBusy()) {
      const spec: LoadSpec = { port: PORT, path: KEYED_TARGET, keys, rate: KEYED_PER_SECOND, seconds: 1 };
      generator.send(spec);
      const { statuses } = await generator.next<LoadResult>();
      for (const [status, count] of Object.entries(statuses)) all[Number(status)] = (all[Number(status)] ?? 0) + count;
    }
  } finally {
    await generator.end();
  }
  return all;
}

function report(samples: readonly Sample[]): void {
  const first = samples[0] as Sample;
  const last = samples.at(-1) as Sample;
  const steady = samples.slice(WARM_UP_SAMPLES);
  // In a short round the few requests make the slope a guess.
  reportMetric('memory at rest', slope(steady), 'MB per 100,000 requests', LONG ? { most: 1 } : undefined);
  reportMetric('memory at rest, the most', Math.max(...samples.map(({ residentMb }) => residentMb)), 'MB', {
    most: 300,
  });
  reportMetric('files left open', last.files - first.files, 'files', { most: 2 });
  reportMetric('connections left open', last.sockets - first.sockets, 'sockets', { most: 2 });
}

/** The slope of a line through the samples, by least squares. */
function slope(samples: readonly Sample[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const x = samples.map(({ requests }) => requests / 100_000);
  const y = samples.map(({ residentMb }) => residentMb);
  const [meanX, meanY] = [mean(x), mean(y)];
  const covariance = mean(x.map((value, at) => (value - meanX) * ((y[at] as number) - meanY)));
  return covariance / mean(x.map((value) => (value - meanX) ** 2));
}

/** Once its connections to clients have ended, and those to the database are closed or idle as ever. */
async function sampleAtRest({ pid }: Child, requests: number): Promise<Sample> {
  await sleep(REST_MS);
  await waitUntilIdle(pid);
  const text = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text();
  const connections = sampleOf(text, 'pompa_connections');
  if (connections !== 0) throw new Error(`${connections} connections of clients are open`);
  const residentMb = (sampleOf(text, 'process_resident_memory_bytes') ?? Number.NaN) / 1e6;
  const open = openFiles(pid);
  return {
    requests,
    residentMb,
    files: open.length,
    sockets: open.filter((each) => each.startsWith('socket:')).length,
  };
}

/** What the process has open: paths, `socket:[…]` and so on. */
function openFiles(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      // Closed since.
      return [];
    }
  });
}

/** Publishes as soon as the database has a leader. */
async function publishAgainAndAgain(store: BenchDatabase, world: SyntheticCountry, round: number): Promise<void> {
  for (const end = performance.now() + PUBLISHED_WITHIN_MS; ; ) {
    try {
      await publishSweep(store, world, round, COLLECTION_SETTINGS, LEASE_MS);
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
      await sleep(200);
    }
  }
}

async function waitUntilHealthy(): Promise<void> {
  for (;;) {
    if ((await healthStatus().catch(() => 0)) === 200) return;
    await sleep(100);
  }
}

/** On a connection of its own, which does not stay open. */
async function healthStatus(): Promise<number | undefined> {
  const [response] = await once(http.get(`http://127.0.0.1:${PORT}/api/v1/health`, { agent: false }), 'response');
  response.resume();
  return (response as http.IncomingMessage).statusCode;
}

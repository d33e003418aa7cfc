/**
 * A day of a serving process in minutes: requests, publications, and kills of its database and of a second serving
 * process. Does its memory grow, does it leave files or connections open? `--long`: 5,000,000 requests, 500
 * publications and 60 kills, 20 minutes on an idle machine.
 */
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_RANGES } from '../../src/domain/fuel.ts';
import { loadGazetteer } from '../../src/geodata/load-gazetteer.ts';
import { findDatabaseDirectory } from '../../src/store/embedded/database-directory.ts';
import { runningPostmaster, sendSignal } from '../../src/store/embedded/postmaster.ts';
import {
  finishReport,
  heading,
  LONG,
  note,
  reportMetric,
  withTempFolder,
} from '../../test/support/benchmark-report.ts';
import { TRUST_LOOPBACK } from '../../test/support/builders/client-addresses.ts';
import { type SyntheticCountry, syntheticCountry } from '../../test/support/builders/synthetic-country.ts';
import {
  type BenchDatabase,
  publishSweep,
  seedDatabase,
  withDatabaseServer,
} from '../../test/support/database/bench-database.ts';
import { sampleOf } from '../../test/support/exposed-metrics.ts';
import { type Child, startChild, waitUntilIdle } from '../../test/support/processes/child-process.ts';
import { runLoad } from '../harness/load.ts';

const RECORDS = 6_000;
const PORT = 18_271;
const SECOND_PORT = 18_272;
const METRICS_PORT = 18_273;
const REQUESTS = LONG ? 5_000_000 : 200_000;
const PUBLICATIONS = LONG ? 500 : 20;
/** Half of them of the database, half of the second process. */
const KILLS = LONG ? 60 : 6;
const SAMPLES = LONG ? 20 : 6;
/** The first ones, while caches and the table of clients fill, are left out of the slope. */
const WARM_UP_SAMPLES = LONG ? 6 : 2;
/** Our pool closes connections to the database that were idle for 10 s. */
const REST_MS = 12_000;
const COLLECTION_SETTINGS = { ranges: DEFAULT_RANGES, gazetteer: loadGazetteer(), inService: ['register'] };

/** Reads that need no database, so that all are answered with 200 while it is killed. */
const TARGETS = ['IS', 'CJ', 'TM', 'BV'].flatMap((county) => [
  ...['/api/v1/preturi', `/api/v1/preturi?judet=${county}`],
  ...['/api/v1/preturi/minime', '/api/v1/health', '/openapi.json'],
]);

type Sample = {
  readonly requests: number;
  readonly residentMb: number;
  readonly files: number;
  readonly sockets: number;
};
type Soak = { readonly store: BenchDatabase; readonly world: SyntheticCountry; readonly kill: () => Promise<void> };

heading(`${REQUESTS} requests, ${PUBLICATIONS} publications of ${RECORDS} records, ${KILLS} kills`);
await withTempFolder((folder) =>
  withDatabaseServer(folder, async (create) => {
    const world = syntheticCountry(RECORDS, Date.now());
    const store = await create('soak');
    await seedDatabase(store, world);
    const settings = { ...TRUST_LOOPBACK, DATABASE_URL: store.url, SOURCES: 'register', CONTACT: 'bench@example.org' };
    const start = (port: number, name: string, further = {}) =>
      startChild('bin/pompa', ['serve', '--no-worker'], {
        ...{ ...settings, PORT: String(port), DATA_DIR: path.join(folder, name), LOG_LEVEL: 'error' },
        ...further,
      });
    const server = start(PORT, 'first', { METRICS_PORT: String(METRICS_PORT) });
    let second = start(SECOND_PORT, 'second');
    let kills = 0;
    const kill = async () => {
      kills += 1;
      if (kills % 2 === 1) return killDatabase(path.join(folder, 'postgres'));
      second.process.kill('SIGKILL');
      await second.end();
      second = start(SECOND_PORT, 'second');
    };
    try {
      await waitUntilHealthy();
      report(await runSoak(folder, server, { store, world, kill }));
    } finally {
      await Promise.all([server.end(), second.end()]);
    }
  }),
);
finishReport();

async function runSoak(folder: string, server: Child, { store, world, kill }: Soak): Promise<Sample[]> {
  const samples: Sample[] = [await sampleAtRest(server, 0)];
  let requests = 0;
  let published = 0;
  let killed = 0;
  for (let sample = 1; sample <= SAMPLES; sample += 1) {
    const due = (all: number) => (sample * all) / SAMPLES;
    while (requests < due(REQUESTS) || published < due(PUBLICATIONS)) {
      const target = { port: PORT, paths: TARGETS, coding: 'br', connections: 64 };
      const asking = runLoad(folder, target, 1, [server.pid]);
      // It is awaited below: should it fail before, both processes are still to be ended.
      asking.catch(() => undefined);
      if (killed < due(KILLS)) {
        await kill();
        killed += 1;
      }
      if (published < due(PUBLICATIONS)) {
        await publishAgainAndAgain(store, world, published);
        published += 1;
      }
      requests += (await asking).requests;
    }
    samples.push(await sampleAtRest(server, requests));
    const { residentMb, files, sockets } = samples.at(-1) as Sample;
    note(
      `${requests} requests, ${published} publications, ${killed} kills: ${residentMb.toFixed(0)} MB, ${files} files, ${sockets} of them sockets`,
    );
  }
  return samples;
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

/** Publishes as soon as the database answers again. */
async function publishAgainAndAgain(store: BenchDatabase, world: SyntheticCountry, round: number): Promise<void> {
  for (const end = performance.now() + 60_000; ; ) {
    try {
      await publishSweep(store, world, round, COLLECTION_SETTINGS);
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
      await sleep(200);
    }
  }
}

async function killDatabase(dataDir: string): Promise<void> {
  const { home } = await findDatabaseDirectory(dataDir, { info: () => undefined, warn: console.error });
  const pid = runningPostmaster(path.join(home, 'data'))?.pid;
  if (pid !== undefined) sendSignal(pid, 'SIGKILL');
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

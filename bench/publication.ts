/** How soon a serving process serves a publication, what that costs it, and a cold start. `--long`: more rounds. */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_RANGES } from '../src/domain/fuel.ts';
import { loadGazetteer } from '../src/geodata/load-gazetteer.ts';
import { HISTORY_DAYS } from '../src/snapshot/price-history.ts';
import {
  finishReport,
  heading,
  LONG,
  median,
  note,
  reportMetric,
  withTempFolder,
} from '../test/support/benchmark-report.ts';
import { newAddress, TRUST_LOOPBACK } from '../test/support/builders/client-addresses.ts';
import { type SyntheticCountry, syntheticCountry } from '../test/support/builders/synthetic-country.ts';
import {
  type BenchDatabase,
  publishSweep,
  seedDatabase,
  withDatabaseServer,
} from '../test/support/database/bench-database.ts';
import { listeningAddress, residentMb, startChild } from '../test/support/processes/child-process.ts';
import type { FollowerReady, PublicationServed } from './processes/follower.ts';

const RECORDS = 6_000;
const ROUNDS = LONG ? 30 : 9;
const LARGE_ROUNDS = LONG ? 9 : 3;
const STARTS = LONG ? 9 : 3;
const COLLECTION_SETTINGS = { ranges: DEFAULT_RANGES, gazetteer: loadGazetteer(), inService: ['register'] };

heading(`A publication of ${RECORDS} and of ${10 * RECORDS} records, every price changed; cold starts`);
await withTempFolder((folder) =>
  withDatabaseServer(folder, async (create) => {
    const world = syntheticCountry(RECORDS, Date.now());
    const store = await create('small');
    await seedDatabase(store, world);
    const small = await publications(folder, store, world, ROUNDS);
    printCost('6,000 records', small, { most: 60 }, { most: 10 });
    await coldStarts(folder, store, world);
    const largeWorld = syntheticCountry(10 * RECORDS, Date.now());
    const large = await create('large');
    await seedDatabase(large, largeWorld);
    const cost = await publications(folder, large, largeWorld, LARGE_ROUNDS);
    printCost('60,000 records', cost);
    reportMetric('60,000 records: time until served, of 6,000', cost.served / small.served, '×', { most: 9 });
    reportMetric('60,000 records: CPU of the reader’s event loop, of 6,000', cost.cpu / small.cpu, '×', { most: 12 });
  }),
);
finishReport();

type PublicationCost = { served: number; cpu: number; stall: number; worstStall: number; publisher: number };

function settings(folder: string, { url }: BenchDatabase): Record<string, string> {
  const dataDir = path.join(folder, `data-${Math.random().toString(36).slice(2)}`);
  const service = { DATABASE_URL: url, DATA_DIR: dataDir, PORT: '0', SOURCES: 'register' };
  return { ...service, CONTACT: 'bench@example.org', ...TRUST_LOOPBACK };
}

/** The first round warms up and is not counted. */
async function publications(
  folder: string,
  store: BenchDatabase,
  world: SyntheticCountry,
  rounds: number,
): Promise<PublicationCost> {
  const reader = startChild('bench/processes/follower.ts', [], settings(folder, store));
  const waits: number[] = [];
  const publisher: number[] = [];
  const servedResults: PublicationServed[] = [];
  try {
    await reader.next<FollowerReady>();
    await sleep(1_000);
    for (let round = 0; round <= rounds; round += 1) {
      reader.send({ await: round + 2 });
      await reader.next();
      const cpu = process.cpuUsage();
      await publishSweep(store, world, round, COLLECTION_SETTINGS);
      const publishedAt = performance.timeOrigin + performance.now();
      const { user, system } = process.cpuUsage(cpu);
      const reached = await reader.next<PublicationServed>();
      if (round === 0) continue;
      waits.push(reached.servedAt - publishedAt);
      publisher.push((user + system) / 1000);
      servedResults.push(reached);
    }
  } finally {
    await reader.end();
  }
  return {
    served: median(waits),
    cpu: median(servedResults.map(({ cpuMs }) => cpuMs)),
    stall: median(servedResults.map(({ stallMs }) => stallMs)),
    worstStall: Math.max(...servedResults.map(({ stallMs }) => stallMs)),
    publisher: median(publisher),
  };
}

function printCost(name: string, cost: PublicationCost, served?: { most: number }, stall?: { most: number }): void {
  reportMetric(`${name}: from commit until served`, cost.served, 'ms', served);
  reportMetric(`${name}: longest stall of the event loop, in half of the rounds`, cost.stall, 'ms', stall);
  reportMetric(`${name}: the same in the worst round`, cost.worstStall, 'ms', stall);
  note(
    `${name}: CPU of the reader’s event loop ${cost.cpu.toFixed(0)} ms, of the publisher ${cost.publisher.toFixed(0)} ms`,
  );
}

/** From the start of the program, with nothing on disk, until a station's 90 days are answered. */
async function coldStarts(folder: string, store: BenchDatabase, { sourceStations }: SyntheticCountry): Promise<void> {
  const times: number[] = [];
  const peaks: number[] = [];
  for (let round = 0; round < STARTS; round += 1) {
    const begun = performance.now();
    const server = startChild('bin/pompa', ['serve', '--no-worker'], settings(folder, store));
    try {
      const address = await listeningAddress(server);
      await ninetyDays(`${address}/api/v1/statie/${sourceStations[0]?.station}/istoric?days=90`);
      times.push(performance.now() - begun);
      peaks.push(residentMb(server.pid).peak);
    } finally {
      await server.end();
    }
  }
  reportMetric('cold start with 90 days of 6,000 records', median(times) / 1000, 's', { most: 3 });
  note(`resident at its peak meanwhile: ${median(peaks).toFixed(0)} MB`);
}

async function ninetyDays(url: string): Promise<void> {
  for (;;) {
    const response = await fetch(url, { headers: { 'X-Forwarded-For': newAddress() } });
    const body = (await response.json()) as { labels?: unknown[] };
    if (response.status === 200 && body.labels?.length === HISTORY_DAYS) return;
    await sleep(5);
  }
}

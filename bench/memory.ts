/**
 * Memory of `serve --no-worker` with 20,000 keys, over many requests from as many visitors, and publications. `--long`:
 * 1,000,000 requests and 200 publications.
 */
import path from 'node:path';
import { DEFAULT_RANGES } from '../src/domain/fuel.ts';
import { loadGazetteer } from '../src/geodata/load-gazetteer.ts';
import {
  finishReport,
  heading,
  LONG,
  median,
  note,
  reportMetric,
  withTempFolder,
} from '../test/support/benchmark-report.ts';
import { TRUST_LOOPBACK } from '../test/support/builders/client-addresses.ts';
import { insertKeys } from '../test/support/builders/key-fixture.ts';
import { type SyntheticCountry, syntheticCountry } from '../test/support/builders/synthetic-country.ts';
import {
  type BenchDatabase,
  publishSweep,
  seedDatabase,
  withDatabaseServer,
} from '../test/support/database/bench-database.ts';
import { type Child, residentMb, startChild, waitUntilIdle } from '../test/support/processes/child-process.ts';
import { runLoad } from './harness/load.ts';

const RECORDS = 6_000;
const KEYS = 20_000;
const PORT = 18_087;
const REQUESTS = LONG ? 1_000_000 : 100_000;
const PUBLICATIONS = LONG ? 200 : 20;
/** Number of samples of resident memory, taken at rest. */
const SAMPLES = 10;
const COLLECTION_SETTINGS = { ranges: DEFAULT_RANGES, gazetteer: loadGazetteer(), inService: ['register'] };

heading(`Memory with ${KEYS} keys, over ${REQUESTS} requests and ${PUBLICATIONS} publications of ${RECORDS} records`);
await withTempFolder((folder) =>
  withDatabaseServer(folder, async (create) => {
    const world = syntheticCountry(RECORDS, Date.now());
    const store = await create('memory');
    await seedDatabase(store, world);
    await insertKeys(store.pool, KEYS);
    const server = startChild('bin/pompa', ['serve', '--no-worker'], {
      DATABASE_URL: store.url,
      ...TRUST_LOOPBACK,
      DATA_DIR: path.join(folder, 'data'),
      PORT: String(PORT),
      SOURCES: 'register',
      CONTACT: 'bench@example.org',
    });
    try {
      await waitUntilHealthy();
      await waitUntilIdle(server.pid);
      note(`after the start: ${residentText(server)}`);
      await runMemoryLoad(folder, server, store, world);
    } finally {
      await server.end();
    }
  }),
);
finishReport();

async function runMemoryLoad(
  folder: string,
  server: Child,
  store: BenchDatabase,
  world: SyntheticCountry,
): Promise<void> {
  const residentSamples: number[] = [];
  const anonymousSamples: number[] = [];
  let published = 0;
  let requests = 0;
  for (let sample = 1; sample <= SAMPLES; sample += 1) {
    while (requests < (sample * REQUESTS) / SAMPLES || published < (sample * PUBLICATIONS) / SAMPLES) {
      // Publications come while requests are under way.
      const asking = runLoad(
        folder,
        { port: PORT, paths: mixedTargets(world, requests), coding: 'br', distinctClients: true },
        1,
        [server.pid],
      );
      if (published < (sample * PUBLICATIONS) / SAMPLES) {
        await publishSweep(store, world, published, COLLECTION_SETTINGS);
        published += 1;
      }
      requests += (await asking).requests;
    }
    await waitUntilIdle(server.pid);
    const { now, anonymous } = residentMb(server.pid);
    residentSamples.push(now);
    anonymousSamples.push(anonymous);
    note(`after ${requests} requests, ${published} publications: ${residentText(server)}`);
  }
  const half = SAMPLES / 2;
  const growth = median(residentSamples.slice(half)) - median(residentSamples.slice(0, half));
  reportMetric('resident at rest, the most seen', Math.max(...residentSamples), 'MB', { most: 250 });
  // Code and libraries are shared with other processes; these are the heap of the engine, buffers and stacks.
  reportMetric('anonymous at rest, median', median(anonymousSamples), 'MB', { most: 150 });
  // In a short round the table of clients is still filling.
  reportMetric('growth from the first half to the second', growth, 'MB', LONG ? { most: 10 } : undefined);
}

/** A mix of all requests, weighted by popularity. */
function mixedTargets({ sourceStations }: SyntheticCountry, from: number): string[] {
  return Array.from({ length: 300 }, (_, index) => {
    const { station, lat, lng } = sourceStations[
      (from + index) % sourceStations.length
    ] as (typeof sourceStations)[number];
    const others = [
      `/api/v1/statii?lat=${lat}&lon=${lng}&raza=5`,
      `/api/v1/statie/${station}/istoric?days=90`,
      `/api/v1/statii?lat=${lat}&lon=${lng}&raza=50&tip=gpl`,
      '/api/v1/judete/CJ',
      '/api/v1/statii?brand=omv',
      '/api/v1/preturi?judet=IS',
      '/api/v1/geocode?q=iasi',
    ];
    return index % 2 === 0 ? '/api/v1/preturi' : (others[(index >> 1) % others.length] as string);
  });
}

async function waitUntilHealthy(): Promise<void> {
  for (;;) {
    const status = await fetch(`http://127.0.0.1:${PORT}/api/v1/health`).then(
      (r) => r.status,
      () => 0,
    );
    if (status === 200) return;
  }
}

function residentText({ pid }: Child): string {
  const { now, peak, anonymous } = residentMb(pid);
  return `${now.toFixed(0)} MB, of it anonymous ${anonymous.toFixed(0)} MB; at its peak ${peak.toFixed(0)} MB`;
}

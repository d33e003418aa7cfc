/**
 * Resident memory of `serve --no-worker` over many requests and publications. `--long`: 1,000,000 requests and 200
 * publications.
 */
import path from 'node:path';
import { DEFAULT_RANGES } from '../src/domain/fuel.ts';
import { loadGazetteer } from '../src/geodata/load-gazetteer.ts';
import { fill, publishSweep, type Store, withServer } from '../test/support/bench-database.ts';
import { type Child, residentMb, start, untilIdle } from '../test/support/child-process.ts';
import { BEHIND_LOOPBACK } from '../test/support/client-addresses.ts';
import { conclude, figure, heading, inFolder, LONG, median, note } from '../test/support/report.ts';
import { type Synthetic, synthesise } from '../test/support/synthetic-country.ts';
import { load } from './harness/load.ts';

const RECORDS = 6_000;
const PORT = 18_087;
const REQUESTS = LONG ? 1_000_000 : 100_000;
const PUBLICATIONS = LONG ? 200 : 20;
/** Resident memory is looked at after every so many publications, at rest. */
const LOOKS = 10;
const RULES = { ranges: DEFAULT_RANGES, gazetteer: loadGazetteer(), inService: ['register'] };

heading(`Resident memory over ${REQUESTS} requests and ${PUBLICATIONS} publications of ${RECORDS} records`);
await inFolder((folder) =>
  withServer(folder, async (create) => {
    const world = synthesise(RECORDS, Date.now());
    const store = await create('memory');
    await fill(store, world);
    const server = start('bin/pompa', ['serve', '--no-worker'], {
      DATABASE_URL: store.url,
      ...BEHIND_LOOPBACK,
      DATA_DIR: path.join(folder, 'data'),
      PORT: String(PORT),
      SOURCES: 'register',
      CONTACT: 'bench@example.org',
    });
    try {
      await healthy();
      await untilIdle(server.pid);
      note(`after the start: ${megabytes(server)}`);
      await wear(folder, server, store, world);
    } finally {
      await server.end();
    }
  }),
);
conclude();

async function wear(folder: string, server: Child, store: Store, world: Synthetic): Promise<void> {
  const seen: number[] = [];
  let published = 0;
  let requests = 0;
  for (let look = 1; look <= LOOKS; look += 1) {
    while (requests < (look * REQUESTS) / LOOKS || published < (look * PUBLICATIONS) / LOOKS) {
      // Publications come while requests are under way.
      const asking = load(folder, { port: PORT, paths: mixed(world, requests), coding: 'br', strangers: true }, 1, [
        server.pid,
      ]);
      if (published < (look * PUBLICATIONS) / LOOKS) {
        await publishSweep(store, world, published, RULES);
        published += 1;
      }
      requests += (await asking).requests;
    }
    await untilIdle(server.pid);
    seen.push(residentMb(server.pid).now);
    note(`after ${requests} requests, ${published} publications: ${megabytes(server)}`);
  }
  const half = LOOKS / 2;
  const growth = median(seen.slice(half)) - median(seen.slice(0, half));
  figure('resident at rest, the most seen', Math.max(...seen), 'MB', { most: 250 });
  // In a short round what is remembered of visitors is still filling.
  figure('growth from the first half to the second', growth, 'MB', LONG ? { most: 10 } : undefined);
}

/** Of everything something, most of it what people ask most. */
function mixed({ aliases }: Synthetic, from: number): string[] {
  return Array.from({ length: 300 }, (_, index) => {
    const { station, lat, lng } = aliases[(from + index) % aliases.length] as (typeof aliases)[number];
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

async function healthy(): Promise<void> {
  for (;;) {
    const status = await fetch(`http://127.0.0.1:${PORT}/api/v1/health`).then(
      (r) => r.status,
      () => 0,
    );
    if (status === 200) return;
  }
}

function megabytes({ pid }: Child): string {
  const { now, peak } = residentMb(pid);
  return `${now.toFixed(0)} MB, at its peak ${peak.toFixed(0)} MB`;
}

/** How soon a publication is in the answers of a serving process, what it costs there, and a cold start. `--long` for more rounds. */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_RANGES } from '../src/domain/fuel.ts';
import { loadGazetteer } from '../src/geodata/load-gazetteer.ts';
import { HISTORY_DAYS } from '../src/snapshot/history.ts';
import { fill, publishSweep, type Store, withServer } from '../test/support/bench-database.ts';
import { listening, residentMb, start } from '../test/support/child-process.ts';
import { BEHIND_LOOPBACK, newAddress } from '../test/support/client-addresses.ts';
import { conclude, figure, heading, inFolder, LONG, median, note } from '../test/support/report.ts';
import { type Synthetic, synthesise } from '../test/support/synthetic-country.ts';
import type { Reached, Ready } from './processes/follower.ts';

const RECORDS = 6_000;
const ROUNDS = LONG ? 30 : 9;
const LARGE_ROUNDS = LONG ? 9 : 3;
const STARTS = LONG ? 9 : 3;
const RULES = { ranges: DEFAULT_RANGES, gazetteer: loadGazetteer(), inService: ['register'] };

heading(`A publication of ${RECORDS} and of ${10 * RECORDS} records, every price changed; cold starts`);
await inFolder((folder) =>
  withServer(folder, async (create) => {
    const world = synthesise(RECORDS, Date.now());
    const store = await create('small');
    await fill(store, world);
    const small = await publications(folder, store, world, ROUNDS);
    tell('6,000 records', small, { most: 300 }, { most: 50 });
    await coldStarts(folder, store, world);
    const largeWorld = synthesise(10 * RECORDS, Date.now());
    const large = await create('large');
    await fill(large, largeWorld);
    const cost = await publications(folder, large, largeWorld, LARGE_ROUNDS);
    tell('60,000 records', cost);
    figure('60,000 records: time until served, of 6,000', cost.served / small.served, '×', { most: 12 });
    figure('60,000 records: CPU of the reader’s event loop, of 6,000', cost.cpu / small.cpu, '×', { most: 12 });
  }),
);
conclude();

type Cost = { served: number; cpu: number; stall: number; worstStall: number; publisher: number };

function settings(folder: string, { url }: Store): Record<string, string> {
  const dataDir = path.join(folder, `data-${Math.random().toString(36).slice(2)}`);
  const service = { DATABASE_URL: url, DATA_DIR: dataDir, PORT: '0', SOURCES: 'register' };
  return { ...service, CONTACT: 'bench@example.org', ...BEHIND_LOOPBACK };
}

/** The first round warms up and is not counted. */
async function publications(folder: string, store: Store, world: Synthetic, rounds: number): Promise<Cost> {
  const reader = start('bench/processes/follower.ts', [], settings(folder, store));
  const waits: number[] = [];
  const publisher: number[] = [];
  const told: Reached[] = [];
  try {
    await reader.next<Ready>();
    await sleep(1_000);
    for (let round = 0; round <= rounds; round += 1) {
      reader.send({ await: round + 2 });
      await reader.next();
      const cpu = process.cpuUsage();
      await publishSweep(store, world, round, RULES);
      const publishedAt = performance.timeOrigin + performance.now();
      const { user, system } = process.cpuUsage(cpu);
      const reached = await reader.next<Reached>();
      if (round === 0) continue;
      waits.push(reached.servedAt - publishedAt);
      publisher.push((user + system) / 1000);
      told.push(reached);
    }
  } finally {
    await reader.end();
  }
  return {
    served: median(waits),
    cpu: median(told.map(({ cpuMs }) => cpuMs)),
    stall: median(told.map(({ stallMs }) => stallMs)),
    worstStall: Math.max(...told.map(({ stallMs }) => stallMs)),
    publisher: median(publisher),
  };
}

function tell(name: string, cost: Cost, served?: { most: number }, stall?: { most: number }): void {
  figure(`${name}: from commit until served`, cost.served, 'ms', served);
  figure(`${name}: longest stall of the event loop, in half of the rounds`, cost.stall, 'ms', stall);
  figure(`${name}: the same in the worst round`, cost.worstStall, 'ms', stall);
  note(
    `${name}: CPU of the reader’s event loop ${cost.cpu.toFixed(0)} ms, of the publisher ${cost.publisher.toFixed(0)} ms`,
  );
}

/** From the start of the program, with nothing on disk, until a station's 90 days are answered. */
async function coldStarts(folder: string, store: Store, { aliases }: Synthetic): Promise<void> {
  const times: number[] = [];
  const peaks: number[] = [];
  for (let round = 0; round < STARTS; round += 1) {
    const begun = performance.now();
    const server = start('bin/pompa', ['serve', '--no-worker'], settings(folder, store));
    try {
      const address = await listening(server);
      await ninetyDays(`${address}/api/v1/statie/${aliases[0]?.station}/istoric?days=90`);
      times.push(performance.now() - begun);
      peaks.push(residentMb(server.pid).peak);
    } finally {
      await server.end();
    }
  }
  figure('cold start with 90 days of 6,000 records', median(times) / 1000, 's', { most: 3 });
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

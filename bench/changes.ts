/**
 * The feed of changes: what a page costs beside `/preturi/minime`, how soon 500 streams are told, what telling costs a
 * publication, and what 30 days take in memory. `--long`: more rounds.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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
import { syntheticCountry } from '../test/support/builders/synthetic-country.ts';
import { EventClient } from '../test/support/changes/event-client.ts';
import {
  type BenchDatabase,
  publishSweep,
  seedDatabase,
  withDatabaseServer,
} from '../test/support/database/bench-database.ts';
import { waitFor } from '../test/support/database/embedded-database.ts';
import { type Child, startChild } from '../test/support/processes/child-process.ts';
import { GENERATOR, runLoad } from './harness/load.ts';
import type { FeedReady, Told } from './processes/feed.ts';
import type { FollowerReady, PublicationServed } from './processes/follower.ts';

/** 30 days of 2,000 stations, and a publication of them. */
const CHANGES = 96_000;
const AT_ONCE = 270;
/** Told at once to streams: a usual publication, and one that moves the prices of several networks. */
const TOLD_AT_ONCE = [AT_ONCE, 1_000];
const STREAMS = 500;
const RECORDS = 6_000;
const ROUNDS = LONG ? 9 : 5;
const LOAD_SECONDS = LONG ? 4 : 1;
const FEED = '/api/v1/modificari';
const SETTINGS = { ranges: DEFAULT_RANGES, gazetteer: loadGazetteer(), inService: ['register'] };

heading(`The feed of ${CHANGES} changes; ${GENERATOR}`);
await withTempFolder(async (folder) => {
  const server = startChild('bench/processes/feed.ts', [String(CHANGES), String(AT_ONCE)]);
  try {
    const ready = await server.next<FeedReady>();
    note(`heap of ${CHANGES} changes: ${ready.megabytes.toFixed(0)} MB`);
    await pages(folder, server, ready);
    await streams(server, ready);
  } finally {
    await server.end();
  }
  await withDatabaseServer(path.join(folder), async (create) => publications(folder, await create('changes')));
});
finishReport();

/** Alternates between the paths, in the opposite order every other round. */
async function pages(folder: string, server: Child, { port, head }: FeedReady): Promise<void> {
  const paths = {
    minime: '/api/v1/preturi/minime',
    end: `${FEED}?dupa=${head}`,
    hundred: `${FEED}?limita=100`,
    thousand: FEED,
  };
  const costs = new Map<string, number[]>();
  for (let round = 0; round <= ROUNDS; round += 1) {
    const inTurn = Object.entries(paths);
    for (const [name, target] of round % 2 === 0 ? inTurn : inTurn.toReversed()) {
      const load = await runLoad(folder, { port, paths: [target], coding: 'br' }, LOAD_SECONDS, [server.pid]);
      if (round > 0) costs.set(name, [...(costs.get(name) ?? []), (1000 * load.cpuMs) / load.requests]);
    }
  }
  const cost = (name: keyof typeof paths) => median(costs.get(name) as number[]);
  note(`CPU of /preturi/minime, prerendered: ${cost('minime').toFixed(1)} µs`);
  reportMetric('a page at the end of the feed, of /preturi/minime', cost('end') / cost('minime'), '×', { most: 1.5 });
  reportMetric('a page of 100 changes', cost('hundred'), 'µs');
  reportMetric('a page of 1,000 changes', cost('thousand'), 'µs');
}

/** From the telling until the last of the streams has the last change. */
async function streams(server: Child, { port }: FeedReady): Promise<void> {
  const connect = () => EventClient.connect(port, `${FEED}/flux`);
  const clients = await Promise.all(Array.from({ length: STREAMS }, connect));
  for (const count of TOLD_AT_ONCE) await tellStreams(server, clients, count);
  for (const client of clients) client.close();
}

async function tellStreams(server: Child, clients: readonly EventClient[], count: number): Promise<void> {
  const times: number[] = [];
  const cpu: number[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const { events } of clients) events.length = 0;
    server.send({ count });
    const { at, cpuMs } = await server.next<Told>();
    await Promise.all(clients.map((client) => client.until(({ events }) => events.length === count)));
    times.push(performance.timeOrigin + performance.now() - at);
    cpu.push(cpuMs);
  }
  reportMetric(`${STREAMS} streams have ${count} changes within`, median(times), 'ms', { most: 1_000 });
  note(
    `in the worst round ${Math.max(...times).toFixed(0)} ms; CPU of telling and writing ${median(cpu).toFixed(0)} ms`,
  );
}

/** With a process that tells changes, and with that process stopped; every price changes. */
async function publications(folder: string, store: BenchDatabase): Promise<void> {
  const world = syntheticCountry(RECORDS, Date.now());
  await seedDatabase(store, world);
  const program = path.resolve(import.meta.dirname, '../test/resilience/processes/telling-process.ts');
  const teller = fork(program, { env: { PATH: process.env.PATH, DATABASE: store.url } });
  await once(teller, 'message');
  const service = { DATABASE_URL: store.url, DATA_DIR: path.join(folder, 'data'), PORT: '0', SOURCES: 'register' };
  const reader = startChild('bench/processes/follower.ts', [], {
    ...service,
    ...{ CONTACT: 'bench@example.org', ...TRUST_LOOPBACK },
  });
  const published: Record<'with' | 'without', number[]> = { with: [], without: [] };
  const served: Record<'with' | 'without', number[]> = { with: [], without: [] };
  const told: number[] = [];
  try {
    await reader.next<FollowerReady>();
    for (let round = 0; round <= 2 * ROUNDS; round += 1) {
      const kind = round % 2 === 0 ? 'with' : 'without';
      await waitUntilTold(store);
      await sleep(500);
      if (kind === 'without') teller.kill('SIGSTOP');
      reader.send({ await: round + 2 });
      await reader.next();
      const begun = performance.timeOrigin + performance.now();
      await publishSweep(store, world, round, SETTINGS);
      const committed = performance.timeOrigin + performance.now();
      if (kind === 'with') await waitUntilTold(store);
      const toldAt = performance.timeOrigin + performance.now();
      const { servedAt } = await reader.next<PublicationServed>();
      teller.kill('SIGCONT');
      if (round === 0) continue;
      published[kind].push(committed - begun);
      served[kind].push(servedAt - begun);
      if (kind === 'with') told.push(toldAt - committed);
    }
  } finally {
    await reader.end();
    teller.kill('SIGKILL');
  }
  const slower = (times: typeof published) => 100 * (median(times.with) / median(times.without) - 1);
  note(
    `a publication: ${median(published.without).toFixed(0)} ms, served after ${median(served.without).toFixed(0)} ms`,
  );
  reportMetric('with the feed, until the commit', slower(published), '% more', { most: 20 });
  reportMetric('with the feed, until it is served', slower(served), '% more', { most: 20 });
  reportMetric(`${RECORDS} changes told after the commit within`, median(told), 'ms', { most: 1_000 });
}

function waitUntilTold({ pool }: BenchDatabase): Promise<unknown> {
  return waitFor('the publication is told', 30_000, async () => {
    const { rows } = await pool.query('select from publication join change_feed using (version)');
    return rows.length > 0;
  });
}

/**
 * How soon a start answers, with the embedded database stopped before it: `serve` on existing data (6,000 records, 90
 * days, 20,000 keys) until the first price and the first answer with a key, and the demo of an installed clone on its
 * very first start until it shows prices. `--long`: more rounds.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../src/store/connection/database.ts';
import type { Schema } from '../src/store/connection/schema.ts';
import { findDatabaseDirectory } from '../src/store/embedded/database-directory.ts';
import { removeEmbeddedDatabase } from '../src/store/embedded/remove.ts';
import { migrate } from '../src/store/migrations/apply-migrations.ts';
import { finishReport, heading, LONG, median, reportMetric, withTempFolder } from '../test/support/benchmark-report.ts';
import { insertKeys } from '../test/support/builders/key-fixture.ts';
import { syntheticCountry } from '../test/support/builders/synthetic-country.ts';
import { seedDatabase } from '../test/support/database/bench-database.ts';
import { waitFor } from '../test/support/database/embedded-database.ts';
import { startChild, waitUntilIdle } from '../test/support/processes/child-process.ts';

const RECORDS = 6_000;
const KEYS = 20_000;
const ROUNDS = LONG ? 15 : 5;
const DEMO_ROUNDS = LONG ? 5 : 2;
const PORT = 18_095;
const POLL_MS = 3;
const STOPPED_WITHIN_MS = 30_000;
const MINIME = '/api/v1/preturi/minime';
const PRICES = '/api/v1/preturi';
/** What an answer has once prices were published. */
const UPDATED_AT = /"actualizat_la":"/;
const silentLog = { info: () => undefined, warn: console.error };

heading(`Starts with ${RECORDS} records, 90 days and ${KEYS} keys; the first start of the demo`);
await withTempFolder(async (folder) => {
  const dataDir = path.join(folder, 'data');
  const demoDirs = Array.from({ length: DEMO_ROUNDS }, (_, round) => path.join(folder, `demo${round}`));
  try {
    const demos: number[] = [];
    for (const demoDir of demoDirs) demos.push(await startDemo(demoDir));
    const key = await fill(dataDir);
    // Writes the last good facts, and compiles.
    await start(dataDir, key);
    const rounds: { price: number; keyed: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await start(dataDir, key));
    reportMetric('serve: first price', median(rounds.map(({ price }) => price)), 'ms', { most: 500 });
    reportMetric('serve: first answer with a key', median(rounds.map(({ keyed }) => keyed)), 'ms', { most: 1_000 });
    reportMetric('scripts/start: first price of a new demo', median(demos), 'ms', { most: 4_000 });
  } finally {
    // Not sooner: ext4 creates files slowly for half a minute after many were deleted (recently_deleted() of Linux).
    for (const demoDir of demoDirs) await removeEmbeddedDatabase(path.join(demoDir, 'demo'));
    await removeEmbeddedDatabase(dataDir);
  }
});
finishReport();

/** Fills the embedded database of a folder, and stops it; returns a key. */
async function fill(dataDir: string): Promise<string> {
  const database = await openDatabase<Schema>({ dataDir, log: silentLog });
  try {
    await migrate(database);
    await seedDatabase({ ...database, url: '' }, syntheticCountry(RECORDS, Date.now()));
    return (await insertKeys(database.pool, KEYS)).at(-1) as string;
  } finally {
    await database.close();
  }
}

/** From the start of the program until its first answers, ms. */
async function start(dataDir: string, key: string): Promise<{ price: number; keyed: number }> {
  await untilDatabaseStopped(dataDir);
  const settings = { DATA_DIR: dataDir, PORT: String(PORT), SOURCES: 'register', CONTACT: 'bench@example.org' };
  const begun = performance.now();
  const server = startChild('bin/pompa', ['serve', '--no-worker'], settings);
  try {
    const price = (await untilPriced(MINIME)) - begun;
    const keyed = (await untilPriced(PRICES, { 'x-api-key': key })) - begun;
    await waitUntilIdle(server.pid);
    return { price, keyed };
  } finally {
    await server.end();
  }
}

async function startDemo(dataDir: string): Promise<number> {
  const settings = { DATA_DIR: dataDir, PORT: String(PORT), NODE_COMPILE_CACHE: path.join(dataDir, 'compiled') };
  // The end of an installation: nothing has run yet.
  spawnSync(path.resolve('scripts/compile'), { env: { ...process.env, ...settings }, stdio: 'inherit' });
  const begun = performance.now();
  const demo = startChild('scripts/start', [], settings);
  try {
    return (await untilPriced(MINIME)) - begun;
  } finally {
    await demo.end();
    await untilDatabaseStopped(path.join(dataDir, 'demo'));
  }
}

/** When an address was first answered with 200 and a price, by `performance.now()`. */
async function untilPriced(target: string, headers: Record<string, string> = {}): Promise<number> {
  for (;;) {
    const body = await new Promise<string>((resolve) => {
      const request = http.get({ port: PORT, host: '127.0.0.1', path: target, headers, agent: false }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        response.once('end', () => resolve(response.statusCode === 200 ? text : ''));
      });
      request.once('error', () => resolve(''));
    });
    if (UPDATED_AT.test(body)) return performance.now();
    await sleep(POLL_MS);
  }
}

async function untilDatabaseStopped(dataDir: string): Promise<void> {
  const { home } = await findDatabaseDirectory(dataDir, silentLog);
  // Asking its supervisor would keep it.
  const postmaster = path.join(home, 'data/postmaster.pid');
  await waitFor('the database to stop', STOPPED_WITHIN_MS, () => !existsSync(postmaster));
}

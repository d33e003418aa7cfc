/** A PostgreSQL for benchmarks: the embedded one in its own folder, filled with a synthetic country. */

import path from 'node:path';
import { bucharestDay, dayNumber } from '../../../src/domain/days.ts';
import type { CollectionSettings } from '../../../src/domain/prices/collection-settings.ts';
import { type Database, openDatabase } from '../../../src/store/connection/database.ts';
import { releaseLease, takeLease } from '../../../src/store/connection/leases.ts';
import type { Schema } from '../../../src/store/connection/schema.ts';
import { removeEmbeddedDatabase } from '../../../src/store/embedded/remove.ts';
import { attachToDatabase } from '../../../src/store/embedded/supervisor-client.ts';
import { migrate } from '../../../src/store/migrations/apply-migrations.ts';
import { writeDay } from '../../../src/store/prices/daily-prices.ts';
import { saveKnownPrices } from '../../../src/store/prices/observations.ts';
import { completePublication, lockPublication } from '../../../src/store/prices/publication.ts';
import { recordSourceTimes, recordUnitReads } from '../../../src/store/prices/runs.ts';
import { createStations, saveSourceStations } from '../../../src/store/prices/stations.ts';
import { publish } from '../../../src/worker/collection/publish.ts';
import { pastDays, type SyntheticCountry, sweepOf } from '../builders/synthetic-country.ts';
import { superuserOf } from './embedded-database.ts';

export type BenchDatabase = Database<Schema> & { readonly url: string };

const silentLog = { info: () => undefined, warn: console.error };

/** Runs `work` with a function that creates databases on one server, and removes the server afterwards. */
export async function withDatabaseServer(
  folder: string,
  work: (create: (name: string) => Promise<BenchDatabase>) => Promise<void>,
): Promise<void> {
  const dataDir = path.join(folder, 'postgres');
  const { connection, close } = await attachToDatabase(dataDir);
  const { host, port, user, password } = await superuserOf(dataDir, connection);
  const urlOf = (name: string) => `postgres://${user}:${password}@${encodeURIComponent(host)}:${port}/${name}`;
  const opened: BenchDatabase[] = [];
  try {
    await work(async (name) => {
      const admin = await openDatabase({ databaseUrl: urlOf(connection.database), dataDir, log: silentLog });
      await admin.pool.query(`create database ${name}`).finally(() => admin.close());
      const database = await openDatabase<Schema>({ databaseUrl: urlOf(name), dataDir, log: silentLog });
      const store = { ...database, url: urlOf(name) };
      opened.push(store);
      await migrate(store);
      return store;
    });
  } finally {
    for (const store of opened) await store.close();
    await close();
    await removeEmbeddedDatabase(dataDir);
  }
}

/** Stores the country as it is after a first collection and 90 days. */
export async function seedDatabase({ kysely, pool }: BenchDatabase, world: SyntheticCountry): Promise<void> {
  const { sourceStations, known, now } = world;
  await kysely.transaction().execute(async (tx) => {
    await lockPublication(tx);
    await createStations(
      tx,
      sourceStations.map(({ station }) => station),
      now,
    );
    await saveSourceStations(tx, sourceStations, false);
    await saveKnownPrices(tx, known, now);
    await recordUnitReads(tx, 'register', new Set(known.map(({ unit }) => unit)), now);
    await recordSourceTimes(tx, 'register', now, now);
    for (const rows of pastDays(world)) await writeDay(tx, rows[0]?.day ?? dayNumber(bucharestDay(now)), rows);
    await completePublication(tx, { publishedAt: now, updatedAt: now, changedDays: [] });
  });
  await pool.query('vacuum analyze');
}

/**
 * Publishes a sweep, as a collection does, in which every price moved by 10 or 20 bani; returns the version. Where it
 * fails, the next one can begin after `leaseMs`.
 */
export async function publishSweep(
  { kysely }: BenchDatabase,
  world: SyntheticCountry,
  round: number,
  settings: CollectionSettings,
  leaseMs = 600_000,
): Promise<number> {
  const at = Math.floor(Date.now() / 1000) * 1000;
  const lease = await takeLease(kysely, 'collect', 'bench', leaseMs);
  if (lease === null) throw new Error('the lease of the benchmark is taken');
  const sweep = sweepOf(world, round % 2 === 0 ? 10 : 20, at);
  const swept = [{ source: 'register', sweep, startedAt: at, finishedAt: at }];
  const { version, runs } = await publish(
    kysely,
    lease,
    { swept, failed: [], at, scheduled: true, force: true },
    settings,
  );
  await releaseLease(kysely, lease);
  if (version === null) throw new Error(`nothing was published: ${runs[0]?.reason}`);
  return version;
}

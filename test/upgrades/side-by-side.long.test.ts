// The release before and this one on one database, under load: forward server by server, and back.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { hashApiKey } from '../../src/domain/access/api-key.ts';
import { DEFAULT_RANGES } from '../../src/domain/fuel.ts';
import { loadGazetteer } from '../../src/geodata/load-gazetteer.ts';
import { type Database, openDatabase } from '../../src/store/connection/database.ts';
import type { Schema } from '../../src/store/connection/schema.ts';
import { migrate } from '../../src/store/migrations/apply-migrations.ts';
import { readMigrations } from '../../src/store/migrations/read-migrations.ts';
import { Clients, type KeyHolder } from '../resilience/engine/clients.ts';
import { SteadyReaders } from '../resilience/engine/steady-readers.ts';
import { TRUST_LOOPBACK } from '../support/builders/client-addresses.ts';
import { insertKeys } from '../support/builders/key-fixture.ts';
import { syntheticCountry } from '../support/builders/synthetic-country.ts';
import type * as benchDatabase from '../support/database/bench-database.ts';
import { publishSweep } from '../support/database/bench-database.ts';
import { waitFor } from '../support/database/embedded-database.ts';
import { emptyDatabase } from '../support/database/test-database.ts';
import { type Child, listeningAddress, startChild } from '../support/processes/child-process.ts';
import { runProgram } from '../support/processes/run-program.ts';
import { addReport, roundsOf, seedOf } from '../support/run-settings.ts';
import { type Checkout, checkOutReleaseBefore, RELEASE_BEFORE } from './release-before.ts';

const PROGRAM = 'bin/pompa';
const MIGRATIONS = path.resolve(import.meta.dirname, '../../migrations');
const SERVERS = 2;
const KEYS = 24;
/** A key sends 29 requests in the shortest of rounds. */
const SMALL_QUOTA = 20;
const BIG_QUOTA = 1_000_000;
/** One that is prerendered, one that is rendered, one of Fastify, one of the site. */
const PATHS = ['/api/v1/preturi/minime', '/api/v1/geocode?q=cluj', '/livez', '/'];
/** Load before and after each step, ms. */
const LOAD_MS = 1_500;
const SERVED_WITHIN_MS = 20_000;
const SETTINGS = { ranges: DEFAULT_RANGES, gazetteer: loadGazetteer(), inService: null };

let folder: string;
let release: Checkout;
let made: Awaited<ReturnType<typeof emptyDatabase>>;
let database: Database<Schema>;
/** As the code of the release before stores and publishes. */
let older: typeof benchDatabase;
const world = syntheticCountry(600, Date.now());

before(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-upgrades-'));
  release = await checkOutReleaseBefore(path.join(folder, 'release'));
  older = await release.import('test/support/database/bench-database.ts');
  made = await emptyDatabase();
  await runProgram([release.program, 'migrate'], { cwd: folder, env: settingsOf('migrate') });
  database = await openDatabase<Schema>({
    databaseUrl: made.url,
    dataDir: '',
    log: { info: () => undefined, warn: console.error },
  });
  await older.seedDatabase({ ...database, url: made.url }, world);
});
after(async () => {
  await database.close();
  await made.drop();
  rmSync(folder, { recursive: true });
});

function settingsOf(place: string): Record<string, string> {
  const dataDir = path.join(folder, place);
  mkdirSync(dataDir, { recursive: true });
  return {
    ...{ DATABASE_URL: made.url, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn', ...TRUST_LOOPBACK },
    ...{ SOURCES: 'register', CONTACT: 'test@example.org' },
  };
}

/** Those of this program and of one to come, which suit the release before, on tables that each request uses. */
function nextMigrations(): string {
  const next = path.join(folder, 'migrations');
  cpSync(MIGRATIONS, next, { recursive: true });
  const head = `-- Of a release to come.\n-- Compatible from: ${String(RELEASE_BEFORE.migration).padStart(4, '0')}\n\n`;
  for (const [index, table] of ['key_usage', 'price_facts', 'daily_prices', 'stations'].entries())
    writeFileSync(
      path.join(next, `900${index}-${table.replace('_', '-')}.sql`),
      `${head}alter table ${table} add column next text;`,
    );
  return next;
}

/** A place of a load balancer: one server after another runs there, on the same folder. */
class Place {
  readonly #name: string;
  readonly #rotation: Place[];
  readonly #lost: SteadyReaders['lost'];
  #child: Child | undefined;
  #readers = new SteadyReaders();
  address = '';
  answered = 0;

  constructor(name: string, rotation: Place[], lost: SteadyReaders['lost']) {
    this.#name = name;
    this.#rotation = rotation;
    this.#lost = lost;
  }

  /** Starts a program here, and sends requests to it once it is ready. */
  async start(program: string): Promise<void> {
    this.#child = startChild(program, ['serve', '--no-worker'], settingsOf(this.#name));
    this.address = await listeningAddress(this.#child);
    const isReady = async () => (await fetch(`${this.address}/api/v1/health`)).ok;
    await waitFor('a server that has prices', SERVED_WITHIN_MS, isReady);
    this.#readers = new SteadyReaders();
    this.#readers.start(this.address, PATHS, { keepAlive: true, pauseMs: 10 }, 3);
    this.#readers.start(this.address, PATHS, { keepAlive: false, pauseMs: 10 }, 2);
    this.#rotation.push(this);
  }

  /** Takes the server out of the load balancer, and ends it; what it has received is answered. */
  async stop(): Promise<void> {
    this.#rotation.splice(this.#rotation.indexOf(this), 1);
    await this.#readers.end();
    await this.#child?.end();
    assert.equal(this.#child?.process.exitCode, 0);
    this.#lost.push(...this.#readers.lost);
    this.answered += this.#readers.answered;
  }

  /** Ends what still runs here, as after a failure of the test. */
  async abandon(): Promise<void> {
    await this.#readers.end();
    await this.#child?.end();
  }

  /** When the prices that are served here were updated. */
  async updatedAt(): Promise<string> {
    const answer = await fetch(`${this.address}/api/v1/preturi/minime`);
    return ((await answer.json()) as { actualizat_la: string }).actualizat_la;
  }
}

test('lose no request, count each one once, and serve what the other published', async (t) => {
  const violations: string[] = [];
  const lost: SteadyReaders['lost'] = [];
  const rotation: Place[] = [];
  const places = Array.from({ length: SERVERS }, (_, index) => new Place(`server-${index}`, rotation, lost));
  const holders = await keyHolders();
  const clients = new Clients({
    ...{ seed: seedOf(1), holders, servers: rotation },
    onViolation: (sentence) => violations.push(sentence),
  });
  t.after(async () => {
    await clients.stop();
    for (const place of places) await place.abandon();
  });
  const rounds = roundsOf({ medium: 1, long: 10 });
  let published = 0;
  const publishBy = async (publish: typeof publishSweep) => {
    published += 1;
    // A second apart, since a publication has whole seconds.
    await sleep(1_000);
    const begun = Math.floor(Date.now() / 1_000) * 1_000;
    const version = await publish({ ...database, url: made.url }, world, published, SETTINGS);
    for (const place of rotation)
      await waitFor(
        `version ${version} on ${place.address}`,
        SERVED_WITHIN_MS,
        async () => Date.parse(await place.updatedAt()) >= begun,
      );
  };

  for (const place of places) await place.start(release.program);
  clients.start();
  await sleep(LOAD_MS);
  for (let round = 0; round < rounds; round += 1) {
    await publishBy(older.publishSweep);
    await runProgram([path.resolve(PROGRAM), 'migrate'], { cwd: folder, env: settingsOf('migrate') });
    await migrate(database, nextMigrations());
    await exchange(places, PROGRAM, () => publishBy(publishSweep));
    await publishBy(publishSweep);
    await exchange(places, release.program, () => publishBy(older.publishSweep));
    await publishBy(older.publishSweep);
  }
  await clients.stop();
  for (const place of places) await place.stop();

  const totals = await countedRequests();
  const accepted = holders.reduce((sum, holder) => sum + holder.accepted, 0);
  addReport(t, [
    `release before: ${RELEASE_BEFORE.version}, migrations since: ${readMigrations().filter(({ number }) => number > RELEASE_BEFORE.migration).length}`,
    `answers without a key: ${places.reduce((sum, { answered }) => sum + answered, 0)}, with a key: ${accepted}, publications: ${published}`,
  ]);
  assert.deepEqual(lost, []);
  assert.deepEqual(violations, []);
  for (const { key, quota, accepted, lost, unavailable } of holders) {
    assert.equal(lost, 0, 'a request with a key got no answer');
    const total = totals.get(hashApiKey(key)) ?? -1;
    assert.ok(total >= accepted && total <= accepted + unavailable, `${total} counted, ${accepted} answered`);
    assert.ok(total <= quota, `${total} of ${quota}`);
  }
  assert.ok(accepted > 200 * rounds, `${accepted} answers`);
  // A busy machine may make the database late for one; an upgrade would make it so for all.
  const unavailable = holders.reduce((sum, holder) => sum + holder.unavailable, 0);
  assert.ok(unavailable <= accepted / 100, `${unavailable} answers of 503`);
  assert.ok(
    holders.some(({ accepted, quota }) => accepted === quota),
    'no quota was used up',
  );
});

/** Exchanges the servers one after another; `between` runs while both releases serve. */
async function exchange(places: readonly Place[], program: string, between: () => Promise<void>): Promise<void> {
  for (const [index, place] of places.entries()) {
    await place.stop();
    await place.start(program);
    await sleep(LOAD_MS);
    if (index === 0) await between();
  }
}

async function keyHolders(): Promise<KeyHolder[]> {
  const holders = async (count: number, quota: number) =>
    (await insertKeys(database.pool, count, quota)).map((key) => ({
      ...{ key, quota, accepted: 0, lost: 0, unavailable: 0 },
      used: new Set<number>(),
    }));
  return [...(await holders(KEYS / 4, SMALL_QUOTA)), ...(await holders((3 * KEYS) / 4, BIG_QUOTA))];
}

/** What the database has counted for each key. */
async function countedRequests(): Promise<ReadonlyMap<string, number>> {
  const { rows } = await database.pool.query<{ hash: string; total: number }>(
    `select encode(sha256, 'hex') as hash, total::int from key_usage join key_secrets using (key_id)`,
  );
  return new Map(rows.map(({ hash, total }) => [hash, total]));
}

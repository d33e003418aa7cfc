/** Collections for tests: a source with programmed payloads, and a collector with a settable clock. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, beforeEach } from 'node:test';
import { sql } from 'kysely';
import { bucharestDay } from '../../../src/domain/days.ts';
import { DEFAULT_RANGES, type Fuel, type MilliPrice } from '../../../src/domain/fuel.ts';
import type { CollectionSettings } from '../../../src/domain/prices/collection-settings.ts';
import {
  type PriceReading,
  Rejections,
  type StationDescription,
  type UnitOutcome,
} from '../../../src/domain/reports/observation.ts';
import type { Sweep } from '../../../src/domain/reports/sweep.ts';
import { loadGazetteer } from '../../../src/geodata/load-gazetteer.ts';
import { type Fetch, SourceFailed, type SweepContext } from '../../../src/sources/source.ts';
import { loadFacts } from '../../../src/store/prices/load-facts.ts';
import { readFacts } from '../../../src/store/prices/packed-facts.ts';
import { inReadSnapshot } from '../../../src/store/prices/publication.ts';
import { listRuns } from '../../../src/store/prices/runs.ts';
import {
  type CollectOptions,
  type Collector,
  type ConfiguredSource,
  collect,
} from '../../../src/worker/collection/collect.ts';
import type { PublishResult } from '../../../src/worker/collection/publish.ts';
import { aFoundStation } from '../builders/facts-builders.ts';
import { type TestDatabase, testDatabase } from '../database/test-database.ts';

/** The payload of a `FakeSource`: prices by station (`R1`, `R2` …) and fuel; `null` = a row without a usable price. */
export type SourcePrices = Record<string, Partial<Record<Fuel, MilliPrice | null>>>;

export type SourcePayload = {
  readonly stations: SourcePrices;
  /** Outcomes other than `read`, by unit; the unit of petrol at R1 is `1:petrol`. */
  readonly units?: Readonly<Record<string, UnitOutcome>>;
  /** The day that the source states for its prices; by default the day of the run. */
  readonly day?: string;
  /** How many metres north of its usual place each station is found. */
  readonly north?: Readonly<Record<string, number>>;
};

/** The unit of a station and fuel of a `FakeSource`. */
export const unitOf = (station: string, fuel: Fuel): string => `${station.slice(1)}:${fuel}`;

/** A source that sends one request, which is answered as programmed. */
export class FakeSource implements ConfiguredSource {
  readonly parallel = 1;
  readonly source: ConfiguredSource['source'];
  /** Answers each request; by default with the payload. */
  answer: (signal: AbortSignal) => Promise<SourcePayload>;
  closed = 0;

  constructor(name: string, stations: SourcePrices = {}) {
    this.answer = async () => ({ stations });
    this.source = { name, sweep };
  }

  /** Restores the initial answer: no station. */
  reset(): void {
    this.respondsWith({});
    this.source.sweep = sweep;
    this.closed = 0;
  }

  respondsWith(stations: SourcePrices, more: Omit<SourcePayload, 'stations'> = {}): this {
    this.answer = async () => ({ stations, ...more });
    return this;
  }

  failsWith(reason: string): this {
    this.answer = () => Promise.reject(new SourceFailed(reason));
    return this;
  }

  connect = (signal: AbortSignal): { fetch: Fetch; close: () => Promise<void> } => ({
    fetch: async () => {
      const body = Buffer.from(JSON.stringify(await this.answer(signal)));
      return { status: 200, contentType: 'application/json', body };
    },
    close: async () => {
      this.closed += 1;
    },
  });
}

async function sweep(context: SweepContext): Promise<Sweep> {
  const { body } = await context.fetch('payload');
  const payload = JSON.parse(body.toString()) as SourcePayload;
  const day = payload.day ?? bucharestDay(context.now);
  const units = new Map<string, UnitOutcome>([...context.unitsWithRows].map((unit) => [unit, 'read']));
  const readings: PriceReading[] = [];
  for (const [station, prices] of Object.entries(payload.stations)) {
    for (const [fuel, price] of Object.entries(prices) as [Fuel, MilliPrice | null][]) {
      const unit = unitOf(station, fuel);
      units.set(unit, 'read');
      const observed = { day, at: null, text: day };
      readings.push({ sourceId: station, network: 'petrom', fuel, price, observed, unit });
    }
  }
  for (const [unit, outcome] of Object.entries(payload.units ?? {})) units.set(unit, outcome);
  const isUnread = (unit: string) => !['read', 'empty'].includes(units.get(unit) as string);
  return {
    stations: Object.keys(payload.stations).map((station) => stationInLine(station, payload.north?.[station])),
    readings: readings.filter(({ unit }) => !isUnread(unit)),
    units,
    rejections: new Rejections(),
    requests: 1,
  };
}

/** R1 lies near Bucharest, each further station 11 km further north. */
export function stationInLine(sourceId: string, northMetres = 0): StationDescription {
  const number = Number(sourceId.slice(1));
  const place = { lat: 44.4 + number / 10 + northMetres / 111_195, lng: 26.1, siruta: number };
  return aFoundStation(sourceId, { name: `Petrom ${sourceId}`, address: `Strada ${number}`, ...place });
}

export const COLLECTION_SETTINGS: CollectionSettings = {
  ranges: DEFAULT_RANGES,
  gazetteer: loadGazetteer(),
  inService: null,
};

/** Parses an instant such as `2026-11-20T08:00Z`. */
export const at = (text: string): number => Date.parse(text);

export type CollectorFixture = {
  readonly database: TestDatabase;
  readonly clock: { now: number };
  readonly warnings: string[];
  readonly collector: Collector;
  /** Sets the clock and collects; by default only the source `register`. */
  run(when: string, order?: Partial<CollectOptions>): Promise<PublishResult>;
};

/** A collector on a database, with sources by name. */
export function collectorFixture(
  database: TestDatabase,
  dataDir: string,
  sources: readonly ConfiguredSource[],
): CollectorFixture {
  const clock = { now: 0 };
  const warnings: string[] = [];
  const collector: Collector = {
    database,
    dataDir,
    settings: COLLECTION_SETTINGS,
    configuredSources: new Map(sources.map((each) => [each.source.name, each])),
    clock: () => clock.now,
    holder: 'test',
    leaseMs: 30_000,
    deadlineMs: 15_000,
    warn: (message) => warnings.push(message),
  };
  return {
    database,
    clock,
    warnings,
    collector,
    run: (when, order) => {
      clock.now = at(when);
      return collect(collector, { ...aCollectOrder(), ...order });
    },
  };
}

/**
 * Prepares a test file for collections: a database and a data directory, emptied before each test and removed at the
 * end, and a collector of the source `register` and of the others given. The database has its properties once the first
 * test begins.
 */
export function setUpCollector(...others: readonly FakeSource[]) {
  const database = {} as TestDatabase;
  const dataDir = path.join(os.tmpdir(), `pompa-collector-${randomUUID()}`);
  const fakeSource = new FakeSource('register');
  const sources = [fakeSource, ...others];
  const bench = collectorFixture(database, dataDir, sources);
  before(async () => {
    Object.assign(database, await testDatabase());
  });
  beforeEach(async () => {
    await emptyTables(database);
    await rm(dataDir, { recursive: true, force: true });
    await mkdir(dataDir);
    for (const each of sources) each.reset();
    bench.clock.now = 0;
    bench.warnings.length = 0;
  });
  after(async () => {
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });
  return { database, dataDir, fakeSource, bench };
}

/** A scheduled collection of `register`. */
export function aCollectOrder(): CollectOptions {
  return {
    sources: ['register'],
    at: null,
    fromArchive: false,
    force: false,
    scheduled: true,
    waitMs: 0,
    onProgress: () => undefined,
    signal: new AbortController().signal,
  };
}

/** Tables that collections and publications fill, each before those that its rows refer to. */
const FILLED_TABLES = [
  ...['changed_days', 'packed_facts', 'leases', 'sources', 'runs', 'unit_reads', 'day_statistics', 'served_changes'],
  ...['served_prices', 'served_states', 'station_aliases', 'price_facts', 'observations', 'daily_prices'],
  ...['daily_reliance', 'stations'],
];
const EMPTY_TABLES = `
  ${FILLED_TABLES.map((table) => `delete from ${table};`).join(' ')}
  select setval('runs_id_seq', 1, false), setval('observations_id_seq', 1, false);
  update publication set version = 0, published_at = null, updated_at = null;
  update change_feed set epoch = null, seq = 0, states = 0, version = 0, told_at = null, until = null`;

/** Empties them, as before the first collection. Few rows are deleted sooner than 16 tables are truncated. */
export async function emptyTables({ pool }: TestDatabase): Promise<void> {
  await pool.query(EMPTY_TABLES);
}

/** Makes the last statement of every publication fail while `work` runs, as if the process died there. */
export async function failingAtCommit({ kysely }: TestDatabase, work: () => Promise<void>): Promise<void> {
  await sql`alter table publication add constraint cut_off check (false) not valid`.execute(kysely);
  try {
    await work();
  } finally {
    await sql`alter table publication drop constraint cut_off`.execute(kysely);
  }
}

/** Everything stored that a reader may depend on, in a form that tests can compare. */
export async function storedState({ kysely }: TestDatabase) {
  const [facts, packed] = await inReadSnapshot(kysely, async (tx) => [await loadFacts(tx), await readFacts(tx)]);
  assert.deepEqual(packed, facts, 'readers see what is in the rows');
  const [last] = await kysely.selectFrom('packed_facts').select('version').execute();
  assert.equal(last?.version ?? 0, facts.version, 'every publication is packed');
  const { sources, prices, stations, publishedAt, updatedAt, version } = facts;
  const days = await kysely.selectFrom('daily_prices').selectAll().orderBy('day').orderBy('station_id').execute();
  const observations = await kysely
    .selectFrom('observations')
    .select(['station_id', 'fuel', 'source', 'price', 'missing', 'observed_day', 'seen_at'])
    .orderBy('seen_at')
    .orderBy('station_id')
    .orderBy('fuel')
    .execute();
  return { sources, prices, stations, publishedAt, updatedAt, version, days, observations };
}

/** The newest run. */
export async function lastRun({ kysely }: TestDatabase) {
  const [run] = await listRuns(kysely, 1);
  if (run === undefined) throw new Error('no run was stored');
  return run;
}

/** Resolves when a session of this database waits for a lock. */
export async function waitForBlockedSession({ kysely }: TestDatabase): Promise<void> {
  const deadline = performance.now() + 10_000;
  for (;;) {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(kysely);
    if (rows.length > 0) return;
    if (performance.now() > deadline) throw new Error('no session waits for a lock');
    await new Promise((resume) => setTimeout(resume, 5));
  }
}

/** The demo's data: created on the first start, brought up to date on every later one. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import { type Config, ConfigError } from '../../config/config.ts';
import { bucharestDay, type DayNumber, dayNumber, dayText, startOfBucharestDay } from '../../domain/days.ts';
import { makeDirectory } from '../../files/make-directory.ts';
import { loadGazetteer } from '../../geodata/load-gazetteer.ts';
import { readRoadData } from '../../geodata/load-roads.ts';
import { type Country, simulateCountry } from '../../simulation/country/country.ts';
import { type ManualPriceRow, manualPrices, manualStations } from '../../simulation/country/manual-stations.ts';
import { historyDays } from '../../simulation/country/simulated-history.ts';
import { listedPrices } from '../../simulation/country/station-list.ts';
import type { SimulatedLocator } from '../../simulation/feeds/locator-server.ts';
import type { SimulatedRegister } from '../../simulation/register/register-server.ts';
import { readPrices, readStations } from '../../sources/manual/import-rows.ts';
import units from '../../sources/register/units.json' with { type: 'json' };
import type { Database } from '../../store/connection/database.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { lastRunTimes } from '../../store/prices/runs.ts';
import { loadSourceStations } from '../../store/prices/stations.ts';
import { collect } from '../../worker/collection/collect.ts';
import { importHistory, importPrices, importStations } from '../../worker/collection/import.ts';
import { createCollector } from '../scheduled-work/create-collector.ts';
import { collectionSettingsOf } from '../settings/derived-settings.ts';
import { demoFile } from './demo-folder.ts';

const SEED = 7;
/** The first collection is this old, so that its facts can be stuck, orphaned or expired today. */
const BACKFILL_DAYS = 20;
const HISTORY_DAYS = 90;

/** A source that answered three days ago and is silent since; without prices, so that `/health` does not fail. */
export const SILENT_LOCATOR = 'locator:mol';
/** The price list that the demo has no more. */
export const SILENT_LIST = 'prices:oscar';
const SILENT_FOR_MS = 3 * 86_400_000;

/** Where the list was, in the demo's data folder. */
export const silentListFile = (folder: string): string => path.join(folder, 'oscar.json');

export type DemoDependencies = {
  readonly config: Config;
  readonly database: Database<Schema>;
  readonly country: Country;
  readonly register: SimulatedRegister;
  readonly locator: SimulatedLocator;
  /** Resolves when the service answers with what was stored. */
  readonly whenServed: () => Promise<void>;
  readonly log: Logger;
  readonly signal: AbortSignal;
};

/** The country of this data folder: the same at every start, because its seed and epoch are stored there. */
export async function loadCountry(folder: string): Promise<Country> {
  const file = demoFile(folder);
  try {
    makeDirectory(folder);
  } catch (error) {
    throw new ConfigError(`DATA_DIR cannot be used for the demo: ${(error as Error).message}`);
  }
  const kept = await readFile(file, 'utf8').catch(() => null);
  const origin =
    kept === null ? { seed: SEED, epoch: Date.now() } : (JSON.parse(kept) as { seed: number; epoch: number });
  if (kept === null) await writeFile(file, `${JSON.stringify(origin)}\n`);
  const gazetteer = loadGazetteer();
  const { roads } = readRoadData(gazetteer);
  return simulateCountry({ localities: gazetteer.localities, units, roads, ...origin });
}

/**
 * Runs a collection of today first, so that prices appear soon. On the first start it then runs one in the past, which
 * leaves what only time produces (stuck, orphaned and expired prices), and imports the rest of 90 days; on later starts
 * it imports the days since the last one.
 */
export async function bringUpToDate(dependencies: DemoDependencies): Promise<void> {
  const { database, config, country, log } = dependencies;
  const today = dayNumber(bucharestDay(Date.now()));
  const runs = await lastRunTimes(database.kysely);
  const lastDay = runs.has('register') ? dayNumber(bucharestDay(runs.get('register') as number)) : null;
  // First, because they belong to a past day, which they must not rewrite after the others.
  if (lastDay === null) await collectSilentLocator(dependencies);
  if (lastDay === null && config.SOURCES.includes(SILENT_LIST)) await collectSilentList(dependencies);
  await collectAt(dependencies, 'register', null);
  // The first prices are served before anything else is imported.
  await dependencies.whenServed();
  if (lastDay === null) {
    await importManualStations(database, config);
    await collectAt(dependencies, 'register', startOfBucharestDay(country.epochDay - BACKFILL_DAYS + 1) - 60_000);
  }
  await importManualPrices(database, config, manualPrices(country, Date.now()));
  await fillDays(dependencies, lastDay === null ? today - HISTORY_DAYS : lastDay, today - 1);
  log.info('the simulated country is up to date: 90 days of history are in place');
}

/** Imports the demo's manual price reports. */
export async function importManualPrices(
  database: Database<Schema>,
  config: Config,
  rows: readonly ManualPriceRow[],
): Promise<void> {
  const settings = collectionSettingsOf(config);
  const now = Date.now();
  await importPrices(
    database.kysely,
    readPrices('demo.json', JSON.stringify(rows), settings.ranges, now),
    settings,
    now,
  );
}

async function importManualStations(database: Database<Schema>, config: Config): Promise<void> {
  const settings = collectionSettingsOf(config);
  const rows = readStations('demo.json', JSON.stringify(manualStations()), settings.gazetteer);
  await importStations(database.kysely, rows, settings, Date.now());
}

/** Its stations have hours, telephone and services, which the register lacks. */
async function collectSilentLocator(dependencies: DemoDependencies): Promise<void> {
  dependencies.locator.setAnswering(true);
  try {
    await collectAt(dependencies, SILENT_LOCATOR, Date.now() - SILENT_FOR_MS);
  } finally {
    dependencies.locator.setAnswering(false);
  }
}

/** The list was there once: since then its source is silent, and its prices have expired. */
async function collectSilentList(dependencies: DemoDependencies): Promise<void> {
  const file = silentListFile(dependencies.config.DATA_DIR);
  const at = Date.now() - SILENT_FOR_MS;
  await writeFile(file, JSON.stringify(listedPrices(dependencies.country, at)));
  try {
    await collectAt(dependencies, SILENT_LIST, at);
  } finally {
    await rm(file);
  }
}

/** Runs a real collection from a source, now or as of a past moment of the simulated register. */
async function collectAt(
  { config, database, register, log, signal }: DemoDependencies,
  source: string,
  at: number | null,
): Promise<void> {
  register.setClock(at);
  try {
    const { runs } = await collect(createCollector(config, database, log), {
      sources: [source],
      at,
      fromArchive: false,
      force: false,
      scheduled: at === null,
      waitMs: 600_000,
      onProgress: () => undefined,
      signal,
    });
    for (const run of runs)
      log.info(`${run.source}, ${dayText(dayNumber(bucharestDay(run.at)))}: ${run.rows} prices, ${run.outcome}`);
  } finally {
    register.setClock(null);
  }
}

async function fillDays(
  { country, database, config }: DemoDependencies,
  from: DayNumber,
  to: DayNumber,
): Promise<void> {
  const names = new Map(
    (await loadSourceStations(database.kysely, 'register')).map(({ key, station }) => [key, station]),
  );
  const days = [...historyDays(country, from, to, (key) => names.get(key))];
  const rows = days.map(({ date, ...row }) => ({ ...row, where: date, day: date }));
  if (rows.length > 0) await importHistory(database.kysely, rows, collectionSettingsOf(config), Date.now());
}

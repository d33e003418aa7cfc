/** Stores an operator's import as facts, all or nothing, and publishes it at once. */

import type { Kysely } from 'kysely';
import { bucharestDay, type DayNumber, dayNumber } from '../../domain/days.ts';
import { FUELS, type Fuel } from '../../domain/fuel.ts';
import { applyReadings, type KnownPrice, type StationReading } from '../../domain/prices/apply-collection.ts';
import type { CollectionSettings } from '../../domain/prices/collection-settings.ts';
import { Rejections } from '../../domain/reports/observation.ts';
import { linkStations } from '../../domain/stations/link-stations.ts';
import { describeStations, type SourceStation } from '../../domain/stations/source-station.ts';
import type { ManualDay, ManualPrice, ManualStation } from '../../sources/manual/import-rows.ts';
import { BadFile, type BadRow, badRowText, isBadRow } from '../../sources/manual/import-table.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { importDays, type StoredDayPrices, writeDay } from '../../store/prices/daily-prices.ts';
import { loadFacts } from '../../store/prices/load-facts.ts';
import {
  appendObservations,
  loadKnownPrices,
  removeKnownPrices,
  saveKnownPrices,
} from '../../store/prices/observations.ts';
import { completePublication, lockPublication, publicationTransaction } from '../../store/prices/publication.ts';
import { createStations, loadSourceStations, saveSourceStations, stationIds } from '../../store/prices/stations.ts';
import { storeClosedDays } from './close-days.ts';
import { dayValues } from './day-values.ts';
import { writeStatistics } from './write-statistics.ts';

const SOURCE = 'manual';

/** Adds or updates manual stations. Throws `BadFile` for bad rows and places that could be several stations. */
export async function importStations(
  db: Kysely<Schema>,
  read: readonly (ManualStation | BadRow)[],
  settings: CollectionSettings,
  now: number,
): Promise<void> {
  const rows = requireValid(read);
  await publishImport(db, settings, now, async (tx) => {
    const sourceStations = await loadSourceStations(tx);
    const linked = linkStations({
      source: SOURCE,
      hasUniqueKeys: true,
      sweptStations: rows,
      knownSourceStations: sourceStations.filter(({ source }) => source === SOURCE),
      stations: describeStations(sourceStations),
      wasRead: () => false,
      now,
    });
    refuseAmbiguous(rows, linked.ambiguous);
    const byKey = new Map(rows.map((row) => [row.sourceId, row]));
    const named = linked.sourceStations.map((sourceStation): SourceStation => {
      const { locality, manual } = byKey.get(sourceStation.key) as ManualStation;
      return { ...sourceStation, locality, manual };
    });
    await createStations(tx, linked.createdStations, now);
    await saveSourceStations(tx, named, false);
    await saveUnpricedMarkers(tx, named, byKey, now);
    return [];
  });
}

/**
 * Stores manual price reports and returns how many were older than the known ones, which change nothing. Throws
 * `BadFile` for bad rows and unknown stations.
 */
export async function importPrices(
  db: Kysely<Schema>,
  read: readonly (ManualPrice | BadRow)[],
  settings: CollectionSettings,
  now: number,
): Promise<{ older: number }> {
  const rejections = new Rejections();
  await publishImport(db, settings, now, async (tx) => {
    const rows = await resolveStations(tx, read, ({ station, fuel }) => `${station} ${fuel}`);
    const readings = rows.map((row): StationReading => {
      const observed = { day: bucharestDay(row.observedAt), at: row.observedAt, text: null };
      return { ...row, sourceId: row.station, network: '', observed, unit: SOURCE };
    });
    const known = await loadKnownPrices(tx, SOURCE);
    const changes = applyReadings(SOURCE, known, readings, new Set(), now, rejections);
    // Every report counts for 24 hours from its own time, so each is an observation, also with a repeated price.
    await appendObservations(
      tx,
      changes.changedFacts.map((fact) => ({ ...fact, missing: false })),
      now,
      null,
    );
    await saveKnownPrices(tx, changes.changedFacts, now);
    return [];
  });
  return { older: rejections.counts().older_than_known ?? 0 };
}

/** One price of a past day. A doubtful one is part of the station's history and counts in no statistics. */
type HistoryRow = ManualDay & { readonly doubtful?: boolean };

/** Fills days without facts with imported prices. Throws `BadFile` for bad rows and unknown stations. */
export async function importHistory(
  db: Kysely<Schema>,
  read: readonly (HistoryRow | BadRow)[],
  settings: CollectionSettings,
  now: number,
): Promise<void> {
  await publishImport(db, settings, now, async (tx) => {
    const rows = await resolveStations(tx, read, ({ day, station, fuel }) => `${day} ${station} ${fuel}`);
    const days = new Map<string, StoredDayPrices & { prices: (number | null)[]; facts: number }>();
    for (const { day, station, fuel, price, doubtful } of rows) {
      const key = `${day} ${station}`;
      const entry = days.get(key) ?? { day: dayNumber(day), station, prices: FUELS.map(() => null), facts: 0 };
      const index = FUELS.indexOf(fuel);
      entry.prices[index] = price;
      // What the rules doubt they found in facts; a price without facts would count.
      if (doubtful) entry.facts |= 1 << index;
      days.set(key, entry);
    }
    await importDays(tx, [...days.values()]);
    return [...new Set([...days.values()].map(({ day }) => day))];
  });
}

/** Runs an import as one publication; `work` returns the past days that it changed. */
async function publishImport(
  db: Kysely<Schema>,
  settings: CollectionSettings,
  now: number,
  work: (tx: Kysely<Schema>) => Promise<readonly DayNumber[]>,
): Promise<void> {
  await publicationTransaction(db, async (tx) => {
    const { publishedAt } = await lockPublication(tx);
    const today = dayNumber(bucharestDay(now));
    const closed = await storeClosedDays(tx, publishedAt, today, settings);
    const changed = await work(tx);
    const facts = await loadFacts(tx);
    await writeDay(tx, today, dayValues(facts, now, settings));
    const changedDays = [...new Set([...closed, ...changed])];
    await writeStatistics(tx, changedDays, settings.gazetteer);
    await completePublication(tx, { publishedAt: now, updatedAt: null, changedDays, facts });
  });
}

function requireValid<T extends object>(rows: readonly (T | BadRow)[]): T[] {
  const bad = rows.filter((row) => isBadRow(row));
  if (bad.length > 0) throw new BadFile(bad.map(badRowText));
  return rows as T[];
}

function refuseAmbiguous(
  rows: readonly ManualStation[],
  ambiguous: readonly { key: string; stations: readonly string[] }[],
): void {
  const candidates = new Map(ambiguous.map(({ key, stations }) => [key, stations]));
  requireValid(
    rows.map((row) => {
      const stations = candidates.get(row.sourceId);
      if (stations === undefined) return row;
      const which = `"${row.sourceId}" could be any of the stations ${stations.join(', ')}`;
      return { where: row.where, problem: `${which}: give more exact coordinates` };
    }),
  );
}

/** Stores an unpriced marker for every fuel of a manual station; removes the markers of fuels no longer listed. */
async function saveUnpricedMarkers(
  tx: Kysely<Schema>,
  sourceStations: readonly SourceStation[],
  byKey: ReadonlyMap<string, ManualStation>,
  now: number,
): Promise<void> {
  const known = new Map((await loadKnownPrices(tx, SOURCE)).map((fact) => [`${fact.station} ${fact.fuel}`, fact]));
  const markers: KnownPrice[] = [];
  const removed: { station: string; fuel: Fuel }[] = [];
  for (const { station, key } of sourceStations) {
    const named = byKey.get(key)?.fuels ?? [];
    for (const fuel of FUELS) {
      const fact = known.get(`${station} ${fuel}`);
      if (named.includes(fuel) && fact === undefined) markers.push(unpricedMarker(station, fuel, now));
      if (!named.includes(fuel) && fact?.price === null) removed.push({ station, fuel });
    }
  }
  await saveKnownPrices(tx, markers, now);
  await removeKnownPrices(tx, SOURCE, removed);
}

function unpricedMarker(station: string, fuel: Fuel, now: number): KnownPrice {
  const sinceDay = dayNumber(bucharestDay(now));
  return {
    station,
    fuel,
    source: SOURCE,
    unit: SOURCE,
    price: null,
    observed: null,
    sinceDay,
    changed: false,
    missingSince: null,
  };
}

/**
 * The rows with our ids in place of the names in the file. Throws a `BadFile` that names every bad row, every row with
 * an unknown station, and every row that repeats an earlier one under another name of the station.
 */
async function resolveStations<T extends { where: string; station: string }>(
  tx: Kysely<Schema>,
  read: readonly (T | BadRow)[],
  keyOf: (row: T) => string,
): Promise<T[]> {
  const ids = new Map((await stationIds(tx)).map((id) => [id, id]));
  for (const { key, station } of await loadSourceStations(tx, SOURCE)) ids.set(`${SOURCE}:${key}`, station);
  const firstPlaces = new Map<string, string>();
  return requireValid(
    read.map((row): T | BadRow => {
      if (isBadRow(row)) return row;
      const { where } = row;
      const station = ids.get(row.station);
      if (station === undefined) {
        const problem = `station "${row.station}" is not known; give the id of a /statii record or manual:KEY`;
        return { where, problem };
      }
      const named = { ...row, station };
      const earlier = firstPlaces.get(keyOf(named));
      if (earlier !== undefined) return { where, problem: `it repeats ${earlier}, which names the same station` };
      firstPlaces.set(keyOf(named), where);
      return named;
    }),
  );
}

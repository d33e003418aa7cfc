/** What an operator imports → facts, all or nothing, published at once. */
import type { Kysely } from 'kysely';
import { bucharestDay, type DayNumber, dayNumber } from '../../domain/days.ts';
import { FUELS, type Fuel } from '../../domain/fuel.ts';
import { advance, type KnownPrice, type StationReading } from '../../domain/prices/apply-collection.ts';
import { Rejections } from '../../domain/reports/observation.ts';
import { type Alias, describeAll } from '../../domain/stations/alias.ts';
import { identify } from '../../domain/stations/identify.ts';
import type { ManualDay, ManualPrice, ManualStation } from '../../sources/manual/files.ts';
import { BadFile, type BadRow, isBad, sentence } from '../../sources/manual/table.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { type DayPrices, importDays, type StoredDayPrices, writeDay } from '../../store/prices/daily-prices.ts';
import { appendObservations, loadKnown, removeFacts, saveFacts } from '../../store/prices/observations.ts';
import { completePublication, inPublication, loadFacts, lockPublication } from '../../store/prices/publication.ts';
import { createStations, loadAliases, saveAliases, stationIds } from '../../store/prices/stations.ts';
import { closeDays, dayValues, type Rules } from './days.ts';

const SOURCE = 'manual';

/** Adds or updates manually kept stations. Throws `BadFile` for bad rows and places that could be several stations. */
export async function importStations(
  db: Kysely<Schema>,
  read: readonly (ManualStation | BadRow)[],
  rules: Rules,
  now: number,
): Promise<void> {
  const rows = allGood(read);
  await publishImport(db, rules, now, async (tx) => {
    const aliases = await loadAliases(tx);
    const identified = identify({
      source: SOURCE,
      ownKeys: true,
      found: rows,
      known: aliases.filter(({ source }) => source === SOURCE),
      stations: describeAll(aliases),
      wasRead: () => false,
      now,
    });
    refuseAmbiguous(rows, identified.ambiguous);
    const byKey = new Map(rows.map((row) => [row.sourceId, row]));
    const named = identified.aliases.map((alias): Alias => {
      const { locality, manual } = byKey.get(alias.key) as ManualStation;
      return { ...alias, locality, manual };
    });
    await createStations(tx, identified.createdStations, now);
    await saveAliases(tx, named, false);
    await savePins(tx, named, byKey, now);
    return [];
  });
}

/**
 * Takes manual price reports in and tells how many were older than what is known, which changes nothing. Throws
 * `BadFile` for bad rows and stations that are not known.
 */
export async function importPrices(
  db: Kysely<Schema>,
  read: readonly (ManualPrice | BadRow)[],
  rules: Rules,
  now: number,
): Promise<{ older: number }> {
  const rejections = new Rejections();
  await publishImport(db, rules, now, async (tx) => {
    const rows = await withStations(tx, read, ({ station, fuel }) => `${station} ${fuel}`);
    const readings = rows.map((row): StationReading => {
      const observed = { day: bucharestDay(row.observedAt), at: row.observedAt, text: null };
      return { ...row, sourceId: row.station, network: '', observed, unit: SOURCE };
    });
    const known = await loadKnown(tx, SOURCE);
    const changes = advance(SOURCE, known, readings, new Set(), now, rejections);
    // Every report counts for 24 hours from its own time, so every one is an observation, a repeated price too.
    await appendObservations(
      tx,
      changes.facts.map((fact) => ({ ...fact, missing: false })),
      now,
      null,
    );
    await saveFacts(tx, changes.facts, now);
    return [];
  });
  return { older: rejections.counts().older_than_known ?? 0 };
}

/** Fills days without facts with imported prices. Throws `BadFile` for bad rows and stations that are not known. */
export async function importHistory(
  db: Kysely<Schema>,
  read: readonly (ManualDay | BadRow)[],
  rules: Rules,
  now: number,
): Promise<void> {
  await publishImport(db, rules, now, async (tx) => {
    const rows = await withStations(tx, read, ({ day, station, fuel }) => `${day} ${station} ${fuel}`);
    const days = new Map<string, StoredDayPrices & { prices: (number | null)[] }>();
    for (const { day, station, fuel, price } of rows) {
      const key = `${day} ${station}`;
      const entry = days.get(key) ?? { day: dayNumber(day), station, prices: FUELS.map(() => null), facts: 0 };
      entry.prices[FUELS.indexOf(fuel)] = price;
      days.set(key, entry);
    }
    await importDays(tx, [...days.values()]);
    return [...new Set([...days.values()].map(({ day }) => day))];
  });
}

/** The frame of every import: one publication around the work, which returns the past days it changed. */
async function publishImport(
  db: Kysely<Schema>,
  rules: Rules,
  now: number,
  work: (tx: Kysely<Schema>) => Promise<readonly DayNumber[]>,
): Promise<void> {
  await inPublication(db, async (tx) => {
    const { publishedAt } = await lockPublication(tx);
    const today = dayNumber(bucharestDay(now));
    const closed = await closeDays(tx, publishedAt, today, rules);
    const changed = await work(tx);
    const values: DayPrices[] = dayValues(await loadFacts(tx), now, rules);
    await writeDay(tx, today, values);
    await completePublication(tx, { publishedAt: now, updatedAt: null, changedDays: [...closed, ...changed] });
  });
}

function allGood<T extends object>(rows: readonly (T | BadRow)[]): T[] {
  const bad = rows.filter((row) => isBad(row));
  if (bad.length > 0) throw new BadFile(bad.map(sentence));
  return rows as T[];
}

function refuseAmbiguous(
  rows: readonly ManualStation[],
  ambiguous: readonly { key: string; stations: readonly string[] }[],
): void {
  const candidates = new Map(ambiguous.map(({ key, stations }) => [key, stations]));
  allGood(
    rows.map((row) => {
      const stations = candidates.get(row.sourceId);
      if (stations === undefined) return row;
      const which = `"${row.sourceId}" could be any of the stations ${stations.join(', ')}`;
      return { where: row.where, problem: `${which}: give more exact coordinates` };
    }),
  );
}

/** A pin for every fuel of a manual station; pins without a price for fuels that are no longer named go. */
async function savePins(
  tx: Kysely<Schema>,
  aliases: readonly Alias[],
  byKey: ReadonlyMap<string, ManualStation>,
  now: number,
): Promise<void> {
  const known = new Map((await loadKnown(tx, SOURCE)).map((fact) => [`${fact.station} ${fact.fuel}`, fact]));
  const pins: KnownPrice[] = [];
  const gone: { station: string; fuel: Fuel }[] = [];
  for (const { station, key } of aliases) {
    const named = byKey.get(key)?.fuels ?? [];
    for (const fuel of FUELS) {
      const fact = known.get(`${station} ${fuel}`);
      if (named.includes(fuel) && fact === undefined) pins.push(pin(station, fuel, now));
      if (!named.includes(fuel) && fact?.price === null) gone.push({ station, fuel });
    }
  }
  await saveFacts(tx, pins, now);
  await removeFacts(tx, SOURCE, gone);
}

function pin(station: string, fuel: Fuel, now: number): KnownPrice {
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
 * The rows with our ids in place of the names in the file. Throws `BadFile` naming every row that is bad, whose station
 * is not known, or that says of a station by another name what an earlier row said.
 */
async function withStations<T extends { where: string; station: string }>(
  tx: Kysely<Schema>,
  read: readonly (T | BadRow)[],
  keyOf: (row: T) => string,
): Promise<T[]> {
  const ids = new Map((await stationIds(tx)).map((id) => [id, id]));
  for (const { key, station } of await loadAliases(tx, SOURCE)) ids.set(`${SOURCE}:${key}`, station);
  const first = new Map<string, string>();
  return allGood(
    read.map((row): T | BadRow => {
      if (isBad(row)) return row;
      const { where } = row;
      const station = ids.get(row.station);
      if (station === undefined) {
        const problem = `station "${row.station}" is not known; give the id of a /statii record or manual:KEY`;
        return { where, problem };
      }
      const named = { ...row, station };
      const earlier = first.get(keyOf(named));
      if (earlier !== undefined) return { where, problem: `it repeats ${earlier}, which names the same station` };
      first.set(keyOf(named), where);
      return named;
    }),
  );
}

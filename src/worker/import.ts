/** What an operator imports → facts, all or nothing, published at once. */
import type { Kysely } from 'kysely';
import { type Alias, describeAll } from '../domain/alias.ts';
import { advance, type KnownPrice, type StationReading } from '../domain/collection.ts';
import { bucharestDay, type DayNumber, dayNumber } from '../domain/days.ts';
import { FUELS, type Fuel } from '../domain/fuel.ts';
import { identify } from '../domain/identify.ts';
import { Rejections } from '../domain/observation.ts';
import type { ManualDay, ManualPrice, ManualStation } from '../sources/manual/files.ts';
import { BadFile } from '../sources/manual/table.ts';
import { type DayPrices, importDays, type StoredDayPrices, writeDay } from '../store/daily-prices.ts';
import { appendObservations, loadKnown, removeFacts, saveFacts } from '../store/observations.ts';
import { completePublication, loadFacts, lockPublication } from '../store/publication.ts';
import type { Schema } from '../store/schema.ts';
import { createStations, loadAliases, saveAliases } from '../store/stations.ts';
import { closeDays, dayValues, type Rules } from './days.ts';

const SOURCE = 'manual';

/** Adds or updates manually kept stations. Throws `BadFile` for a place that could be one of several stations. */
export async function importStations(
  db: Kysely<Schema>,
  rows: readonly ManualStation[],
  rules: Rules,
  now: number,
): Promise<void> {
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

/** Takes manual price reports in. Throws `BadFile` for stations that are not known. */
export async function importPrices(
  db: Kysely<Schema>,
  rows: readonly ManualPrice[],
  rules: Rules,
  now: number,
): Promise<void> {
  await publishImport(db, rules, now, async (tx) => {
    const stationOf = await stationNames(tx, rows);
    const readings = rows.map((row): StationReading => {
      const station = stationOf(row.station);
      const observed = { day: bucharestDay(row.observedAt), at: row.observedAt, text: null };
      return { station, sourceId: row.station, network: '', fuel: row.fuel, price: row.price, observed, unit: SOURCE };
    });
    const known = await loadKnown(tx, SOURCE);
    const changes = advance(SOURCE, known, readings, new Set(), now, new Rejections());
    await appendObservations(tx, changes.observations, now, null);
    await saveFacts(tx, changes.facts, now);
    return [];
  });
}

/** Fills days without facts with imported prices. Throws `BadFile` for stations that are not known. */
export async function importHistory(
  db: Kysely<Schema>,
  rows: readonly ManualDay[],
  rules: Rules,
  now: number,
): Promise<void> {
  await publishImport(db, rules, now, async (tx) => {
    const stationOf = await stationNames(tx, rows);
    const days = new Map<string, StoredDayPrices & { prices: (number | null)[] }>();
    for (const row of rows) {
      const station = stationOf(row.station);
      const key = `${row.day} ${station}`;
      const entry = days.get(key) ?? { day: dayNumber(row.day), station, prices: FUELS.map(() => null), facts: 0 };
      entry.prices[FUELS.indexOf(row.fuel)] = row.price;
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
  await db.transaction().execute(async (tx) => {
    const { publishedAt } = await lockPublication(tx);
    const today = dayNumber(bucharestDay(now));
    const closed = await closeDays(tx, publishedAt, today, rules);
    const changed = await work(tx);
    const values: DayPrices[] = dayValues(await loadFacts(tx), now, rules);
    await writeDay(tx, today, values);
    await completePublication(tx, { publishedAt: now, updatedAt: null, changedDays: [...closed, ...changed] });
  });
}

function refuseAmbiguous(
  rows: readonly ManualStation[],
  ambiguous: readonly { key: string; stations: readonly string[] }[],
) {
  if (ambiguous.length === 0) return;
  throw new BadFile(
    ambiguous.map(({ key, stations }) => {
      const where = rows.find(({ sourceId }) => sourceId === key)?.where;
      return `${where}: "${key}" could be any of the stations ${stations.join(', ')}: give more exact coordinates`;
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

/** Names in a file → station ids. Throws `BadFile` naming every row whose station is unknown. */
async function stationNames(
  tx: Kysely<Schema>,
  rows: readonly { where: string; station: string }[],
): Promise<(name: string) => string> {
  const ids = new Map((await tx.selectFrom('stations').select('id').execute()).map(({ id }) => [id, id]));
  for (const { key, station } of await loadAliases(tx, SOURCE)) ids.set(`${SOURCE}:${key}`, station);
  const problems = rows
    .filter(({ station }) => !ids.has(station))
    .map(
      ({ where, station }) =>
        `${where}: station "${station}" is not known; give the id of a /statii record or manual:KEY`,
    );
  if (problems.length > 0) throw new BadFile(problems);
  return (name) => ids.get(name) as string;
}

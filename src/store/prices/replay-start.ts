/** What a replay starts from: the past as it was known, and the source stations of now. */
import { type Kysely, sql } from 'kysely';
import { type DayNumber, startOfBucharestDay } from '../../domain/days.ts';
import type { KnownPrice } from '../../domain/prices/apply-collection.ts';
import type { StoredPrice } from '../../domain/prices/facts.ts';
import type { PastRun } from '../../domain/prices/plausibility.ts';
import type { RunRecord } from '../../domain/reports/run-record.ts';
import type { SourceStation } from '../../domain/stations/source-station.ts';
import type { Database } from '../connection/database.ts';
import { instant, type Schema } from '../connection/schema.ts';
import { loadKnownPricesAsOf, readTimesAsOf } from './facts-as-of.ts';
import { loadKnownPrices } from './observations.ts';
import { inReadSnapshot } from './publication.ts';
import { pastRuns } from './runs.ts';
import { loadSourceStations, stationIds } from './stations.ts';

const MANUAL = 'manual';

/** What one source had reported before a moment. */
export type SourceStart = {
  readonly knownPrices: readonly KnownPrice[];
  /** When a unit was last read, epoch ms; `null` = not within 25 hours. */
  readonly readAt: (unit: string) => number | null;
  /** Newest first. */
  readonly pastRuns: readonly PastRun[];
  /** Administrative units that its stations were known to lie in. */
  readonly units: readonly number[];
};

export type ReplayStart = {
  readonly sourceStations: readonly SourceStation[];
  /** Stations that are stored: only they can have day values. */
  readonly stations: ReadonlySet<string>;
  readonly sources: ReadonlyMap<string, SourceStart>;
  /** What the operator had imported by the end of each day. */
  readonly manual: ReadonlyMap<DayNumber, readonly StoredPrice[]>;
};

/**
 * The state before the first of `days`, for those sources and all that have facts, as of one moment of the database.
 */
export function loadReplayStart(
  { kysely }: Pick<Database<Schema>, 'kysely'>,
  names: readonly string[],
  days: readonly DayNumber[],
): Promise<ReplayStart> {
  const start = startOfBucharestDay(Math.min(...days));
  return inReadSnapshot(kysely, async (tx) => {
    const stored = await tx.selectFrom('price_facts').select('source').distinct().execute();
    const all = new Set([...names, ...stored.map(({ source }) => source)]);
    all.delete(MANUAL);
    const sources = new Map<string, SourceStart>();
    for (const name of [...all].sort()) sources.set(name, await sourceStart(tx, name, start));
    const manual = new Map<DayNumber, StoredPrice[]>();
    for (const day of days) manual.set(day, await loadManualPrices(tx, startOfBucharestDay(day + 1) - 1));
    return { sourceStations: await loadSourceStations(tx), stations: new Set(await stationIds(tx)), sources, manual };
  });
}

/** Runs of all sources in an interval, `until` excluded: those that the archive should contain. */
export async function runsBetween(
  db: Kysely<Schema>,
  from: number,
  until: number,
): Promise<(Pick<RunRecord, 'outcome' | 'failedUnits' | 'forced'> & { source: string; at: number })[]> {
  return db
    .selectFrom('runs')
    .select(['source', 'at', 'outcome', 'forced', 'failed_units as failedUnits'])
    .where('at', '>=', instant(from))
    .where('at', '<', instant(until))
    .orderBy('at')
    .orderBy('id')
    .execute();
}

async function sourceStart(tx: Kysely<Schema>, source: string, start: number): Promise<SourceStart> {
  return {
    knownPrices: await loadKnownPricesAsOf(tx, source, start - 1),
    readAt: await readTimesAsOf(tx, source, start - 1),
    pastRuns: await pastRuns(tx, source, start),
    units: await unitsKnownBefore(tx, source, start),
  };
}

async function unitsKnownBefore(tx: Kysely<Schema>, source: string, start: number): Promise<number[]> {
  const { rows } = await sql<{ siruta: number }>`
    select distinct siruta from station_aliases
    where source = ${source} and siruta is not null and first_at < ${instant(start)} order by siruta`.execute(tx);
  return rows.map(({ siruta }) => siruta);
}

/** Manual reports as of a moment, and the pins that existed then: pins leave no observations. */
async function loadManualPrices(tx: Kysely<Schema>, at: number): Promise<StoredPrice[]> {
  const reports = await loadKnownPricesAsOf(tx, MANUAL, at);
  const reported = new Set(reports.map(({ station, fuel }) => `${station} ${fuel}`));
  const pins = (await loadKnownPrices(tx, MANUAL)).filter(
    ({ station, fuel, price, sinceDay }) =>
      price === null && !reported.has(`${station} ${fuel}`) && startOfBucharestDay(sinceDay) <= at,
  );
  return [...reports, ...pins].map((fact) => ({ ...fact, readAt: fact.observed?.at ?? Number.NEGATIVE_INFINITY }));
}

/** The record of every run: what was read, rejected, changed, set aside, and why. */

import { type Kysely, sql } from 'kysely';
import { MEDIAN_MAX_RUNS, type PastRun } from '../../domain/prices/plausibility.ts';
import type { RunRecord } from '../../domain/reports/run-record.ts';
import { instant, type Schema } from '../connection/schema.ts';

export async function insertRun(db: Kysely<Schema>, run: RunRecord): Promise<number> {
  const row = await db
    .insertInto('runs')
    .values({
      source: run.source,
      at: new Date(run.at),
      started_at: new Date(run.startedAt),
      finished_at: new Date(run.finishedAt),
      outcome: run.outcome,
      scheduled: run.scheduled,
      forced: run.forced,
      requests: run.requests,
      rows: run.rows,
      rejected: JSON.stringify(run.rejected),
      samples: JSON.stringify(run.samples),
      matched: run.matched,
      new: run.created,
      ambiguous: JSON.stringify(run.ambiguous),
      changed: run.changed,
      failed_units: [...run.failedUnits],
      means: JSON.stringify(run.means),
      reason: run.reason,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** The newest runs, newest first; of one source if it is named. */
export async function listRuns(
  db: Kysely<Schema>,
  limit: number,
  source?: string,
): Promise<(RunRecord & { id: number })[]> {
  let query = db.selectFrom('runs').selectAll().orderBy('id', 'desc').limit(limit);
  if (source !== undefined) query = query.where('source', '=', source);
  const rows = await query.execute();
  return rows.map(({ started_at, finished_at, new: created, failed_units, ...row }) => ({
    ...row,
    created,
    startedAt: started_at,
    finishedAt: finished_at,
    failedUnits: failed_units,
  }));
}

/**
 * Runs of a source before a moment, epoch ms, that the plausibility check compares with, newest first: the last ones
 * that delivered, and the last ones that were set aside.
 */
export async function pastRuns(db: Kysely<Schema>, source: string, before: number): Promise<PastRun[]> {
  const ranked = db
    .selectFrom('runs')
    .select(['id', 'at', 'outcome', 'rows', 'means'])
    .select(sql<number>`row_number() over (partition by outcome order by at desc, id desc)`.as('rank'))
    .where('source', '=', source)
    .where('at', '<', instant(before))
    .where('outcome', '<>', 'failed')
    .$narrowType<{ outcome: PastRun['outcome'] }>();
  return db
    .selectFrom(ranked.as('ranked'))
    .select(['at', 'outcome', 'rows', 'means'])
    .where('rank', '<=', MEDIAN_MAX_RUNS)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** When runs of a source delivered from one moment up to before another, epoch ms, oldest first. */
export async function deliveriesBetween(
  db: Kysely<Schema>,
  source: string,
  from: number,
  before: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('runs')
    .select('at')
    .where('source', '=', source)
    .where('outcome', '=', 'delivered')
    .where('at', '>=', instant(from))
    .where('at', '<', instant(before))
    .orderBy('at')
    .execute();
  return rows.map(({ at }) => at);
}

/** The runs of a source, by their time in epoch ms, at which it delivered nothing. */
export async function undeliveredRuns(
  db: Kysely<Schema>,
  source: string,
): Promise<Map<number, 'set_aside' | 'failed'>> {
  const rows = await db
    .selectFrom('runs')
    .select(['at', sql<boolean>`bool_or(outcome = 'set_aside')`.as('read')])
    .where('source', '=', source)
    .groupBy('at')
    .having(sql<boolean>`not bool_or(outcome = 'delivered')`)
    .execute();
  return new Map(rows.map(({ at, read }) => [at, read ? 'set_aside' : 'failed']));
}

/**
 * When each source was last collected, by schedule or by hand, epoch ms: the start of its newest run, or the date that
 * `--at` gave it.
 */
export async function lastRunTimes(db: Kysely<Schema>): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('runs')
    .select(['source', sql<number>`max(case when scheduled then started_at else at end)`.as('at')])
    .groupBy('source')
    .execute();
  return new Map(rows.map(({ source, at }) => [source, at]));
}

/** How many runs are searched for the first later read of a unit. */
const MAX_LATER_RUNS = 500;

/** The first run after a moment that delivered and read a unit; `undefined` if there is none. */
export async function firstReadsAfter(
  db: Kysely<Schema>,
  source: string,
  at: number,
): Promise<(unit: string) => { id: number; at: number } | undefined> {
  const runs = await db
    .selectFrom('runs')
    .select(['id', 'at', 'failed_units'])
    .where('source', '=', source)
    .where('outcome', '=', 'delivered')
    .where('at', '>', instant(at))
    .orderBy('at')
    .limit(MAX_LATER_RUNS)
    .execute();
  const reads = runs.map(({ failed_units, ...run }) => ({ ...run, failed: new Set(failed_units) }));
  return (unit) => reads.find(({ failed }) => !failed.has(unit));
}

/** In how many runs in a row each unit of a source was not found; only units with any. */
export async function loadNotFoundCounts(db: Kysely<Schema>, source: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('unit_reads')
    .select(['unit', 'refusals'])
    .where('source', '=', source)
    .where('refusals', '>', 0)
    .execute();
  return new Map(rows.map(({ unit, refusals }) => [unit, refusals]));
}

/** Stores how many runs in a row each of these units of a source was not found. */
export async function recordNotFoundCounts(
  db: Kysely<Schema>,
  source: string,
  counts: ReadonlyMap<string, number>,
): Promise<void> {
  await sql`
    insert into unit_reads (source, unit, refusals)
    select ${source}, unnest(${[...counts.keys()]}::text[]), unnest(${[...counts.values()]}::int[])
    on conflict (source, unit) do update set refusals = excluded.refusals
      where unit_reads.refusals <> excluded.refusals`.execute(db);
}

/** Stores that these units of a source were read at a moment, epoch ms; the time of a unit never moves back. */
export async function recordUnitReads(
  db: Kysely<Schema>,
  source: string,
  read: Iterable<string>,
  at: number,
): Promise<void> {
  await sql`
    insert into unit_reads (source, unit, read_at)
    select ${source}, unnest(${[...read]}::text[]), ${new Date(at)}::timestamptz
    on conflict (source, unit) do update set read_at = greatest(unit_reads.read_at, excluded.read_at)`.execute(db);
}

/** Stores when a source last delivered and was last downloaded completely; neither ever moves back. */
export async function recordSourceTimes(
  db: Kysely<Schema>,
  name: string,
  deliveredAt: number | null,
  downloadedAt: number | null,
): Promise<void> {
  const date = (at: number | null) => (at === null ? null : new Date(at));
  await sql`
    insert into sources (name, delivered_at, downloaded_at)
    values (${name}, ${date(deliveredAt)}, ${date(downloadedAt)})
    on conflict (name) do update set delivered_at = greatest(sources.delivered_at, excluded.delivered_at),
      downloaded_at = greatest(sources.downloaded_at, excluded.downloaded_at)`.execute(db);
}

/** When each source last delivered, epoch ms; sources that never did are absent. */
export async function deliveryTimes(db: Kysely<Schema>): Promise<Map<string, number>> {
  const rows = await db.selectFrom('sources').select(['name', 'delivered_at']).execute();
  return new Map(rows.flatMap(({ name, delivered_at }) => (delivered_at === null ? [] : [[name, delivered_at]])));
}

/** Publications: one after another, each whole; versions only grow. */
import { type Kysely, sql } from 'kysely';
import { describeAll } from '../domain/alias.ts';
import { type DayNumber, dayNumber, dayText } from '../domain/days.ts';
import type { Facts, StationFact } from '../domain/facts.ts';
import { asKnown } from './observations.ts';
import type { Schema } from './schema.ts';
import { loadAliases } from './stations.ts';

/** Channel on which every publication is announced; the payload is its version. */
export const PUBLICATION_CHANNEL = 'pompa_publication';

/** Notes of past days are kept for this many publications; a reader further behind reads all days anew. */
const CHANGED_DAYS_KEPT = 2_000;

export type Publication = { version: number; publishedAt: number | null; updatedAt: number | null };

/** A publication may have to wait for another one, and writes a lot on a first day. */
const PUBLICATION_STATEMENT = sql`set local statement_timeout = '5min'`;

/** Takes the one publication row for the rest of the transaction: nobody else publishes meanwhile. */
export async function lockPublication(tx: Kysely<Schema>): Promise<Publication> {
  await PUBLICATION_STATEMENT.execute(tx);
  const row = await tx.selectFrom('publication').selectAll().forUpdate().executeTakeFirstOrThrow();
  return { version: row.version, publishedAt: row.published_at, updatedAt: row.updated_at };
}

/** The version readers should hold. */
export async function currentVersion(db: Kysely<Schema>): Promise<number> {
  return (await db.selectFrom('publication').select('version').executeTakeFirstOrThrow()).version;
}

/**
 * Ends a publication: a new version, announced at commit. `publishedAt` and `updatedAt` never move back. Call it last
 * in the transaction that holds `lockPublication`.
 */
export async function completePublication(
  tx: Kysely<Schema>,
  {
    publishedAt,
    updatedAt,
    changedDays,
  }: { publishedAt: number | null; updatedAt: number | null; changedDays: readonly DayNumber[] },
): Promise<number> {
  const instant = (at: number | null) => (at === null ? null : new Date(at));
  const { rows } = await sql<{ version: number }>`
    update publication set version = version + 1,
      published_at = greatest(published_at, ${instant(publishedAt)}::timestamptz),
      updated_at = greatest(updated_at, ${instant(updatedAt)}::timestamptz)
    returning version`.execute(tx);
  const version = (rows[0] as { version: number }).version;
  await sql`
    insert into changed_days (version, day) select ${version}, unnest(${changedDays.map(dayText)}::date[])
    on conflict do nothing`.execute(tx);
  await sql`delete from changed_days where version <= ${version - CHANGED_DAYS_KEPT}`.execute(tx);
  await sql`select pg_notify(${PUBLICATION_CHANNEL}, ${String(version)})`.execute(tx);
  return version;
}

/** Past days rewritten by publications after `version` up to the present one; `null` = too far behind to tell. */
export async function daysChangedSince(
  db: Kysely<Schema>,
  version: number,
  current: number,
): Promise<DayNumber[] | null> {
  if (current - version >= CHANGED_DAYS_KEPT) return null;
  const rows = await db.selectFrom('changed_days').select('day').distinct().where('version', '>', version).execute();
  return rows.map(({ day }) => dayNumber(day)).sort((a, b) => a - b);
}

/** Runs `work` on the facts of one moment: publications meanwhile are not seen. */
export function atOneMoment<T>(db: Kysely<Schema>, work: (tx: Kysely<Schema>) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work);
}

/** Everything a snapshot is made from. Call it while publications are locked, or in `atOneMoment`. */
export async function loadFacts(db: Kysely<Schema>): Promise<Facts> {
  const publication = await db.selectFrom('publication').selectAll().executeTakeFirstOrThrow();
  const sources = await db.selectFrom('sources').selectAll().orderBy('name').execute();
  const aliases = await loadAliases(db);
  return {
    version: publication.version,
    publishedAt: publication.published_at,
    updatedAt: publication.updated_at,
    sources: sources.map((row) => ({ name: row.name, deliveredAt: row.delivered_at, downloadedAt: row.downloaded_at })),
    stations: describeAll(aliases),
    prices: await loadPrices(db),
  };
}

async function loadPrices(db: Kysely<Schema>): Promise<StationFact[]> {
  const rows = await db
    .selectFrom('price_facts as fact')
    .leftJoin('unit_reads as read', (join) =>
      join.onRef('read.source', '=', 'fact.source').onRef('read.unit', '=', 'fact.unit'),
    )
    .selectAll('fact')
    .select('read.read_at')
    .orderBy('fact.station_id')
    .orderBy('fact.fuel')
    .orderBy('fact.source')
    .execute();
  return rows.map((row) => ({ ...asKnown(row), readAt: row.read_at ?? row.seen_at }));
}

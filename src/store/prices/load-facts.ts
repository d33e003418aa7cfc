/** Everything a snapshot is built from, from its rows. */
import { type InferResult, type Kysely, sql } from 'kysely';
import type { PublishedFacts, StoredPrice } from '../../domain/prices/facts.ts';
import { describeStations } from '../../domain/stations/source-station.ts';
import { fetchBatches } from '../connection/fetch-batches.ts';
import type { Schema } from '../connection/schema.ts';
import { toKnownPrice } from './observations.ts';
import { fetchSourceStations } from './stations.ts';

/**
 * Reads the rows, as changed so far in this transaction: call it while publications are locked, or in `inReadSnapshot`.
 * Who only reads takes `readFacts`, which costs a quarter.
 */
export async function loadFacts(db: Kysely<Schema>): Promise<PublishedFacts> {
  const publication = await db.selectFrom('publication').selectAll().executeTakeFirstOrThrow();
  const sources = await db.selectFrom('sources').selectAll().orderBy('name').execute();
  const sourceStations = await fetchSourceStations(db, FETCH_ROWS);
  return {
    version: publication.version,
    publishedAt: publication.published_at,
    updatedAt: publication.updated_at,
    sources: sources.map((row) => ({ name: row.name, deliveredAt: row.delivered_at, downloadedAt: row.downloaded_at })),
    stations: describeStations(sourceStations),
    prices: await loadPrices(db),
  };
}

/** Rows fetched at a time: 3 ms of work, short-lived for the garbage collector. */
const FETCH_ROWS = 500;

async function loadPrices(db: Kysely<Schema>): Promise<StoredPrice[]> {
  const all = db
    .selectFrom('price_facts as fact')
    .leftJoin('unit_reads as read', (join) =>
      join.onRef('read.source', '=', 'fact.source').onRef('read.unit', '=', 'fact.unit'),
    )
    .selectAll('fact')
    .select('read.read_at')
    .orderBy('fact.station_id')
    .orderBy('fact.fuel')
    .orderBy('fact.source');
  type Row = InferResult<typeof all>[number];
  const facts: StoredPrice[] = [];
  for await (const rows of fetchBatches(db, sql<Row>`${all}`, FETCH_ROWS)) {
    for (const row of rows) facts.push(toStoredPrice(row));
  }
  return facts;
}

/** A price, and when it was last confirmed: when its unit was last read, or when it was stored if the unit was not. */
export function toStoredPrice(
  row: Parameters<typeof toKnownPrice>[0] & { readonly read_at: number | null; readonly seen_at: number },
): StoredPrice {
  return { ...toKnownPrice(row), readAt: row.read_at ?? row.seen_at };
}

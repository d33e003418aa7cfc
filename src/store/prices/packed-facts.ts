/**
 * The facts of the current publication, packed by the one that publishes: each reader takes one row instead of one for
 * each price. A row of another publication, format or state of the tables is ignored.
 */
import { type Kysely, sql } from 'kysely';
import type { PublishedFacts } from '../../domain/prices/facts.ts';
import type { Schema } from '../connection/schema.ts';
import { loadFacts } from './load-facts.ts';
import { packFacts, unpackFacts } from './pack-facts.ts';
import { SNAPSHOT_FORMAT } from './snapshot-pieces.ts';

const LATEST_MIGRATION = sql`(select max(number) from schema_migrations)`;

/**
 * Notes the latest migration for the rest of the transaction. Select it before anything is read: a migration that is
 * applied meanwhile may change what was read already.
 */
export const NOTE_MIGRATION = sql`set_config('pompa.migration', ${LATEST_MIGRATION}::text, true)`;

/** Stores the facts of a version in the transaction that publishes it and has selected `NOTE_MIGRATION`. */
export async function storePackedFacts(tx: Kysely<Schema>, facts: PublishedFacts): Promise<void> {
  const content = await packFacts(facts);
  await sql`
    insert into packed_facts (version, migration, format, content)
    values (${facts.version}, current_setting('pompa.migration')::int, ${SNAPSHOT_FORMAT}, ${content})
    on conflict (only_row) do update set version = excluded.version, migration = excluded.migration,
      format = excluded.format, content = excluded.content`.execute(tx);
}

/** Everything a snapshot is built from. Call it in `inReadSnapshot`. */
export async function readFacts(tx: Kysely<Schema>): Promise<PublishedFacts> {
  const { rows } = await sql<{ content: Buffer }>`
    select content from packed_facts join publication using (version)
    where format = ${SNAPSHOT_FORMAT} and migration = ${LATEST_MIGRATION}`.execute(tx);
  // A row that is damaged, or written by a newer runtime than this, is as good as none.
  const packed = rows[0] === undefined ? null : await unpackFacts(rows[0].content).catch(() => null);
  return packed ?? loadFacts(tx);
}

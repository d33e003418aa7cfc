/**
 * The facts of the current publication, packed by the one that publishes: each reader takes one row instead of one for
 * each price. A row of another publication, format or state of the tables is ignored.
 */
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { type Kysely, sql } from 'kysely';
import { runInSlices } from '../../concurrency/in-slices.ts';
import type { PublishedFacts } from '../../domain/prices/facts.ts';
import type { Schema } from '../connection/schema.ts';
import { loadFacts } from './load-facts.ts';
import { factPieces, joinSnapshotPieces, packPieces, SNAPSHOT_FORMAT } from './snapshot-pieces.ts';

const decompress = promisify(zstdDecompress);

/** Stores facts as those of a version, in the transaction that publishes it. */
export async function storePackedFacts(tx: Kysely<Schema>, version: number, facts: PublishedFacts): Promise<void> {
  const content = await packPieces(factPieces(facts));
  await sql`
    insert into packed_facts (version, migration, format, content)
    select ${version}, max(number), ${SNAPSHOT_FORMAT}, ${content} from schema_migrations
    on conflict (only_row) do update set
      version = excluded.version, migration = excluded.migration, format = excluded.format, content = excluded.content`.execute(
    tx,
  );
}

/** Everything a snapshot is built from. Call it in `inReadSnapshot`. */
export async function readFacts(tx: Kysely<Schema>): Promise<PublishedFacts> {
  type Row = { version: number; published_at: number | null; updated_at: number | null; content: Buffer | null };
  const { rows } = await sql<Row>`
    select publication.version, published_at, updated_at, content
    from publication left join packed_facts packed on packed.version = publication.version
      and format = ${SNAPSHOT_FORMAT} and migration = (select max(number) from schema_migrations)`.execute(tx);
  const { version, published_at, updated_at, content } = rows[0] as Row;
  const packed = content === null ? null : await unpack(content);
  if (packed === null) return loadFacts(tx);
  return { ...packed, version, publishedAt: published_at, updatedAt: updated_at };
}

/** `null` = this runtime cannot read what a newer one has written. */
async function unpack(content: Buffer): Promise<PublishedFacts | null> {
  try {
    return (await runInSlices(joinSnapshotPieces(await decompress(content)))).facts;
  } catch {
    return null;
  }
}

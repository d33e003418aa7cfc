/** Reads the rows of a large query some hundreds or thousands at a time, through a cursor. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Schema } from './schema.ts';

/** Rows in memory at once where nothing else is asked for. */
const BATCH_ROWS = 2_000;

/** Yields the rows in the order of the query. Call it in a transaction, one at a time: the cursor has one name. */
export async function* fetchBatches<Row>(
  tx: Kysely<Schema>,
  query: RawBuilder<Row>,
  batchRows: number = BATCH_ROWS,
): AsyncGenerator<Row[], void, void> {
  await sql`declare batches no scroll cursor for ${query}`.execute(tx);
  try {
    for (let fetched = batchRows; fetched === batchRows; ) {
      const { rows } = await sql<Row>`fetch ${sql.lit(batchRows)} from batches`.execute(tx);
      fetched = rows.length;
      if (fetched > 0) yield rows;
    }
  } finally {
    // After an error the transaction has closed it already.
    await sql`close batches`.execute(tx).catch(() => undefined);
  }
}

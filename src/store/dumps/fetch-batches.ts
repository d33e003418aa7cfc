/** Reads the rows of a large query some thousand at a time, through a cursor. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Schema } from '../connection/schema.ts';

/** Rows in memory at once. */
const BATCH_ROWS = 2_000;

/** Yields the rows in the order of the query. Call it in a transaction, one at a time: the cursor has one name. */
export async function* fetchBatches<Row>(
  tx: Kysely<Schema>,
  query: RawBuilder<Row>,
): AsyncGenerator<Row[], void, void> {
  await sql`declare dumped no scroll cursor for ${query}`.execute(tx);
  try {
    for (let fetched = BATCH_ROWS; fetched === BATCH_ROWS; ) {
      const { rows } = await sql<Row>`fetch ${sql.lit(BATCH_ROWS)} from dumped`.execute(tx);
      fetched = rows.length;
      if (fetched > 0) yield rows;
    }
  } finally {
    // After an error the transaction has closed it already.
    await sql`close dumped`.execute(tx).catch(() => undefined);
  }
}

/** One moment of the database, for as long as writing the dumps takes. */
import { type Kysely, sql } from 'kysely';
import { withIdleTimeout } from '../connection/idle-timeout.ts';
import type { Schema } from '../connection/schema.ts';
import { inReadSnapshot } from '../prices/publication.ts';

/** A month of changes is sorted before its first row comes. */
const SET_STATEMENT_TIMEOUT = sql`set local statement_timeout = '5min'`;
/** Files are written between two statements. */
const SET_IDLE_TIMEOUT = sql`set local idle_in_transaction_session_timeout = '5min'`;
const IDLE_TIMEOUT_MS = 305_000;

/** Runs `work` on the facts of one moment; others publish meanwhile. */
export function inDumpSnapshot<T>(db: Kysely<Schema>, work: (tx: Kysely<Schema>) => Promise<T>): Promise<T> {
  return withIdleTimeout(IDLE_TIMEOUT_MS, () =>
    inReadSnapshot(db, async (tx) => {
      await SET_STATEMENT_TIMEOUT.execute(tx);
      await SET_IDLE_TIMEOUT.execute(tx);
      return work(tx);
    }),
  );
}

/** The moment of a backup, for whoever reads it beside the backup. */
import { type Kysely, sql } from 'kysely';
import { withIdleTimeout } from '../connection/idle-timeout.ts';
import type { Schema } from '../connection/schema.ts';

const IDLE_TIMEOUT_MS = 305_000;

/** Runs `work` on exactly what the backup contains. `moment` is the exported snapshot of its open transaction. */
export function atBackupMoment<T>(
  db: Kysely<Schema>,
  moment: string,
  work: (tx: Kysely<Schema>) => Promise<T>,
): Promise<T> {
  return withIdleTimeout(IDLE_TIMEOUT_MS, () =>
    db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (tx) => {
        // The name comes from the server; SET takes no parameters.
        await sql`set transaction snapshot ${sql.lit(moment)}`.execute(tx);
        await sql`set local statement_timeout = '5min'`.execute(tx);
        return work(tx);
      }),
  );
}

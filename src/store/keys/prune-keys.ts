/** Deletes expired data of keys. The keys themselves stay until an operator deletes them. */
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../connection/schema.ts';
import { MAX_VERSIONS_BEHIND } from './key-queries.ts';

/** Twice what readers need, because changes are made while they read. The last row stays: it is the version. */
const MAX_KEPT_CHANGES = 2 * MAX_VERSIONS_BEHIND;

/** Deletes expired secrets and old rows of `key_changes`; returns the number of deleted rows. */
export async function pruneKeys(db: Kysely<Schema>): Promise<number> {
  const secrets = db.deleteFrom('key_secrets').where('expires_at', '<=', sql<number>`clock_timestamp()`);
  const changes = db
    .deleteFrom('key_changes')
    .where('version', '<=', (row) =>
      row
        .selectFrom('key_changes')
        .select((newest) => sql<number>`${newest.fn.max('version')} - ${MAX_KEPT_CHANGES}::bigint`.as('oldest')),
    );
  let removed = 0;
  for (const statement of [secrets, changes]) removed += Number((await statement.executeTakeFirst()).numDeletedRows);
  return removed;
}

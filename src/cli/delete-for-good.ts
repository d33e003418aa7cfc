/** Deletes a row and its bytes in the files of the database. */
import type { CommandCall } from '../app/command.ts';
import { withDatabase } from '../app/wiring.ts';
import type { Database } from '../store/connection/database.ts';
import type { Schema } from '../store/connection/schema.ts';
import { messageOf } from '../store/database-errors.ts';
import { eraseDeletedRows } from '../store/maintenance/erase-deleted-rows.ts';

/**
 * Runs `remove`, which deletes a row of `table` and returns whether there was one; then erases its bytes, and warns
 * the operator if that fails.
 */
export function deleteForGood(
  call: CommandCall,
  table: keyof Schema,
  remove: (database: Database<Schema>) => Promise<boolean>,
): Promise<boolean> {
  return withDatabase(call, async (database) => {
    if (!(await remove(database))) return false;
    const why = await eraseDeletedRows(database.kysely, table).then(
      (erased) => (erased ? null : 'others use the table, a backup for example'),
      messageOf,
    );
    if (why !== null) {
      call.terminal.err(`its bytes stay in the files of ${table} for now (${why}); vacuum full ${table} erases them`);
    }
    return true;
  });
}

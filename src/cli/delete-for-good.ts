/** The sub-commands `delete`: each deletes a row, and its bytes in the files of the database. */
import type { CommandCall } from '../app/command.ts';
import { openDirect, withDatabase } from '../app/database/configured-database.ts';
import { createLog } from '../app/log/process-log.ts';
import type { Database } from '../store/connection/database.ts';
import type { Schema } from '../store/connection/schema.ts';
import { messageOf } from '../store/database-errors.ts';
import { eraseDeletedRows } from '../store/maintenance/erase-deleted-rows.ts';
import { type IdWords, parseId, unknownId } from './arguments.ts';
import type { SubCommand } from './sub-commands.ts';

/** What a sub-command deletes. */
export type Deletion = {
  readonly words: IdWords;
  readonly table: keyof Schema;
  /** Resolves with false where there is none with that id. */
  readonly remove: (database: Database<Schema>, id: number) => Promise<boolean>;
};

/**
 * Makes the sub-command `delete` of a kind of thing.
 *
 * @param including what goes with it, to complete "is deleted, with …".
 */
export function deleteCommand({ words, table, remove }: Deletion, including: string): SubCommand {
  return {
    usage: 'ID [--json]',
    flags: {},
    argCount: 1,
    async run(call) {
      const id = parseId(call, words);
      if (!(await deleteForGood(call, table, (database) => remove(database, id)))) throw unknownId(id, words);
      call.terminal.out(
        call.flags.json ? JSON.stringify({ id, deleted: true }) : `${words.name} ${id} is deleted, with ${including}`,
      );
      return 0;
    },
  };
}

/**
 * Runs `remove`, which deletes a row of `table` and returns whether there was one; then erases its bytes, and warns
 * the operator if that fails.
 */
function deleteForGood(
  call: CommandCall,
  table: keyof Schema,
  remove: (database: Database<Schema>) => Promise<boolean>,
): Promise<boolean> {
  return withDatabase(call, async (database) => {
    if (!(await remove(database))) return false;
    const why = await eraseBytes(call, table).catch(messageOf);
    if (why !== null) {
      call.terminal.err(`its bytes stay in the files of ${table} for now (${why}); vacuum full ${table} erases them`);
    }
    return true;
  });
}

/** Resolves with why the bytes stay; `null` = they are gone. */
async function eraseBytes({ config, signal }: CommandCall, table: keyof Schema): Promise<string | null> {
  const database = await openDirect(config, createLog(config), { work: 'erasing them', connections: 1, signal });
  try {
    const outcome = await eraseDeletedRows(database.kysely, table);
    return outcome === 'erased' ? null : WHY_THEY_STAY[outcome];
  } finally {
    await database.close();
  }
}

const WHY_THEY_STAY = {
  'in use': 'others use the table, a backup for example',
  'not permitted': 'only the owner of the table may erase them',
};

/** Whether the role of the database may apply migrations: `serve` and `worker` may have one that owns no tables. */
import type { Queryable } from '../connection/database-connection.ts';
import { DatabaseUnavailable } from '../database-errors.ts';
import { READ_TIMEOUT } from './applied-migrations.ts';

/** What to do where the role of `serve` and `worker` does not own the tables. */
export const RUN_MIGRATE_AS_OWNER =
  'run pompa migrate with the role that owns the tables (in DATABASE_DIRECT_URL, where that is set)';

/** Whether the role may create tables, and owns those that there are. */
export async function mayMigrate(database: Queryable): Promise<boolean> {
  const [row] = await database.query<{ may: boolean }>({ text: MAY_MIGRATE }, READ_TIMEOUT);
  return row?.may === true;
}

const MAY_MIGRATE = `
  select coalesce(has_schema_privilege(current_schema(), 'create'), false) and coalesce(
    (select pg_has_role(relowner, 'usage') from pg_class where oid = to_regclass('schema_migrations')), true) as may`;

/** Rejects with `DatabaseUnavailable` if the role may not apply the pending migrations: their owner may at any time. */
export async function refuseWithoutRights(database: Queryable, pending: readonly { name: string }[]): Promise<void> {
  if (await mayMigrate(database)) return;
  const names = pending.map(({ name }) => name);
  const shown = names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join();
  throw new DatabaseUnavailable(
    `the database needs migrations that this role may not apply (${shown}): ${RUN_MIGRATE_AS_OWNER}`,
  );
}

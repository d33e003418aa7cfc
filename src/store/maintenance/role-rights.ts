/** What the role of a connection may do with the tables of Pompa, and what the server sets for its sessions. */
import type { Queryable } from '../connection/database-connection.ts';

export type RoleRights = {
  readonly role: string;
  /** Whether there are tables of Pompa; without them nothing is lacking. */
  readonly hasTables: boolean;
  /** Tables and sequences that it may not use as `serve` and `worker` do. */
  readonly lacking: readonly string[];
  /** Whether the server itself bounds the statements of its sessions, whatever we set. */
  readonly hasStatementTimeout: boolean;
};

/** The tables of Pompa are those of the owner of `schema_migrations`; other programs may have theirs beside them. */
const READ_RIGHTS = `
  select current_user::text as role, to_regclass('schema_migrations') is not null as "hasTables",
    (select reset_val::float8 > 0 from pg_settings where name = 'statement_timeout') as "hasStatementTimeout",
    array(
      select c.relname::text from pg_class c
      where c.relnamespace = current_schema()::regnamespace
        and c.relowner = (select relowner from pg_class where oid = to_regclass('schema_migrations'))
        and case c.relkind
          when 'r' then not (
            has_table_privilege(c.oid, 'select') and (c.relname = 'schema_migrations' or has_table_privilege(c.oid, 'insert')
            and has_table_privilege(c.oid, 'update') and has_table_privilege(c.oid, 'delete')))
          when 'S' then not (has_sequence_privilege(c.oid, 'usage') and has_sequence_privilege(c.oid, 'select'))
          else false end
      order by 1) as lacking`;
const READ_TIMEOUT = { withinMs: 3_000 };

/** Rejects with `DatabaseUnavailable` if the database does not answer in time. */
export async function readRoleRights(database: Queryable): Promise<RoleRights> {
  const [rights] = await database.query<RoleRights>({ text: READ_RIGHTS }, READ_TIMEOUT);
  if (rights === undefined) throw new Error('the database answered without a row');
  return rights;
}

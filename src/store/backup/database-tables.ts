/**
 * Our tables, their sequences and foreign keys. The migrations name the tables: there is no second list, so none can be
 * forgotten, and every other table in the database belongs to another program.
 */
import type pg from 'pg';
import { appliedMigrations } from '../migrations/applied-migrations.ts';
import { type Migration, readMigrations } from '../migrations/read-migrations.ts';
import type { Sequence, TableHead } from './contents.ts';

/** Settings of the text format of values, so that any server can read the backup of any other. */
export const TEXT_FORMAT_SETTINGS = `set local statement_timeout = 0; set local client_encoding = 'UTF8'; set local timezone = 'UTC';
  set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres'; set local extra_float_digits = 1;
  set local bytea_output = 'hex'; set local row_security = off`;

/** The schema that contains the tables. */
const CURRENT_SCHEMA = '(select oid from pg_namespace where nspname = current_schema())';

/**
 * Tables whose rows stay out: `leases` says who is working now, and after a restore nobody is; without `address_keys`
 * the hashes of addresses in a backup are useless; nobody is logged in after a restore; `packed_facts` repeats others.
 */
const WITHOUT_ROWS = ['leases', 'address_keys', 'logins', 'login_secrets', 'login_sessions', 'packed_facts'];

export type DatabaseRelation = { readonly name: string; readonly kind: 'table' | 'other' };

/** The tables, views and foreign tables in the schema of this program, except those of extensions. */
export async function relationsOf(client: pg.ClientBase): Promise<DatabaseRelation[]> {
  const { rows } = await client.query<DatabaseRelation>(`
    select c.relname as name, case when c.relkind in ('r', 'p') then 'table' else 'other' end as kind
    from pg_class c
    where c.relnamespace = ${CURRENT_SCHEMA} and c.relkind in ('r', 'p', 'v', 'm', 'f')
      and not c.relispartition
      and not exists (
        select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by c.relname collate "C"`);
  return rows;
}

/**
 * The tables that these migrations create, without `schema_migrations`, which each database keeps for itself.
 * Migrations begin a line with `create table` and `drop table`; a test compares the result with migrated databases.
 */
export function tablesCreatedBy(migrations: readonly Migration[]): ReadonlySet<string> {
  const made = new Set<string>();
  for (const { sql } of migrations) {
    for (const [, verb, table = ''] of sql.matchAll(/^(create|drop) table (\w+)/gm)) {
      if (verb === 'create') made.add(table);
      else made.delete(table);
    }
  }
  return made;
}

/** The names of the tables that this database has from its migrations. */
export async function ownTableNames(client: pg.ClientBase): Promise<ReadonlySet<string>> {
  const applied = new Set((await appliedMigrations(client)).map(({ number }) => number));
  return tablesCreatedBy(readMigrations().filter(({ number }) => applied.has(number)));
}

/** The tables that migrations created, with their stored columns. */
export async function tablesOf(client: pg.ClientBase): Promise<TableHead[]> {
  const { rows } = await client.query<TableHead>(
    `select c.relname as table, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = ${CURRENT_SCHEMA} and c.relkind in ('r', 'p') and c.relname = any($1)
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     group by c.relname order by c.relname collate "C"`,
    [[...(await ownTableNames(client))]],
  );
  return rows;
}

/** Whether a backup contains the rows of a table. */
export function hasRowsInBackup(table: string): boolean {
  return !WITHOUT_ROWS.includes(table);
}

/** A sequence that numbers the rows of one of our tables. */
export type OwnSequence = {
  /** `TABLE_COLUMN_seq`. The database uses another name if another program took this one first. */
  readonly name: string;
  /** The name in this database, quoted. */
  readonly relation: string;
};

export async function ownSequences(client: pg.ClientBase): Promise<OwnSequence[]> {
  const { rows } = await client.query<OwnSequence>(
    `select t.relname || '_' || a.attname || '_seq' as name, format('%I.%I', n.nspname, s.relname) as relation
     from pg_class t
     join pg_attribute a on a.attrelid = t.oid and a.attidentity <> ''
     join pg_depend d on d.refclassid = 'pg_class'::regclass and d.refobjid = t.oid and d.refobjsubid = a.attnum
       and d.classid = 'pg_class'::regclass and d.deptype = 'i'
     join pg_class s on s.oid = d.objid and s.relkind = 'S'
     join pg_namespace n on n.oid = s.relnamespace
     where t.relnamespace = ${CURRENT_SCHEMA} and t.relname = any($1)
     order by 1`,
    [[...(await ownTableNames(client))]],
  );
  return rows;
}

/** The state of each sequence. Sequences are not transactional: read after the rows, none is behind them. */
export async function sequencesOf(client: pg.ClientBase): Promise<Sequence[]> {
  const sequences: Sequence[] = [];
  for (const { name, relation } of await ownSequences(client)) {
    const { rows } = await client.query<Omit<Sequence, 'name'>>(
      `select last_value::text as value, is_called as called from ${relation}`,
    );
    const [{ value, called }] = rows as [Omit<Sequence, 'name'>];
    sequences.push({ name, value, called });
  }
  return sequences;
}

/** A foreign key of one of our tables, and the definition that creates it again. */
export type ForeignKey = { readonly table: string; readonly name: string; readonly definition: string };

export async function foreignKeysOf(client: pg.ClientBase): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select c.relname as table, r.conname as name, pg_get_constraintdef(r.oid) as definition
     from pg_constraint r join pg_class c on c.oid = r.conrelid
     where r.contype = 'f' and r.conparentid = 0 and c.relnamespace = ${CURRENT_SCHEMA} and c.relname = any($1)
     order by 1, 2`,
    [[...(await ownTableNames(client))]],
  );
  return rows;
}

/** What the database says of its own tables: nothing here names one, so that none can be forgotten. */
import pg from 'pg';
import { type Migration, readMigrations } from '../connection/migrations.ts';
import type { Sequence, TableHead } from './contents.ts';

/** How values are written and read, whatever the server's own settings: a backup of one is read by any other. */
export const TEXT_FORMAT_SETTINGS = `set local statement_timeout = 0; set local client_encoding = 'UTF8'; set local timezone = 'UTC';
  set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres'; set local extra_float_digits = 1;
  set local bytea_output = 'hex'; set local row_security = off`;

/** The schema that the tables are made in. */
const HERE = '(select oid from pg_namespace where nspname = current_schema())';

/** Kept by each database for itself. */
const OWN = ['schema_migrations'];
/** Whose rows say who is working now: nobody is, after a restore. */
const WITHOUT_ROWS = ['leases'];

export type DatabaseRelation = { readonly name: string; readonly kind: 'table' | 'other' };

/** What lies where the tables of this program do, but for what belongs to extensions, and sequences. */
export async function relationsOf(client: pg.ClientBase): Promise<DatabaseRelation[]> {
  const { rows } = await client.query<DatabaseRelation>(`
    select c.relname as name, case when c.relkind in ('r', 'p') then 'table' else 'other' end as kind
    from pg_class c
    where c.relnamespace = ${HERE} and c.relkind in ('r', 'p', 'v', 'm', 'f')
      and not c.relispartition
      and not exists (
        select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by c.relname collate "C"`);
  return rows;
}

/** The tables that migrations made, with the columns that are written; those of others are left out. */
export async function tablesOf(client: pg.ClientBase): Promise<TableHead[]> {
  const made = migratedTableTest(readMigrations());
  const names = (await relationsOf(client)).filter(({ name, kind }) => kind === 'table' && made(name));
  const { rows } = await client.query<TableHead>(
    `select c.relname as table, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = ${HERE} and c.relname = any($1)
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     group by c.relname order by c.relname collate "C"`,
    [names.map(({ name }) => name)],
  );
  return rows;
}

/** Whether the rows of a table are taken along. */
export function hasRowsInBackup(table: string): boolean {
  return !WITHOUT_ROWS.includes(table);
}

/** Tells the tables of this program from others: migrations speak of no table that they did not make. */
export function migratedTableTest(migrations: readonly Migration[]): (table: string) => boolean {
  const words = new Set(migrations.flatMap(({ sql }) => sql.match(/\w+/g) ?? []));
  return (table) => words.has(table) && !OWN.includes(table);
}

/** Where each sequence stands. They belong to no transaction: read after the rows, none is behind them. */
export async function sequencesOf(client: pg.ClientBase): Promise<Sequence[]> {
  const { rows } = await client.query<{ name: string }>(`
    select c.relname as name from pg_class c
    where c.relnamespace = ${HERE} and c.relkind = 'S'
      and not exists (
        select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by c.relname collate "C"`);
  const made = migratedTableTest(readMigrations());
  const sequences: Sequence[] = [];
  for (const { name } of rows) {
    const { rows: found } = await client.query<{ value: string; called: boolean; table: string | null }>(
      `select s.last_value::text as value, s.is_called as called,
         (select o.relname from pg_depend d join pg_class o on o.oid = d.refobjid
          where d.classid = 'pg_class'::regclass and d.objid = '${pg.escapeIdentifier(name)}'::regclass
            and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i')) as table
       from ${pg.escapeIdentifier(name)} s`,
    );
    const [{ value, called, table }] = found as [(typeof found)[number]];
    if (made(table ?? name)) sequences.push({ name, value, called });
  }
  return sequences;
}

/** A reference from one table to another, and how it is made again. */
export type ForeignKey = { readonly table: string; readonly name: string; readonly definition: string };

export async function foreignKeysOf(client: pg.ClientBase): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(`
    select c.relname as table, r.conname as name, pg_get_constraintdef(r.oid) as definition
    from pg_constraint r join pg_class c on c.oid = r.conrelid
    where r.contype = 'f' and r.conparentid = 0 and c.relnamespace = ${HERE}
    order by 1, 2`);
  return rows;
}

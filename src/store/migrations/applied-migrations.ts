/** Which migrations a database has, and whether this program works with them. */
import type pg from 'pg';
import type { Queryable } from '../connection/database-connection.ts';
import { codeOf, DatabaseMisconfigured, DatabaseUnavailable, messageOf } from '../database-errors.ts';
import { type Migration, readMigrations } from './read-migrations.ts';

/** A migration as the database has recorded it. */
export type AppliedMigration = Pick<Migration, 'number' | 'name' | 'sha256' | 'compatibleFrom'>;

/** Names of migrations: which a database still needs, and which of a newer program it has. */
export type MigrationState = { readonly pending: readonly string[]; readonly newer: readonly string[] };

/** How the migrations of a database differ from those of this program. Throws as `pendingOf` does. */
export async function migrationState(database: Queryable): Promise<MigrationState> {
  const migrations = readMigrations();
  const applied = (await readAppliedIfAny(database)) ?? [];
  return {
    pending: pendingOf(migrations, applied).map(({ name }) => name),
    newer: unknownTo(migrations, applied).map(({ name }) => name),
  };
}

/** `null` = the table does not exist. */
export async function readAppliedIfAny(database: Queryable): Promise<AppliedMigration[] | null> {
  const [found] = await database.query<FoundTable>({ text: TABLE_EXISTS }, READ_TIMEOUT);
  return isThere(found)
    ? database.query<AppliedMigration>({ text: APPLIED }, READ_TIMEOUT).catch(refuseForbidden)
    : null;
}

/** For the statements by which a program finds out whether it works with a database. */
export const READ_TIMEOUT = { withinMs: 3_000 };

function refuseForbidden(error: unknown): never {
  if (codeOf(error) !== INSUFFICIENT_PRIVILEGE) throw error;
  throw new DatabaseUnavailable(
    `the role may not read the tables of Pompa (${messageOf(error)}): grant it the rights in docs/DATABASE.md`,
  );
}

const INSUFFICIENT_PRIVILEGE = '42501';

/** Other programs record their migrations under the same name. */
const TABLE_EXISTS = `
  select to_regclass('schema_migrations') is not null as there, (
    select count(*) = 3 from pg_attribute
    where attrelid = to_regclass('schema_migrations') and attname in ('number', 'name', 'sha256')) as ours`;
type FoundTable = { readonly there: boolean; readonly ours: boolean };

function isThere(found: FoundTable | undefined): boolean {
  if (found?.there !== true) return false;
  if (found.ours) return true;
  throw new DatabaseMisconfigured(
    "the table schema_migrations of this database is another program's: give Pompa a database of its own",
  );
}

/** Databases of the first programs lack the column `compatible_from`, so that it cannot be named as one. */
const APPLIED = `
  select number, name, sha256, (to_jsonb(recorded) ->> 'compatible_from')::int as "compatibleFrom"
  from schema_migrations as recorded order by number`;

/** The migrations that a database has applied; none if it has no tables of ours. */
export async function appliedMigrations(client: pg.ClientBase): Promise<AppliedMigration[]> {
  const { rows } = await client.query<FoundTable>(TABLE_EXISTS);
  return isThere(rows[0]) ? readApplied(client) : [];
}

/** As `appliedMigrations`, of a database that has the table. */
export async function readApplied(client: pg.ClientBase): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(APPLIED);
  return rows;
}

/**
 * The migrations that a database still needs after the applied ones. A newer program may have applied others, if they
 * are compatible with this one. Throws DatabaseMisconfigured if the database does not match this version of the
 * program.
 */
export function pendingOf(migrations: readonly Migration[], applied: readonly AppliedMigration[]): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.number, migration]));
  const newestKnown = migrations.at(-1)?.number ?? 0;
  for (const one of applied) refuseMismatch(one, known.get(one.number), newestKnown);
  const newest = applied.findLast(({ number }) => known.has(number))?.number ?? 0;
  const done = new Set(applied.map(({ number }) => number));
  const pending = migrations.filter(({ number }) => !done.has(number));
  const late = pending.find(({ number }) => number < newest);
  if (late === undefined) return pending;
  throw new DatabaseMisconfigured(
    `migrations/${late.name}.sql comes before ${newest}, which the database has applied: give it the next free number`,
  );
}

/**
 * For work that must know every table: backup and restore. Throws DatabaseMisconfigured if a newer program has applied
 * others, compatible or not.
 */
export function refuseUnknown(migrations: readonly Migration[], applied: readonly AppliedMigration[]): void {
  const [unknown] = unknownTo(migrations, applied);
  if (unknown !== undefined) throw ofNewerProgram(unknown.name, 'use the newer version for this');
}

function unknownTo(migrations: readonly Migration[], applied: readonly AppliedMigration[]): AppliedMigration[] {
  const known = new Set(migrations.map(({ number }) => number));
  return applied.filter(({ number }) => !known.has(number));
}

function refuseMismatch(
  { number, name, sha256, compatibleFrom }: AppliedMigration,
  migration: Migration | undefined,
  newestKnown: number,
): void {
  if (migration === undefined) {
    const isCompatible = number > newestKnown && compatibleFrom !== null && compatibleFrom <= newestKnown;
    if (isCompatible) return;
    throw ofNewerProgram(name, 'start the newer version');
  }
  if (migration.sha256 === sha256) return;
  throw new DatabaseMisconfigured(
    `migrations/${migration.name}.sql was changed after the database applied it (as ${name}): restore the file and put the change into a new migration`,
  );
}

function ofNewerProgram(migration: string, advice: string): DatabaseMisconfigured {
  return new DatabaseMisconfigured(
    `the database is of a newer Pompa: it has the migration ${migration}, which this one does not know; ${advice}`,
  );
}

/** A database as it would look if something were wrong with it. */
import type { QueryResultRow } from 'pg';
import type { Database } from '../../../src/store/connection/database.ts';
import type { QueryStatement, QueryTimeout } from '../../../src/store/connection/query-timeout.ts';
import type { Schema } from '../../../src/store/connection/schema.ts';

export type DatabaseChanges = {
  /** What its answers have in their columns, instead of what is there. */
  readonly rows?: Readonly<Record<string, unknown>>;
  /** Whether its connections count as those of a pooler. */
  readonly isPooled?: boolean;
};

/** The database with these changes. It answers them through `query`; closing it closes nothing. */
export function changedDatabase(
  database: Database<Schema>,
  { rows = {}, isPooled }: DatabaseChanges,
): Database<Schema> {
  const query = async <Row extends QueryResultRow>(statement: QueryStatement, limit: QueryTimeout): Promise<Row[]> => {
    const found = await database.query<Row>(statement, limit);
    return found.map((row) => ({ ...row, ...picked(rows, Object.keys(row)) }));
  };
  return { ...database, query, isPooled: isPooled ?? database.isPooled, close: async () => undefined };
}

function picked(values: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}

/** The contents of a backup. */
import type { Migration } from '../migrations/read-migrations.ts';

export type TableHead = { readonly table: string; readonly columns: readonly string[] };
export type TableContents = TableHead & { readonly rows: number };
export type Sequence = { readonly name: string; readonly value: string; readonly called: boolean };

export type Contents = {
  /** Version of the program that made the backup. */
  readonly program: string;
  /** ISO 8601, by the clock of the machine that made it. */
  readonly made: string;
  /** The migrations that created the tables. */
  readonly migrations: readonly Pick<Migration, 'number' | 'name' | 'sha256'>[];
  readonly tables: readonly TableContents[];
  readonly sequences: readonly Sequence[];
};

/** Some rows of a table, as COPY writes them. */
export type TableRows = { readonly table: string; readonly bytes: Buffer };

/** What the database sends for a backup: the rows, table by table, and finally their description. */
export type Dump = AsyncIterable<TableRows | Contents>;

/** A backup that was read once and found complete. */
export type BackupReader = {
  readonly contents: Contents;
  /** Size of the rows as COPY writes them. */
  readonly unpackedBytes: number;
  /** The rows, table by table in the order of the contents, read and verified again. */
  rows(): AsyncGenerator<TableRows, void, void>;
};

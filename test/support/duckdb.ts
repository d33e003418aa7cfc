/** DuckDB, as somebody else's reader of the files that we write. */
import { DuckDBInstance } from '@duckdb/node-api';

export type ForeignReader = {
  /** Runs a statement; values as JSON has them, instants and days as texts. */
  rows(statement: string): Promise<Record<string, unknown>[]>;
  close(): void;
};

/** Opens a database in memory, with one thread: other tests run beside it. */
export async function openDuckDb(): Promise<ForeignReader> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  return {
    rows: async (statement) =>
      (await connection.runAndReadAll(statement)).getRowObjectsJson() as Record<string, unknown>[],
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

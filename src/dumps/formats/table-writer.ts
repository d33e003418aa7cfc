/** What writes a table to a file, some rows at a time. */
export type TableWriter<Row> = {
  write(rows: readonly Row[]): Promise<void>;
  /** Ends the file, which is complete then. */
  close(): Promise<void>;
};

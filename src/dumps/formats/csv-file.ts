/** A table as a compressed CSV file. */
import type { Table } from '../table.ts';
import { csvHeader, csvLinesOf } from './csv-lines.ts';
import type { TableWriter } from './table-writer.ts';
import { openTextFile } from './text-file.ts';

/** Opens a new file; the same rows give the same bytes. */
export async function openCsvFile<Row>(file: string, table: Table<Row>, gzip: boolean): Promise<TableWriter<Row>> {
  const text = openTextFile(file, { gzip });
  await text.write(csvHeader(table));
  return {
    async write(rows) {
      for (const line of csvLinesOf(table, rows)) await text.write(line);
    },
    close: () => text.close(),
  };
}

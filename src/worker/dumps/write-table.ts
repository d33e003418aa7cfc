/** Writes a table in several formats at once, into the folder where a dump is prepared. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { openCsvFile } from '../../dumps/formats/csv-file.ts';
import { openGeoJsonFile } from '../../dumps/formats/geojson-file.ts';
import { openParquetFile } from '../../dumps/formats/parquet-file.ts';
import type { TableWriter } from '../../dumps/formats/table-writer.ts';
import { type DumpFile, type DumpFormat, dumpPath } from '../../dumps/manifest.ts';
import type { Table } from '../../dumps/table.ts';
import { makeDirectory } from '../../files/make-directory.ts';

export type TableFiles = {
  /** Where the files are prepared. */
  readonly folder: string;
  readonly month: string | null;
  readonly isFinal: boolean;
  readonly formats: readonly DumpFormat[];
};

/** Writes the rows; returns what the files are, and none (and writes none) where there is no row of a month. */
export async function writeTable<Row>(
  table: Table<Row>,
  batches: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
  { folder, month, isFinal, formats }: TableFiles,
): Promise<DumpFile[]> {
  const targets = formats.map((format) => ({ format, file: dumpPath(table.name, format, month, 1) }));
  for (const { file } of targets) makeDirectory(path.dirname(path.join(folder, file)));
  const writers = await Promise.all(targets.map(({ format, file }) => open(path.join(folder, file), table, format)));
  const sources = new Set<string>();
  let rows = 0;
  for await (const batch of batches) {
    for (const row of batch) {
      const source = table.sourceOf?.(row);
      if (source != null) sources.add(source);
    }
    for (const writer of writers) await writer.write(batch);
    rows += batch.length;
  }
  for (const writer of writers) await writer.close();
  if (rows === 0 && month !== null) {
    for (const { file } of targets) await rm(path.join(folder, file));
    return [];
  }
  const described = { table: table.name, month, isFinal, revision: 1, rows, sources: [...sources].sort() };
  return Promise.all(
    targets.map(async ({ format, file }) => ({
      path: file,
      format,
      ...described,
      ...(await digest(path.join(folder, file))),
    })),
  );
}

async function open<Row>(file: string, table: Table<Row>, format: DumpFormat): Promise<TableWriter<Row>> {
  switch (format) {
    case 'csv.gz':
      return openCsvFile(file, table, true);
    case 'geojson':
      return openGeoJsonFile(file, table);
    case 'parquet':
      return openParquetFile(file, table);
    case 'geo.parquet':
      return openParquetFile(file, table, { geometry: true });
  }
}

/** The size and hash of a file. */
async function digest(file: string): Promise<Pick<DumpFile, 'bytes' | 'sha256'>> {
  const sum = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    sum.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: sum.digest('hex') };
}

/**
 * A table as Parquet, in row groups of bounded size; with `geometry`, as GeoParquet 1.1. The only file that knows
 * `hyparquet-writer`.
 */
import { constants, zstdCompressSync } from 'node:zlib';
import { fileWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import type { Point } from '../../domain/point.ts';
import type { Cell, Column, ColumnType, Table } from '../table.ts';
import type { TableWriter } from './table-writer.ts';

/** Rows in memory at once: readers skip whole groups, and 25,000 rows of ten columns take about 10 MB. */
const ROW_GROUP_ROWS = 25_000;
const DAY_MS = 86_400_000;
const COMPRESSORS = {
  ZSTD: (input: Uint8Array) => zstdCompressSync(input, { params: { [constants.ZSTD_c_compressionLevel]: 9 } }),
};
const GEOMETRY = 'geometry';

/** What a type is in Parquet. Prices are doubles: decimals become slow objects in pandas. */
const ELEMENTS: Readonly<Record<ColumnType, Omit<SchemaElement, 'name'>>> = {
  string: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  date: { type: 'INT32', converted_type: 'DATE' },
  datetime: { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' } },
};

type Source = { readonly element: SchemaElement; readonly isDelta: boolean; readonly cellOf: (row: never) => unknown };

/** Opens a new file; the same rows give the same bytes. Throws where the file cannot be written. */
export function openParquetFile<Row>(
  file: string,
  table: Table<Row>,
  { geometry = false }: { readonly geometry?: boolean } = {},
): TableWriter<Row> {
  const sources = [...table.columns.map(sourceOf), ...(geometry ? [geometryOf(table)] : [])];
  const writer = new ParquetWriter({
    writer: fileWriter(file),
    schema: [{ name: 'root', num_children: sources.length }, ...sources.map(({ element }) => element)],
    codec: 'ZSTD',
    compressors: COMPRESSORS,
    createdBy: 'Pompa',
    ...(geometry && { kvMetadata: [{ key: 'geo', value: JSON.stringify(GEO_METADATA) }] }),
  });
  let columns: unknown[][] = sources.map(() => []);
  const flush = async () => {
    const columnData = sources.map(({ element: { name }, isDelta }, index) => ({
      name,
      data: columns[index] as unknown[],
      ...(isDelta && { encoding: 'DELTA_BINARY_PACKED' as const }),
    }));
    await writer.write({ columnData, rowGroupSize: ROW_GROUP_ROWS });
    columns = sources.map(() => []);
  };
  return {
    async write(rows) {
      for (const row of rows) {
        for (const [index, { cellOf }] of sources.entries()) columns[index]?.push(cellOf(row as never));
        if (columns[0]?.length === ROW_GROUP_ROWS) await flush();
      }
    },
    async close() {
      if (columns[0]?.length !== 0) await flush();
      await writer.finish();
    },
  };
}

function sourceOf<Row>({ name, type, required, ascending, cellOf }: Column<Row>): Source {
  return {
    element: { name, ...ELEMENTS[type], repetition_type: required ? 'REQUIRED' : 'OPTIONAL' },
    isDelta: ascending && (type === 'date' || type === 'datetime'),
    cellOf: (row: Row) => physical(type, cellOf(row)),
  };
}

function physical(type: ColumnType, value: Cell): unknown {
  if (value === null) return null;
  if (type === 'date') return Math.round(Date.parse(`${value}T00:00:00Z`) / DAY_MS);
  return type === 'datetime' ? BigInt(value) : value;
}

/** Source: GeoParquet 1.1.0. Longitude comes first, and without `crs` it is OGC:CRS84. */
const GEO_METADATA = {
  version: '1.1.0',
  primary_column: GEOMETRY,
  columns: { [GEOMETRY]: { encoding: 'WKB', geometry_types: ['Point'] } },
};

function geometryOf<Row>({ pointOf }: Table<Row>): Source {
  return {
    element: { name: GEOMETRY, type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' },
    isDelta: false,
    cellOf: (row: Row) => {
      const point = pointOf?.(row) ?? null;
      return point === null ? null : wellKnownBinary(point);
    },
  };
}

/** A point in well-known binary, little-endian. */
function wellKnownBinary({ lat, lng }: Point): Uint8Array {
  const bytes = Buffer.alloc(21);
  bytes.writeUInt8(1, 0);
  bytes.writeUInt32LE(1, 1);
  bytes.writeDoubleLE(lng, 5);
  bytes.writeDoubleLE(lat, 13);
  return bytes;
}

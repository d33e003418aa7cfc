/** A table with places as GeoJSON (RFC 7946): a point for each row, or no geometry where its place is not known. */
import { utcInstant } from '../../domain/days.ts';
import type { Table } from '../table.ts';
import type { TableWriter } from './table-writer.ts';
import { openTextFile } from './text-file.ts';

/** Columns that the geometry holds. */
const IN_GEOMETRY = ['lat', 'lng'];

/** Opens a new file; the same rows give the same bytes. */
export async function openGeoJsonFile<Row>(file: string, table: Table<Row>): Promise<TableWriter<Row>> {
  const text = openTextFile(file, { gzip: false });
  const columns = table.columns.filter(({ name }) => !IN_GEOMETRY.includes(name));
  const featureOf = (row: Row) => {
    const point = table.pointOf?.(row) ?? null;
    const values = columns.map(({ name, type, cellOf }) => {
      const value = cellOf(row);
      return [name, type === 'datetime' && typeof value === 'number' ? utcInstant(value) : value];
    });
    return {
      type: 'Feature',
      geometry: point === null ? null : { type: 'Point', coordinates: [point.lng, point.lat] },
      properties: Object.fromEntries(values),
    };
  };
  let separator = '';
  await text.write('{"type":"FeatureCollection","features":[');
  return {
    async write(rows) {
      for (const row of rows) {
        await text.write(`${separator}\n${JSON.stringify(featureOf(row))}`);
        separator = ',';
      }
    },
    async close() {
      await text.write('\n]}\n');
      await text.close();
    },
  };
}

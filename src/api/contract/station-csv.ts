/** Station records as CSV (RFC 4180): one row a record, a header of the contract's words, empty = not there or null. */
import { csvCell } from '../../domain/csv-cell.ts';
import type { StationJson } from './station-schemas.ts';

/** The columns of every list, in their order. */
const RECORD_COLUMNS = [
  'id',
  'brand',
  'oras',
  'judet',
  'adresa',
  'lat',
  'lng',
  'tip',
  'pret',
  'pret_expirat',
  'nesigur',
  'motiv_nesigur',
  'nesigur_din',
  'pret_masurat_la',
  'pret_incoerent',
  'nume',
  'franciza',
  'nota_pret',
  'program',
  'servicii',
  'telefon',
  'coord_suspecta',
  'approximate_coords',
  'observat_la',
] as const satisfies readonly (keyof StationJson)[];

const EXTENDED_COLUMNS = ['stare', 'vechime'];

/** What a request adds to a record, in the columns after it. */
type RequestColumns = Pick<StationJson, 'distanta_km' | 'stare' | 'vechime'>;

/** The first line. */
export function csvHeader(extended: boolean): string {
  const columns = [...RECORD_COLUMNS, 'distanta_km', ...(extended ? EXTENDED_COLUMNS : [])];
  return `${columns.join(',')}\r\n`;
}

/** The cells of a record that are the same in every answer, without a line break. */
export function csvRecord(record: StationJson): string {
  return RECORD_COLUMNS.map((column) => csvCell(record[column])).join(',');
}

/** What follows the cells of a record, with the line break. */
export function csvRowEnd({ distanta_km, stare, vechime }: RequestColumns, extended: boolean): string {
  const end = `,${csvCell(distanta_km)}`;
  return extended ? `${end},${csvCell(stare)},${csvCell(vechime)}\r\n` : `${end}\r\n`;
}

/** The small tables for spreadsheets, as CSV: always as new as the prices on the pages. */
import { aggregatePath, DUMP_PATH } from '../../../dumps/description/dump-identity.ts';
import { csvHeader, csvLinesOf } from '../../../dumps/formats/csv-lines.ts';
import { mapAggregates } from '../../../dumps/tables/aggregate-tables.ts';
import type { SiteData } from '../../frame/site-data.ts';

/** The lines of the table at a path; `null` = there is none. */
export function aggregateCsv(path: string, { snapshot }: SiteData): Iterable<string> | null {
  if (!path.startsWith(DUMP_PATH)) return null;
  const name = path.slice(DUMP_PATH.length);
  const found = mapAggregates(snapshot, (table, rows) =>
    aggregatePath(table.name) === name ? { header: csvHeader(table), lines: csvLinesOf(table, rows) } : null,
  ).find((one) => one !== null);
  return found === undefined || found === null ? null : [found.header, ...found.lines];
}

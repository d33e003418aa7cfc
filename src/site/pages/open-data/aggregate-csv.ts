/** The small tables for spreadsheets, as CSV: always as new as the prices on the pages. */

import { DUMP_PATH } from '../../../domain/pages/dump-path.ts';
import { aggregatePath } from '../../../dumps/description/dump-identity.ts';
import { csvTable } from '../../../dumps/formats/csv-lines.ts';
import { AGGREGATE_TABLES, mapAggregates } from '../../../dumps/tables/aggregate-tables.ts';
import type { SiteData } from '../../frame/site-data.ts';

/** The lines of the table at a path, each made when it is read; `null` = there is none. */
export function aggregateCsv(path: string, { snapshot }: SiteData): Iterable<string> | null {
  const at = AGGREGATE_TABLES.findIndex(({ name }) => path === DUMP_PATH + aggregatePath(name));
  return at === -1 ? null : (mapAggregates(snapshot, csvTable)[at] ?? null);
}

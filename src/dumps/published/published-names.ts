/** Everything that a folder of dumps publishes besides the data, and the media types of its files. */

import { schemaPath } from '../description/dump-identity.ts';
import { MANIFEST_FILE } from '../manifest.ts';
import { AGGREGATE_TABLES } from '../tables/aggregate-tables.ts';
import { DUMP_TABLES } from '../tables/all-tables.ts';

/** The files that describe the data. */
export const DESCRIPTION_FILES: readonly string[] = [
  ...[MANIFEST_FILE, 'SHA256SUMS', 'LICENTA.txt', 'ERATA.md', 'CITATION.cff', 'catalog.jsonld'],
  ...[...DUMP_TABLES, ...AGGREGATE_TABLES].map(({ name }) => schemaPath(name)),
];

/** A compressed CSV is an archive of its own, not the coding of an answer: it is stored as it is. */
const MEDIA_TYPES: readonly (readonly [ending: string, type: string])[] = [
  ['.csv.gz', 'application/gzip'],
  ['.parquet', 'application/vnd.apache.parquet'],
  ['.geojson', 'application/geo+json'],
  ['.jsonld', 'application/ld+json'],
  ['.json', 'application/json; charset=utf-8'],
  ['.md', 'text/markdown; charset=utf-8'],
];

export function mediaTypeOf(name: string): string {
  return MEDIA_TYPES.find(([ending]) => name.endsWith(ending))?.[1] ?? 'text/plain; charset=utf-8';
}

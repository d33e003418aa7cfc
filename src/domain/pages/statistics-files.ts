/** The addresses of the daily statistics as files. */
import { routePath } from './routes.ts';

/** Of whom a file is, as its name says it. */
export const STATISTICS_FILE_KINDS = { national: 'national', county: 'judet', network: 'retea', city: 'oras' } as const;

/** The address of a series as CSV; a county by the slug of its page. */
export function statisticsFilePath(kind: keyof typeof STATISTICS_FILE_KINDS, slug = ''): string {
  return `${routePath('statistics', 'ro')}/${[STATISTICS_FILE_KINDS[kind], slug].filter(Boolean).join('-')}.csv`;
}

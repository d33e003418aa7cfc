/** The newest changes of a place, as more than bytes: for the feeds of the site. */
import type { ChangeJson } from '../contract/change-schemas.ts';
import { changeOf } from '../contract/change-words.ts';
import { changeTest } from './change-filter.ts';
import type { ChangeLog } from './change-log.ts';

/**
 * Reads a log: the changes of a city, by its slug, or of a station, by its id, newest first; `null` = the log has not
 * read the feed yet.
 */
export function latestChangesOf(log: ChangeLog) {
  return (where: { readonly city: string } | { readonly station: string }, most: number) => {
    if (log.head === null) return null;
    const filter = 'city' in where ? { cities: new Set([where.city]) } : { stations: new Set([where.station]) };
    return log
      .newest(changeTest(filter), most)
      .map(({ text }) => changeOf(JSON.parse(Buffer.from(text, 'latin1').toString()) as ChangeJson));
  };
}

/** The newest changes of a place, as more than bytes: for the feeds of the site. */
import type { ChangeJson } from '../contract/change-schemas.ts';
import { changeOf } from '../contract/change-words.ts';
import type { ChangeLog } from './change-log.ts';
import type { ChangedPlace } from './place-index.ts';

/**
 * Reads a log: the changes of a city, by its slug, or of a station, by its id, newest first; `null` = the log has not
 * read the feed yet.
 */
export function latestChangesOf(log: ChangeLog) {
  return (where: ChangedPlace, most: number) => {
    if (log.head === null) return null;
    return log.newestAt(where, most).map(({ toldAt, text }) => {
      const record = JSON.parse(Buffer.from(text, 'latin1').toString()) as ChangeJson;
      return { ...changeOf(record), id: changeId(toldAt, record) };
    });
  };
}

/** Without epoch and number, which a restored backup makes anew: no two states are told at the same millisecond. */
function changeId(toldAt: number, { statie_id, tip, fel }: ChangeJson): string {
  return `${toldAt}/${statie_id}/${tip ?? fel}`;
}

/** The newest changes of a place, for the site. */
import type { RecentChange } from '../../domain/changes/served-change.ts';
import { readChange } from '../contract/change-words.ts';
import { changeTest } from './change-filter.ts';
import type { ChangeLog } from './change-log.ts';

type Place = { readonly city: string } | { readonly station: string };

export type RecentChanges = {
  /** Another object whenever more was told; `null` = nothing is known. */
  readonly head: () => object | null;
  /** Newest first, at most so many. Looks at each change kept at most once: some milliseconds. */
  readonly newest: (place: Place, most: number) => RecentChange[];
};

export function recentChanges(log: ChangeLog): RecentChanges {
  return {
    head: () => log.head,
    newest(place, most) {
      const test = changeTest(
        'city' in place ? { cities: new Set([place.city]) } : { stations: new Set([place.station]) },
      );
      return log.newest(test, most, Number.POSITIVE_INFINITY).map(({ seq, toldAt, station, fuel, text }) => {
        const record = JSON.parse(Buffer.from(text, 'latin1').toString());
        return { seq, toldAt, station, fuel, ...readChange(record) };
      });
    },
  };
}

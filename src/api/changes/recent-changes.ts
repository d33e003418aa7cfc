/** The newest changes of a place, for the site. */
import type { RecentChange } from '../../domain/changes/served-change.ts';
import { readChange } from '../contract/change-words.ts';
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
      const isMeant =
        'city' in place
          ? ({ city }: { readonly city: string }) => city === place.city
          : ({ station }: { readonly station: string }) => station === place.station;
      return log.newest(isMeant, most).map(({ seq, toldAt, station, fuel, text }) => {
        const record = JSON.parse(Buffer.from(text, 'latin1').toString());
        return { seq, toldAt, station, fuel, ...readChange(record) };
      });
    },
  };
}

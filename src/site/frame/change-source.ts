/** What the site needs of the feed of changes. */
import type { RecentChange } from '../../domain/changes/served-change.ts';

/** Whose changes: those of a city, by its slug, or of a station, by its id. */
export type ChangedPlace = { readonly city: string } | { readonly station: string };

export type RecentChanges = {
  /** Another object whenever more was told; `null` = nothing was told, or it is not known here yet. */
  readonly head: () => object | null;
  /** The newest changes of a place, newest first, at most so many. */
  readonly newest: (place: ChangedPlace, most: number) => readonly RecentChange[];
};

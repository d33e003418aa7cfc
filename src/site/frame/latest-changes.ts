/** What feeds of changes are made from. */
import type { ServedChange } from '../../domain/changes/served-change.ts';

export type LatestChange = Pick<ServedChange, 'station' | 'fuel' | 'kind' | 'before' | 'after'> & {
  /** Names the change for good, whatever becomes of cursors. */
  readonly id: string;
  /** Since when it is served, epoch ms. */
  readonly at: number;
};

/**
 * The latest changes at a city, by its slug, or a station, by its id: newest first, at most so many; `null` = what was
 * told is not read yet.
 */
export type LatestChanges = (
  where: { readonly city: string } | { readonly station: string },
  most: number,
) => readonly LatestChange[] | null;

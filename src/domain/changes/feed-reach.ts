/** How far back the feed of changes reaches. */

/** By the time of the last state. */
export const FEED_DAYS = 30;
/**
 * Changes that the feed reaches back at least, within those days: twice what 2,000 stations make. A process holds them
 * in bounded memory, so of more it may have lost the oldest.
 */
export const FEED_CHANGES = 200_000;

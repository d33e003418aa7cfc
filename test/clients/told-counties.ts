/** The feed that clients are tested with: five changes of one publication, three of them in CJ. */
import { NOON } from '../support/builders/snapshot-builders.ts';
import type { ToldFeed } from '../support/changes/told-changes.ts';
import { world } from '../support/worlds/contract-world.ts';

/** What is served after these changes. */
export const SHOWN_AFTER_COUNTIES = world({ version: 2, nextChangeAt: NOON + 5 });

export function tellCounties(feed: ToldFeed): void {
  feed.tell(
    ['CJ', 'IF', 'CJ', 'BV', 'CJ'].map((county) => ({ county })),
    { from: NOON },
  );
}

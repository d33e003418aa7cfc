/** The real service for clients of its feed, which the test tells; every request counts as sent with a key. */
import { NOON } from '../support/builders/snapshot-builders.ts';
import { ToldFeed } from '../support/changes/told-changes.ts';
import { allowAll, SOME_KEY } from '../support/service/open-access.ts';
import { TestService } from '../support/service/test-service.ts';
import { world } from '../support/worlds/contract-world.ts';

export type FeedService = {
  readonly url: string;
  readonly feed: ToldFeed;
  readonly close: () => Promise<void>;
};

/** With a change for each county, told at once; `/statii` shows what they lead to. */
export async function startFeedService(counties: readonly string[]): Promise<FeedService> {
  const feed = new ToldFeed();
  feed.tell(
    counties.map((county) => ({ county })),
    { from: NOON },
  );
  const service = await TestService.start({
    accessControl: allowAll(SOME_KEY),
    changes: feed.log,
    snapshot: world({ version: 2, nextChangeAt: NOON + 1 }),
  });
  return { url: `http://127.0.0.1:${service.port}`, feed, close: () => service.api.close() };
}

/** Tells a change as soon as somebody waits for one. */
export function tellWhenAwaited(feed: ToldFeed, county: string): void {
  const { log } = feed;
  const onMore = log.onMore.bind(log);
  log.onMore = (listener) => {
    log.onMore = onMore;
    setImmediate(() => feed.tell([{ county }]));
    return onMore(listener);
  };
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SITE_RATE_LIMITS } from '../../domain/access/request-limits.ts';
import { createSiteLimit } from './site-limit.ts';

/** How many pages the clients of one network get at once from one of so many processes. */
function pagesOfNetwork(processes: number): number {
  const limit = createSiteLimit({
    addressOf: () => ({ address: '192.0.2.1', client: '192.0.2.1' }),
    crawlerOf: () => null,
    confirmCrawler: () => Promise.resolve(false),
    pages: { tryTake: () => 0 },
    processes,
  });
  let pages = 0;
  while (limit.waitMsOf({ headers: {}, peer: { remoteAddress: '192.0.2.1' } }, '/') === 0) pages += 1;
  return pages;
}

test('processes of one address divide what a network may read, but leave each client its own limit', () => {
  const { networkPagesPerMinute, pagesPerMinute } = SITE_RATE_LIMITS;
  const isShare = (pages: number, share: number) =>
    assert.ok(pages >= share && pages < share * 1.05, `${pages} of ${share}`);
  isShare(pagesOfNetwork(1), networkPagesPerMinute);
  isShare(pagesOfNetwork(4), networkPagesPerMinute / 4);
  isShare(pagesOfNetwork(64), pagesPerMinute);
});

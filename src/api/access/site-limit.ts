/**
 * The limits of the site: pages per client and minute, and per network, decided at once from memory. A crawler has a
 * limit of its own from when reverse DNS confirms its address, which happens in the background.
 */
import { BoundedMap } from '../../concurrency/bounded-map.ts';
import { TokenBuckets } from '../../concurrency/token-buckets.ts';
import { clientNetwork } from '../../domain/access/client-network.ts';
import { SITE_RATE_LIMITS } from '../../domain/access/request-limits.ts';
import { SUGGESTIONS_PATH } from '../../domain/pages/routes.ts';
import type { PageLimits } from '../../store/limits/page-limits.ts';
import type { Caller } from '../request/caller.ts';
import type { AccessControlDependencies } from './access-control.ts';

export type SiteLimitDependencies = Pick<AccessControlDependencies, 'addressOf' | 'crawlerOf' | 'confirmCrawler'> & {
  readonly pages: Pick<PageLimits, 'tryTake'>;
  /** Processes of the same address, which divide what a network may read; 1 by default. */
  readonly processes?: number | undefined;
};

/** How many requests the site refused since the start, by whose limit was used up. */
export type SiteRefusals = { readonly client: number; readonly network: number; readonly crawler: number };

export type SiteLimit = {
  /** Counts a request for a path of the site; returns 0, or the ms until the next one is accepted. */
  waitMsOf(caller: Caller, path: string): number;
  readonly refusals: SiteRefusals;
};

/** No limit: for services under test. */
export const NO_SITE_LIMIT: SiteLimit = { waitMsOf: () => 0, refusals: { client: 0, network: 0, crawler: 0 } };

/** Names of the two limits among those per minute. */
const CLIENTS_LIMIT = { name: 'pages', maxRequests: SITE_RATE_LIMITS.pagesPerMinute };
const CRAWLERS_LIMIT = { name: 'crawled pages', maxRequests: SITE_RATE_LIMITS.crawlerPagesPerMinute };
/** After this time the resolver is asked again; it keeps its verdicts for longer. */
const VERDICT_MS = 60_000;
const MAX_CRAWLER_ADDRESSES = 5_000;
const MAX_CLIENTS_WITH_FILES = 50_000;
const MAX_NETWORKS = 20_000;
const MINUTE_SECONDS = 60;
/** By then a network that has read its share may read on, some pages a second. */
const NETWORK_WAIT_MS = 1_000;
/** Pictures, code and files for machines have an extension in their last segment. */
const FILE_PATH = /\.[a-z0-9]{1,11}$/i;

/** Creates the limit of a service. */
export function createSiteLimit(dependencies: SiteLimitDependencies): SiteLimit {
  const { pages, addressOf, processes = 1 } = dependencies;
  // Its clients are many, and the system spreads their connections; one client alone is never refused by it.
  const networkPages = Math.max(SITE_RATE_LIMITS.networkPagesPerMinute / processes, SITE_RATE_LIMITS.pagesPerMinute);
  const isConfirmedCrawler = crawlerVerdicts(dependencies);
  /** Files read by a client since the last that counted as a page. */
  const filesRead = new BoundedMap<number>(MAX_CLIENTS_WITH_FILES);
  const networks = new TokenBuckets({
    burst: networkPages,
    perSecond: networkPages / MINUTE_SECONDS,
    maxKeys: MAX_NETWORKS,
  });
  const networkFiles = new TokenBuckets({
    burst: networkPages * SITE_RATE_LIMITS.filesPerPage,
    perSecond: (networkPages * SITE_RATE_LIMITS.filesPerPage) / MINUTE_SECONDS,
    maxKeys: MAX_NETWORKS,
  });
  const refusals = { client: 0, network: 0, crawler: 0 };
  const refuse = (limit: keyof SiteRefusals, waitMs: number): number => {
    refusals[limit] += 1;
    return waitMs;
  };
  const waitMsOfClient = (client: string): number => {
    // A client that has read its share takes nothing from its network's.
    const network = clientNetwork(client);
    if (!networks.hasToken(network)) return refuse('network', NETWORK_WAIT_MS);
    const waitMs = pages.tryTake({ client, ...CLIENTS_LIMIT });
    if (waitMs > 0) return refuse('client', waitMs);
    networks.tryTake(network);
    return 0;
  };
  const waitMsOfCrawler = (client: string): number => {
    const waitMs = pages.tryTake({ client, ...CRAWLERS_LIMIT });
    return waitMs > 0 ? refuse('crawler', waitMs) : 0;
  };
  return {
    refusals,
    waitMsOf: (caller, path) => {
      const { address, client } = addressOf(caller);
      const isFile = path === SUGGESTIONS_PATH || FILE_PATH.test(path);
      const files = isFile ? (filesRead.get(client) ?? 0) + 1 : 0;
      if (isFile && !networkFiles.tryTake(clientNetwork(client))) return refuse('network', NETWORK_WAIT_MS);
      if (isFile && files < SITE_RATE_LIMITS.filesPerPage) {
        filesRead.set(client, files);
        return 0;
      }
      const isCrawler = isConfirmedCrawler(caller.headers['user-agent'], address);
      const waitMs = isCrawler ? waitMsOfCrawler(client) : waitMsOfClient(client);
      if (waitMs === 0 && isFile) filesRead.delete(client);
      return waitMs;
    },
  };
}

/**
 * Makes a function that knows at once whether an address belongs to the crawler that it names, and finds out if not.
 */
function crawlerVerdicts({ crawlerOf, confirmCrawler }: SiteLimitDependencies) {
  const verdicts = new BoundedMap<{ isConfirmed: boolean; readonly askedAt: number }>(MAX_CRAWLER_ADDRESSES);
  return (userAgent: string | undefined, address: string): boolean => {
    const crawler = userAgent === undefined ? null : crawlerOf(userAgent);
    if (crawler === null || crawler.suffixes.length === 0) return false;
    const name = `${crawler.token} ${address}`;
    const known = verdicts.get(name);
    const now = performance.now();
    if (known !== undefined && now - known.askedAt < VERDICT_MS) return known.isConfirmed;
    const verdict = { isConfirmed: known?.isConfirmed ?? false, askedAt: now };
    verdicts.set(name, verdict);
    void confirmCrawler(address, crawler.suffixes).then((isConfirmed) => {
      verdict.isConfirmed = isConfirmed;
    });
    return verdict.isConfirmed;
  };
}

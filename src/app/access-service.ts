/** Access control of a running service, created from the settings. */

import { type AccessControlDependencies, createAccessControl, monthOf } from '../api/access/access-control.ts';
import type { AccessControl } from '../api/access/access-rules.ts';
import { createSiteLimit, type SiteLimit } from '../api/access/site-limit.ts';
import type { Caller } from '../api/request/caller.ts';
import { createReverseDns } from '../clients/reverse-dns.ts';
import { withTimeout } from '../concurrency/with-timeout.ts';
import type { Config } from '../config/config.ts';
import { type ClientAddress, clientAddress } from '../domain/access/client-address.ts';
import { crawlerOf } from '../domain/access/crawlers.ts';
import { GERMANY_RATE_LIMIT } from '../domain/access/request-limits.ts';
import type { ServiceDatabase } from '../store/connection/database-connection.ts';
import type { OperatorLog } from '../store/database-errors.ts';
import { KeyCache } from '../store/keys/key-cache.ts';
import { KeyUsageCache } from '../store/keys/key-usage-cache.ts';
import { type KeyReport, readKeyReport } from '../store/keys/key-usage-report.ts';
import type { AcceptanceClaims } from '../store/limits/acceptance-claims.ts';
import type { AddressHashing } from '../store/limits/address-hash.ts';
import { RateLimits } from '../store/limits/rate-limits.ts';
import type { BatchCounts } from '../telemetry/batch-counts.ts';

/** How long the prices of the database wait for the keys: those of the disk are served already. */
const MAX_WAIT_FOR_KEYS_MS = 500;

type AccessSettings = Pick<Config, 'TRUSTED_PROXIES' | 'DNS_SERVERS' | 'crawlers'>;

export type AccessService = {
  readonly accessControl: AccessControl;
  readonly siteLimit: SiteLimit;
  /** The batches in which the database decided on limits. */
  readonly batches: BatchCounts;
  /** Takes a request of the German channel's limit; resolves with the ms until the next is free, 0 = taken. */
  readonly takeGermanRequest: (caller: Caller) => number | Promise<number>;
  readonly keyReport: (key: number) => Promise<KeyReport | null>;
  /** Waits until the keys were first read, or could not be: at most half a second. */
  readonly waitForKeys: () => Promise<void>;
  close(): Promise<void>;
};

/** Where a request comes from. Rule 1. */
export function addressOf(
  { headers, peer }: Caller,
  { TRUSTED_PROXIES }: Pick<Config, 'TRUSTED_PROXIES'>,
): ClientAddress {
  return clientAddress(peer.remoteAddress, headers['x-forwarded-for'] as string | undefined, TRUSTED_PROXIES);
}

type AccessDependencies = {
  readonly database: ServiceDatabase;
  /** Makes the keyed hashes that identify clients. */
  readonly hashes: AddressHashing;
  readonly log: OperatorLog;
  readonly publicUrl: () => string;
  /** Processes that serve the same address; 1 by default. */
  readonly processes?: number | undefined;
  /** What they accept without the database, together. */
  readonly claims?: AcceptanceClaims | undefined;
};

/** Creates access control; until the database is available, no key can be verified and this process counts alone. */
export function createAccessService(
  config: AccessSettings,
  { database, hashes, log, publicUrl, processes, claims }: AccessDependencies,
): AccessService {
  const keyCache = new KeyCache(database.reserved, { clock: () => performance.now(), log });
  const usage = new KeyUsageCache(database);
  const limits = new RateLimits({
    database: database.reserved,
    ...{ hashes, processes, claims },
    clock: Date.now,
    onKeyUsage: (key, used, now) => usage.recordUsage(key, monthOf(now), used),
  });
  const dns = createReverseDns({ servers: config.DNS_SERVERS });
  const callers: Pick<AccessControlDependencies, 'addressOf' | 'crawlerOf' | 'confirmCrawler'> = {
    addressOf: (caller) => addressOf(caller, config),
    crawlerOf: (userAgent) => crawlerOf(userAgent, config.crawlers),
    confirmCrawler: (address, suffixes) => dns.confirms(address, suffixes),
  };
  const accessControl = createAccessControl({
    ...callers,
    keys: {
      find: (sent) => keyCache.find(sent),
      known: (sent) => keyCache.known(sent),
      used: (key, month) => usage.used(key, month),
    },
    limits,
    publicUrl,
    clock: Date.now,
  });
  return {
    accessControl,
    batches: limits.batches,
    siteLimit: createSiteLimit({ ...callers, pages: limits.pages, processes }),
    takeGermanRequest: (caller) => {
      const { name, perMinute } = GERMANY_RATE_LIMIT;
      return limits.minutes.tryTake({ client: addressOf(caller, config).client, name, maxRequests: perMinute });
    },
    keyReport: (key) => readKeyReport(database, key),
    waitForKeys: () => withTimeout(MAX_WAIT_FOR_KEYS_MS, keyCache.whenRead).catch(() => undefined),
    async close() {
      await Promise.all([keyCache.close(), usage.close(), limits.pages.close()]);
    },
  };
}

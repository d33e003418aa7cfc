/** Access control of a running service, put together from the settings. */
import type { AccessControl, Caller } from '../api/access/access.ts';
import { createAccessControl, monthOf } from '../api/access/access-control.ts';
import { createReverseDns } from '../clients/reverse-dns.ts';
import type { Config } from '../config/config.ts';
import { type ClientAddress, clientAddress } from '../domain/access/client-address.ts';
import { crawlerOf } from '../domain/access/crawlers.ts';
import type { DatabaseConnection } from '../store/connection/database-connection.ts';
import type { OperatorLog } from '../store/database-errors.ts';
import { KeyCache } from '../store/keys/key-cache.ts';
import { type KeyReport, readKeyReport } from '../store/keys/key-report.ts';
import { KeyUsageCache } from '../store/keys/key-usage-cache.ts';
import { RateLimits } from '../store/limits/limits.ts';

type AccessSettings = Pick<Config, 'TRUSTED_PROXIES' | 'DNS_SERVERS' | 'crawlers'>;

export type AccessService = {
  readonly accessControl: AccessControl;
  readonly keyReport: (key: number) => Promise<KeyReport | null>;
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
  readonly database: DatabaseConnection;
  /** The keyed hash under which a client is kept; `null` = that cannot be told yet. */
  readonly hash: (client: string) => Buffer | null;
  readonly log: OperatorLog;
  readonly publicUrl: () => string;
};

/** Makes access control; until the database is there no key can be verified, and this process counts by itself. */
export function createAccessService(
  config: AccessSettings,
  { database, hash, log, publicUrl }: AccessDependencies,
): AccessService {
  const keyCache = new KeyCache(database, { clock: () => performance.now(), log });
  const usage = new KeyUsageCache(database);
  const limits = new RateLimits({
    database,
    hash,
    clock: Date.now,
    onKeyUsage: (key, used, now) => usage.recordUsage(key, monthOf(now), used),
  });
  const dns = createReverseDns({ servers: config.DNS_SERVERS });
  const accessControl = createAccessControl({
    keys: { find: (sent) => keyCache.find(sent), used: (key, month) => usage.used(key, month) },
    limits,
    addressOf: (caller) => addressOf(caller, config),
    crawlerOf: (userAgent) => crawlerOf(userAgent, config.crawlers),
    confirmCrawler: (address, suffixes) => dns.confirms(address, suffixes),
    publicUrl,
    clock: Date.now,
  });
  return {
    accessControl,
    keyReport: (key) => readKeyReport(database, key),
    async close() {
      await Promise.all([keyCache.close(), usage.close()]);
    },
  };
}

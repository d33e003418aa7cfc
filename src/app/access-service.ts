/** The gate of a running service, put together from the settings; the database joins when it can be had. */
import type { AccessControl, Caller } from '../api/access/access.ts';
import { createAccessControl, monthOf } from '../api/access/access-control.ts';
import { createReverseDns } from '../clients/reverse-dns.ts';
import type { Config } from '../config/config.ts';
import { type ClientAddress, clientAddress } from '../domain/access/client-address.ts';
import { crawlerOf } from '../domain/access/crawlers.ts';
import type { Database } from '../store/connection/database.ts';
import type { Schema } from '../store/connection/schema.ts';
import { DatabaseUnavailable, type OperatorLog } from '../store/database-errors.ts';
import { KeyCache } from '../store/keys/key-cache.ts';
import { type KeyReport, readKeyReport } from '../store/keys/key-report.ts';
import { KeyUsageCache } from '../store/keys/key-usage-cache.ts';
import { RateLimits } from '../store/limits/limits.ts';

type AccessSettings = Pick<Config, 'TRUSTED_PROXIES' | 'DNS_SERVERS' | 'crawlers'>;

export type AccessService = {
  readonly accessControl: AccessControl;
  readonly keyReport: (key: number) => Promise<KeyReport | null>;
  /** What is kept of a client address; `null` = that cannot be told before the database was there. */
  readonly hash: (client: string) => Buffer | null;
  /** The database is about to come: keys are verified and visitors decided by it, not without it. */
  startWaiting(): void;
  /** It cannot be had for now: until it can this process counts visitors by itself. */
  stopWaiting(): void;
  /** From now on keys can be verified, and the database decides who may have what. Changes nothing when it rejects. */
  useDatabase(database: Database<Schema>): Promise<void>;
  close(): Promise<void>;
};

/** Where a request comes from. Rule 1. */
export function addressOf(
  { headers, peer }: Caller,
  { TRUSTED_PROXIES }: Pick<Config, 'TRUSTED_PROXIES'>,
): ClientAddress {
  return clientAddress(peer.remoteAddress, headers['x-forwarded-for'] as string | undefined, TRUSTED_PROXIES);
}

/** Makes the gate; until `attach` no key can be verified, and this process counts by itself. */
export function createAccessService(config: AccessSettings, log: OperatorLog, publicUrl: () => string): AccessService {
  const keyCache = new KeyCache({ clock: () => performance.now(), log });
  const usage = new KeyUsageCache();
  const limits = new RateLimits({
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
  let attached: Database<Schema> | undefined;
  return {
    accessControl,
    keyReport: (key) => {
      if (attached === undefined) return Promise.reject(new DatabaseUnavailable('there is no database'));
      return readKeyReport(attached.pool, key);
    },
    hash: (client) => limits.hashAddress(client),
    startWaiting() {
      limits.startWaiting();
      keyCache.startWaiting();
    },
    stopWaiting() {
      limits.stopWaiting();
      keyCache.stopWaiting();
    },
    async useDatabase(database) {
      await limits.useDatabase(database.pool);
      attached = database;
      keyCache.useDatabase(database);
      usage.useDatabase(database);
    },
    async close() {
      keyCache.stopWaiting();
      if (attached !== undefined) await Promise.all([keyCache.close(), usage.close()]);
    },
  };
}

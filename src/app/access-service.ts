/** The gate of a running service, put together from the settings; the database joins when it can be had. */
import type { Caller, Gate } from '../api/access/access.ts';
import { createGate, monthOf } from '../api/access/access-control.ts';
import { createReverseDns } from '../clients/reverse-dns.ts';
import type { Config } from '../config/config.ts';
import { type ClientAddress, clientAddress } from '../domain/access/client-address.ts';
import { crawlerOf } from '../domain/access/crawlers.ts';
import type { Database } from '../store/connection/database.ts';
import type { Schema } from '../store/connection/schema.ts';
import { DatabaseUnavailable, type Log } from '../store/database-errors.ts';
import { KeyRing } from '../store/keys/key-cache.ts';
import { type KeyReport, readKeyReport } from '../store/keys/key-report.ts';
import { KeyUsageView } from '../store/keys/key-usage-cache.ts';
import { Allowances } from '../store/limits/limits.ts';

type GateSettings = Pick<Config, 'TRUSTED_PROXIES' | 'DNS_SERVERS' | 'crawlers'>;

export type GateService = {
  readonly gate: Gate;
  readonly keyReport: (key: number) => Promise<KeyReport | null>;
  /** What is kept of a client address; `null` = that cannot be told before the database was there. */
  readonly hash: (client: string) => Buffer | null;
  /** The database is about to come: keys are verified and visitors decided by it, not without it. */
  expect(): void;
  /** It cannot be had for now: until it can this process counts visitors by itself. */
  waitNoMore(): void;
  /** From now on keys can be verified, and the database decides who may have what. Changes nothing when it rejects. */
  attach(database: Database<Schema>): Promise<void>;
  close(): Promise<void>;
};

/** Where a request comes from. Decision 1. */
export function addressOf(
  { headers, peer }: Caller,
  { TRUSTED_PROXIES }: Pick<Config, 'TRUSTED_PROXIES'>,
): ClientAddress {
  return clientAddress(peer.remoteAddress, headers['x-forwarded-for'] as string | undefined, TRUSTED_PROXIES);
}

/** Makes the gate; until `attach` no key can be verified, and this process counts by itself. */
export function createGateService(config: GateSettings, log: Log, publicUrl: () => string): GateService {
  const ring = new KeyRing({ clock: () => performance.now(), log });
  const usage = new KeyUsageView();
  const allowances = new Allowances({
    clock: Date.now,
    noted: (key, used, now) => usage.note(key, monthOf(now), used),
  });
  const dns = createReverseDns({ servers: config.DNS_SERVERS });
  const gate = createGate({
    keys: { find: (sent) => ring.find(sent), used: (key, month) => usage.used(key, month) },
    allowances,
    addressOf: (caller) => addressOf(caller, config),
    crawlerOf: (userAgent) => crawlerOf(userAgent, config.crawlers),
    confirms: (address, suffixes) => dns.confirms(address, suffixes),
    publicUrl,
    clock: Date.now,
  });
  let attached: Database<Schema> | undefined;
  return {
    gate,
    keyReport: (key) => {
      if (attached === undefined) return Promise.reject(new DatabaseUnavailable('there is no database'));
      return readKeyReport(attached.pool, key);
    },
    hash: (client) => allowances.hash(client),
    expect() {
      allowances.expect();
      ring.expect();
    },
    waitNoMore() {
      allowances.waitNoMore();
      ring.waitNoMore();
    },
    async attach(database) {
      await allowances.attach(database.pool);
      attached = database;
      ring.attach(database);
      usage.attach(database);
    },
    async close() {
      ring.waitNoMore();
      if (attached !== undefined) await Promise.all([ring.close(), usage.close()]);
    },
  };
}

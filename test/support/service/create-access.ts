/** The real access control for services under test, behind a trusted proxy, so that each request states its client. */
import type { AccessControl } from '../../../src/api/access/access-rules.ts';
import { type AccessService, createAccessService } from '../../../src/app/access-service.ts';
import { trustedProxies } from '../../../src/config/address-lists.ts';
import { crawlerTable, DEFAULT_CRAWLERS } from '../../../src/domain/access/crawlers.ts';
import type { ServiceDatabase } from '../../../src/store/connection/database-connection.ts';
import { AddressHash } from '../../../src/store/limits/address-hash.ts';
import { NO_DATABASE } from '../database/late-database.ts';

const SETTINGS = {
  TRUSTED_PROXIES: trustedProxies('127.0.0.1'),
  DNS_SERVERS: null,
  crawlers: crawlerTable(DEFAULT_CRAWLERS),
};
const publicUrl = () => 'http://127.0.0.1';
const silentLog = { info: () => undefined, warn: () => undefined };

/** Access control without a database: it can verify no key, and counts caps in this process only. */
export function accessWithoutDatabase(): AccessControl {
  return createAccess({ ...NO_DATABASE, reserved: NO_DATABASE }, new AddressHash()).accessControl;
}

/** Access control on a database; `dnsServers` verify crawlers. */
export function createAccess(
  database: ServiceDatabase,
  addressHash: AddressHash,
  dnsServers: readonly string[] | null = null,
): AccessService {
  const settings = { ...SETTINGS, DNS_SERVERS: dnsServers };
  return createAccessService(settings, { database, hashes: addressHash, log: silentLog, publicUrl });
}

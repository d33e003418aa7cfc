/** Services with their real access control on one database. */
import type { TestContext } from 'node:test';
import type { SiteLimit } from '../../../src/api/access/site-limit.ts';
import type { ApiOptions } from '../../../src/api/http/api-server.ts';
import type { AccessService } from '../../../src/app/access-service.ts';
import { createKey, type NewKey } from '../../../src/store/keys/keys.ts';
import type { AddressHash } from '../../../src/store/limits/address-hash.ts';
import { waitFor } from '../database/embedded-database.ts';
import { addressHashOn } from '../database/named-hashes.ts';
import { type TestDatabase, testDatabase } from '../database/test-database.ts';
import { createAccess } from './create-access.ts';
import { TestService } from './test-service.ts';

/** Services with their access control on one database. */
export class GuardedServices {
  readonly database: TestDatabase;
  readonly services: readonly TestService[];
  readonly #accessServices: readonly AccessService[];

  private constructor(
    database: TestDatabase,
    services: readonly TestService[],
    accessServices: readonly AccessService[],
  ) {
    this.database = database;
    this.services = services;
    this.#accessServices = accessServices;
  }

  /**
   * Starts services, each with its own access control, as in separate processes; `dnsServers` verify crawlers, and
   * `partsOn` builds further parts of a service on their database.
   */
  static async start(
    count = 1,
    dnsServers: readonly string[] | null = null,
    partsOn: (database: TestDatabase, hashes: AddressHash) => Partial<ApiOptions> = () => ({}),
  ): Promise<GuardedServices> {
    const database = await testDatabase();
    const addressHash = await addressHashOn(database);
    const accessServices = Array.from({ length: count }, () => createAccess(database, addressHash, dnsServers));
    const parts = partsOn(database, addressHash);
    const services = await Promise.all(
      accessServices.map(({ accessControl, siteLimit, keyReport }) =>
        TestService.start({ clock: Date.now, ...parts, accessControl, siteLimit, keyReport }),
      ),
    );
    return new GuardedServices(database, services, accessServices);
  }

  static async during(test: TestContext, count = 1): Promise<GuardedServices> {
    const guarded = await GuardedServices.start(count);
    test.after(() => guarded.close());
    return guarded;
  }

  /** The limit of the site in one of the services. */
  siteLimit(service = 0): SiteLimit {
    return (this.#accessServices[service] as AccessService).siteLimit;
  }

  /** The first or only service. */
  get service(): TestService {
    return this.services[0] as TestService;
  }

  /** Creates a key and waits until every service knows it. */
  async key(wanted: Partial<NewKey> = {}): Promise<{ id: number; key: string }> {
    const made = await createKey(this.database, {
      plan: 'starter',
      quota: null,
      email: null,
      subscription: null,
      ...wanted,
    });
    await this.knows(made.key);
    return made;
  }

  /** Waits until every process knows the key. */
  async knows(key: string): Promise<void> {
    for (const service of this.services) await waitFor('the key is known', 5_000, () => knowsKey(service, key));
  }

  async close(): Promise<void> {
    await Promise.all(this.services.map(({ api }) => api.close()));
    await Promise.all(this.#accessServices.map((service) => service.close()));
    await this.database.drop();
  }
}

/** Asks an endpoint without limits: it sends the key's headers as soon as the service knows the key. */
async function knowsKey(service: TestService, key: string): Promise<boolean> {
  const { headers } = await service.ask('/api/v1/preturi/minime', { headers: { 'X-Api-Key': key } });
  return headers['x-ratelimit-limit'] !== undefined;
}

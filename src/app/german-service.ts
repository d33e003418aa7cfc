/** The German channel of a running service, created from the settings. */

import { createGermanSearchService, type GermanSearchService } from '../api/endpoints/german-search.ts';
import type { Caller } from '../api/request/caller.ts';
import type { Log } from '../api/response/log.ts';
import { createTankerkoenig, type GermanSource } from '../clients/tankerkoenig.ts';
import type { Config } from '../config/config.ts';
import { PUBLIC_TANKERKOENIG } from '../config/settings.ts';
import { clientNetwork } from '../domain/access/client-network.ts';
import { loadGermanPlaces } from '../geodata/load-german-places.ts';
import type { GermanPages } from '../site/frame/german-pages.ts';
import { connectionShare } from '../store/connection/connection-share.ts';
import type { DatabaseConnection } from '../store/connection/database-connection.ts';
import { GermanStore } from '../store/germany/german-store.ts';
import type { AddressHashing } from '../store/limits/address-hash.ts';
import { addressOf } from './access-service.ts';
import { userAgentOf } from './settings/derived-settings.ts';

type GermanDependencies = {
  readonly database: DatabaseConnection;
  /** Makes the keyed hashes under which clients and networks are stored. */
  readonly hashes: AddressHashing;
  readonly log: Log;
  /** Takes a request of the limit per minute, which the page and the API share. */
  readonly takeRequest: GermanPages['takeRequest'];
};

export type GermanService = {
  readonly channel: GermanSearchService;
  /** The same channel for the site's page; `null` = the operator has set no key. */
  readonly pages: GermanPages | null;
  close(): Promise<void>;
};

/** Every place that is searched for costs statements of its own: all together must leave connections to others. */
const MAX_CONNECTIONS = 3;

/** Creates the channel; without a key in the settings it answers every search with `not configured`. */
export function createGermanService(
  config: Config,
  { database, hashes, log, takeRequest }: GermanDependencies,
): GermanService {
  const source = sourceOf(config);
  const shared = connectionShare(database, MAX_CONNECTIONS);
  const store = new GermanStore(shared, config.TANKERKOENIG_PER_HOUR, hashes.for('german shares'));
  const identify = (caller: Caller) => {
    const { client } = addressOf(caller, config);
    return { client, network: clientNetwork(client) };
  };
  const channel = createGermanSearchService({ source, store, identify, log });
  const { find } = channel;
  return {
    channel,
    pages: source && { places: loadGermanPlaces(), takeRequest, find },
    async close() {
      await source?.close();
    },
  };
}

function sourceOf(config: Config): GermanSource | null {
  const { TANKERKOENIG_URL: url, TANKERKOENIG_API_KEY: apiKey } = config;
  if (apiKey === null) return null;
  // An address that the operator set may be private; the public one must not resolve to a private host.
  return createTankerkoenig({ url, apiKey, userAgent: userAgentOf(config), allowPrivate: url !== PUBLIC_TANKERKOENIG });
}

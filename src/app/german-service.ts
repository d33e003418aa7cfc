/** The German channel of a running service, put together from the settings. */
import { createGermanChannel, type GermanChannel } from '../api/endpoints/german-lookup.ts';
import type { Log } from '../api/response/log.ts';
import { createTankerkoenig, type GermanSource } from '../clients/tankerkoenig.ts';
import type { Config } from '../config/config.ts';
import { PUBLIC_TANKERKOENIG } from '../config/settings.ts';
import type { DatabaseConnection } from '../store/connection/database-connection.ts';
import { GermanStore } from '../store/germany/german-cache.ts';
import { userAgentOf } from './feeds.ts';

export type GermanService = {
  readonly channel: GermanChannel;
  close(): Promise<void>;
};

/** Makes the channel; without a key in the settings it only says so. */
export function createGermanService(config: Config, database: DatabaseConnection, log: Log): GermanService {
  const source = sourceOf(config);
  const store = new GermanStore(database, config.TANKERKOENIG_PER_HOUR);
  return {
    channel: createGermanChannel({ source, store, log }),
    async close() {
      await source?.close();
    },
  };
}

function sourceOf(config: Config): GermanSource | null {
  const { TANKERKOENIG_URL: url, TANKERKOENIG_API_KEY: apiKey } = config;
  if (apiKey === null) return null;
  // An address the operator set may be anywhere; the public one must not be led to a private host by its DNS.
  return createTankerkoenig({ url, apiKey, userAgent: userAgentOf(config), allowPrivate: url !== PUBLIC_TANKERKOENIG });
}

/** The German channel of a running service, put together from the settings; the database joins when it can be had. */
import { createGermanChannel, type GermanChannel } from '../api/endpoints/german-lookup.ts';
import type { Log } from '../api/response/log.ts';
import { createTankerkoenig, type GermanSource } from '../clients/tankerkoenig.ts';
import type { Config } from '../config/config.ts';
import { PUBLIC_TANKERKOENIG } from '../config/settings.ts';
import type { Database } from '../store/connection/database.ts';
import type { Schema } from '../store/connection/schema.ts';
import { GermanStore } from '../store/germany/german-cache.ts';
import { userAgentOf } from './feeds.ts';

export type GermanService = {
  readonly channel: GermanChannel;
  /** From now on answers and budget are shared with all other processes; before it there are none. */
  useDatabase(database: Database<Schema>): void;
  close(): Promise<void>;
};

/** Makes the channel; without a key in the settings it only says so. */
export function createGermanService(config: Config, log: Log): GermanService {
  const source = sourceOf(config);
  let store: GermanStore | null = null;
  return {
    channel: createGermanChannel({ source, store: () => store, log }),
    useDatabase({ pool }) {
      store = new GermanStore(pool, config.TANKERKOENIG_PER_HOUR);
    },
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

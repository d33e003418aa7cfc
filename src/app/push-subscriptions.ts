/** Push subscriptions of a running service, put together from the settings; the database joins when it can be had. */
import type { Push } from '../api/endpoints/push.ts';
import type { Config } from '../config/config.ts';
import { saveSubscription } from '../store/alerts/subscriptions.ts';
import type { Database } from '../store/connection/database.ts';
import type { Schema } from '../store/connection/schema.ts';
import { messageOf } from '../store/database-errors.ts';
import { addressOf } from './access-service.ts';

type PushSettings = Pick<Config, 'TRUSTED_PROXIES' | 'PUSH_HOSTS' | 'vapid'>;

export type PushService = {
  readonly push: Push;
  /** From now on subscriptions can be kept. */
  attach(database: Database<Schema>): void;
};

/**
 * Makes the service; until `attach` no subscription can be kept. `hash` gives the keyed hash under which a client is
 * kept; `null` = that cannot be told yet.
 */
export function createPushService(
  config: PushSettings,
  log: { warn(message: string): void },
  hash: (client: string) => Buffer | null,
): PushService {
  let database: Database<Schema> | undefined;
  let failing = false;
  return {
    push: {
      publicKey: config.vapid?.publicKey ?? null,
      hosts: config.PUSH_HOSTS,
      async save(subscription, caller) {
        const client = hash(addressOf(caller, config).client);
        if (database === undefined || client === null) return 'unavailable';
        try {
          await saveSubscription(database.pool, subscription, client);
          failing = false;
          return 'saved';
        } catch (error) {
          if (!failing) log.warn(`push subscriptions cannot be kept: ${messageOf(error)}`);
          failing = true;
          return 'unavailable';
        }
      },
    },
    attach(opened) {
      database = opened;
    },
  };
}

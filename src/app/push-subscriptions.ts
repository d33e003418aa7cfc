/** Push subscriptions of a running service, put together from the settings; the database joins when it can be had. */
import type { PushDependencies } from '../api/endpoints/push.ts';
import type { Config } from '../config/config.ts';
import { saveSubscription } from '../store/alerts/subscriptions.ts';
import type { Database } from '../store/connection/database.ts';
import type { Schema } from '../store/connection/schema.ts';
import { messageOf } from '../store/database-errors.ts';
import { addressOf } from './access-service.ts';

type PushSettings = Pick<Config, 'TRUSTED_PROXIES' | 'PUSH_HOSTS' | 'vapid'>;

export type PushSubscriptions = {
  readonly push: PushDependencies;
  /** From now on subscriptions can be kept. */
  useDatabase(database: Database<Schema>): void;
};

/**
 * Makes the service; until `attach` no subscription can be kept. `hash` gives the keyed hash under which a client is
 * kept; `null` = that cannot be told yet.
 */
export function createPushSubscriptions(
  config: PushSettings,
  log: { warn(message: string): void },
  hash: (client: string) => Buffer | null,
): PushSubscriptions {
  let database: Database<Schema> | undefined;
  let hasWarned = false;
  return {
    push: {
      publicKey: config.vapid?.publicKey ?? null,
      hosts: config.PUSH_HOSTS,
      async save(subscription, caller) {
        const client = hash(addressOf(caller, config).client);
        if (database === undefined || client === null) return 'unavailable';
        try {
          await saveSubscription(database.pool, subscription, client);
          hasWarned = false;
          return 'saved';
        } catch (error) {
          if (!hasWarned) log.warn(`push subscriptions cannot be kept: ${messageOf(error)}`);
          hasWarned = true;
          return 'unavailable';
        }
      },
    },
    useDatabase(opened) {
      database = opened;
    },
  };
}

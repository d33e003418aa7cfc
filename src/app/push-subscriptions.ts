/** Push subscriptions of a running service, put together from the settings. */
import type { PushDependencies } from '../api/endpoints/push.ts';
import { WarnOnce } from '../concurrency/warn-once.ts';
import type { Config } from '../config/config.ts';
import { saveSubscription } from '../store/alerts/subscriptions.ts';
import type { DatabaseConnection } from '../store/connection/database-connection.ts';
import { messageOf } from '../store/database-errors.ts';
import { addressOf } from './access-service.ts';

type PushSettings = Pick<Config, 'TRUSTED_PROXIES' | 'PUSH_HOSTS' | 'vapid'>;

type SubscriptionDependencies = {
  readonly database: DatabaseConnection;
  /** The keyed hash under which a client is kept; `null` = that cannot be told yet. */
  readonly hash: (client: string) => Buffer | null;
  readonly log: { warn(message: string): void };
};

/** Makes what the endpoints of push need; until the database is there no subscription can be kept. */
export function createPushSubscriptions(
  config: PushSettings,
  { database, hash, log }: SubscriptionDependencies,
): PushDependencies {
  const outage = new WarnOnce({ warn: (why) => log.warn(`push subscriptions cannot be kept: ${why}`) });
  return {
    publicKey: config.vapid?.publicKey ?? null,
    hosts: config.PUSH_HOSTS,
    async save(subscription, caller) {
      const client = hash(addressOf(caller, config).client);
      if (client === null) return 'unavailable';
      try {
        await saveSubscription(database, subscription, client);
        outage.succeeded();
        return 'saved';
      } catch (error) {
        outage.failed(messageOf(error));
        return 'unavailable';
      }
    },
  };
}

/** Push subscriptions of a running service, created from the settings. */
import type { PushDependencies } from '../api/endpoints/push.ts';
import { batched } from '../concurrency/batch.ts';
import { WarnOnce } from '../concurrency/warn-once.ts';
import type { Config } from '../config/config.ts';
import { clientNetwork } from '../domain/access/client-network.ts';
import { type NewSubscription, type SubmittedSubscription, saveSubscriptions } from '../store/alerts/subscriptions.ts';
import type { DatabaseConnection } from '../store/connection/database-connection.ts';
import { messageOf } from '../store/database-errors.ts';
import { type AddressHashing, type KeyedHasher, withCurrentKey } from '../store/limits/address-hash.ts';
import { addressOf } from './access-service.ts';

type PushSettings = Pick<Config, 'TRUSTED_PROXIES' | 'PUSH_HOSTS' | 'vapid'>;

type SubscriptionDependencies = {
  readonly database: DatabaseConnection;
  /** Makes the keyed hashes that identify clients. */
  readonly hashes: AddressHashing;
  readonly log: { warn(message: string): void };
};

/** After this time a subscription counts as not stored; its transaction ends a little earlier. */
const SUBSCRIBE_TIMEOUT_MS = 1_700;
/** Short, because a single subscriber should not wait for others to join the batch. */
const BATCH_WINDOW_MS = 2;

type Submitted = { readonly subscription: NewSubscription; readonly client: string };

/** Creates what the push endpoints need; until the database is open, no subscription can be stored. */
export function createPushSubscriptions(
  config: PushSettings,
  { database, hashes, log }: SubscriptionDependencies,
): PushDependencies {
  const hasher = hashes.for('push');
  const outage = new WarnOnce({ warn: (why) => log.warn(`push subscriptions cannot be stored: ${why}`) });
  const save = batched<Submitted, null>({
    runBatch: async (submitted) => {
      const hashed = () => submitted.map((each) => hashedSender(each, hasher));
      await withCurrentKey(hasher, async () => saveSubscriptions(database, hashed()));
      return submitted.map(() => null);
    },
    intervalMs: BATCH_WINDOW_MS,
    timeoutMs: SUBSCRIBE_TIMEOUT_MS,
  });
  return {
    publicKey: config.vapid?.publicKey ?? null,
    hosts: config.PUSH_HOSTS,
    async save(subscription, caller) {
      if (database.state !== 'ready') return 'unavailable';
      try {
        await save({ subscription, client: addressOf(caller, config).client });
        outage.succeeded();
        return 'saved';
      } catch (error) {
        outage.failed(messageOf(error));
        return 'unavailable';
      }
    },
  };
}

function hashedSender({ subscription, client }: Submitted, hasher: KeyedHasher): SubmittedSubscription {
  return { subscription, client: hasher.hash(client), network: hasher.hash(clientNetwork(client)) };
}

/** Push subscriptions of a running service, put together from the settings; the database joins when it can be had. */
import type { Push } from '../api/endpoints/push.ts';
import type { Config } from '../config.ts';
import { clientAddress } from '../domain/client-address.ts';
import { addressSecret, clientHash } from '../store/allowances/allowances.ts';
import type { Database } from '../store/database.ts';
import { messageOf } from '../store/database-errors.ts';
import { saveSubscription } from '../store/push/subscriptions.ts';
import type { Schema } from '../store/schema.ts';

type PushSettings = Pick<Config, 'TRUSTED_PROXIES' | 'PUSH_HOSTS' | 'vapid'>;

export type PushService = {
  readonly push: Push;
  /** From now on subscriptions can be kept. */
  attach(database: Database<Schema>): void;
};

/** A visitor is told within this time, whatever the database does. */
const PATIENCE_MS = 1_500;

/** Makes the service; until `attach` no subscription can be kept. */
export function createPushService(config: PushSettings, log: { warn(message: string): void }): PushService {
  let database: Database<Schema> | undefined;
  let failing = false;
  return {
    push: {
      publicKey: config.vapid?.publicKey ?? null,
      hosts: config.PUSH_HOSTS,
      async save(subscription, { headers, peer }) {
        if (database === undefined) return 'unavailable';
        const forwarded = headers['x-forwarded-for'] as string | undefined;
        const { client } = clientAddress(peer.remoteAddress, forwarded, config.TRUSTED_PROXIES);
        const { kysely, pool } = database;
        try {
          await within(PATIENCE_MS, async () => {
            await saveSubscription(kysely, subscription, clientHash(await addressSecret(pool), client));
          });
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

async function within<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${ms} ms`)), ms);
  try {
    return await Promise.race([work(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

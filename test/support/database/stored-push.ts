/** Subscriptions and alerts for tests of the outbox. */
import { type AlertDetails, addAlert, type NewAlert } from '../../../src/store/alerts/alerts.ts';
import { type NewSubscription, saveSubscriptions } from '../../../src/store/alerts/subscriptions.ts';
import type { KeyedHash } from '../../../src/store/limits/address-hash.ts';
import { subscriberHash } from './named-hashes.ts';
import type { TestDatabase } from './test-database.ts';

let subscriptionCount = 0;

/** Stores one subscription of a client, by default in a network of its own; resolves with its id. */
export async function saveSubscription(
  database: Pick<TestDatabase, 'transaction' | 'pool'>,
  subscription: NewSubscription,
  client: KeyedHash,
  network: KeyedHash = client,
): Promise<number> {
  await saveSubscriptions(database, [{ subscription, client, network }]);
  const stored = 'select id from push_subscriptions where endpoint = $1';
  const { rows } = await database.pool.query<{ id: number }>(stored, [subscription.endpoint]);
  return (rows[0] as { id: number }).id;
}

/** Subscribes a browser with its own address; by default to petrol and diesel in the whole country. */
export async function subscribe(database: TestDatabase, wanted: Partial<NewSubscription> = {}): Promise<number> {
  subscriptionCount += 1;
  const client = await subscriberHash(database, String(subscriptionCount));
  const defaults = {
    endpoint: `https://push.example.com/${subscriptionCount}`,
    p256dh: Buffer.alloc(65, 4),
    auth: Buffer.alloc(16),
  };
  return saveSubscription(database, { ...defaults, city: null, fuel: null, ...wanted }, client);
}

export const SOME_DETAILS: AlertDetails = {
  rule: 'day',
  change: 160,
  since: '2026-11-19',
  station: '0a1b2c3d4e5f',
  network: 'Petrom',
  address: 'Calea Turzii 178',
  stationCity: 'Cluj-Napoca',
  city: null,
  simulated: false,
};

/** Details of an alert that is sent at any hour, for tests on the real clock. */
export const AT_ANY_HOUR: AlertDetails = { ...SOME_DETAILS, simulated: true };

/** Puts an alert about petrol in the whole country into the outbox of all its subscribers. */
export function alertAll(
  { kysely }: Pick<TestDatabase, 'kysely'>,
  at: number,
  alert: Partial<NewAlert> = {},
): Promise<number> {
  return kysely
    .transaction()
    .execute((tx) =>
      addAlert(tx, { version: 1, at, city: null, fuel: 'petrol', price: 7_190, details: SOME_DETAILS, ...alert }),
    );
}

/** Empties the tables of push. */
export async function truncatePush({ pool }: TestDatabase): Promise<void> {
  await pool.query(
    'truncate push_subscriptions, alerts, alert_deliveries, alerts_waiting, leases restart identity cascade',
  );
  await pool.query('update alert_state set version = 0');
}

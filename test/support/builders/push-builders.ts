/** Subscriptions and alerts for tests of the outbox. */
import { createHash } from 'node:crypto';
import { type AlertDetails, addAlert, type NewAlert } from '../../../src/store/alerts/alerts.ts';
import { type NewSubscription, saveSubscription } from '../../../src/store/alerts/subscriptions.ts';
import type { TestDatabase } from '../database/test-database.ts';

let subscriptionCount = 0;

/** Subscribes a browser with its own address; by default to petrol and diesel in the whole country. */
export function subscribe(database: TestDatabase, wanted: Partial<NewSubscription> = {}): Promise<number> {
  subscriptionCount += 1;
  const client = createHash('md5').update(String(subscriptionCount)).digest();
  const defaults = {
    endpoint: `https://push.example.com/${subscriptionCount}`,
    p256dh: Buffer.alloc(65, 4),
    auth: Buffer.alloc(16),
  };
  return saveSubscription(database, { ...defaults, city: null, fuel: null, ...wanted }, client);
}

export const SOME_FACTS: AlertDetails = {
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
export const AT_ANY_HOUR: AlertDetails = { ...SOME_FACTS, simulated: true };

/** Puts an alert about petrol in the whole country into the outbox of all its subscribers. */
export function alertAll(
  { kysely }: Pick<TestDatabase, 'kysely'>,
  at: number,
  alert: Partial<NewAlert> = {},
): Promise<number> {
  return kysely
    .transaction()
    .execute((tx) =>
      addAlert(tx, { version: 1, at, city: null, fuel: 'petrol', price: 7_190, facts: SOME_FACTS, ...alert }),
    );
}

/** Empties the tables of push. */
export async function truncatePush({ pool }: TestDatabase): Promise<void> {
  await pool.query(
    'truncate push_subscriptions, alerts, alert_deliveries, alerts_waiting, leases restart identity cascade',
  );
  await pool.query('update alert_state set version = 0');
}

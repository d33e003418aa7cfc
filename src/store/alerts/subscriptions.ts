/** Push subscriptions: which browser gets alerts for which city and fuel. */
import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { FUELS, type RoadFuel } from '../../domain/fuel.ts';
import type { DatabaseConnection } from '../connection/database-connection.ts';
import { runRaw } from '../connection/raw-statement.ts';
import type { Schema } from '../connection/schema.ts';

type SubscriptionSubject = {
  /** Slug of a locality; `null` = the whole country. */
  readonly city: string | null;
  /** `null` = petrol and diesel standard. */
  readonly fuel: RoadFuel | null;
};

export type NewSubscription = SubscriptionSubject & {
  readonly endpoint: string;
  readonly p256dh: Buffer;
  readonly auth: Buffer;
};

export type SubscriptionRecord = SubscriptionSubject & {
  readonly id: number;
  /** Host and port: never the whole endpoint, which is a secret. */
  readonly host: string;
  /** Epoch ms. */
  readonly createdAt: number;
  readonly alertedAt: number | null;
};

/** Subscriptions kept per address; a new one replaces the oldest. Rule 41. */
const MOST_OF_A_CLIENT = 20;

/** Less than the two seconds that a subscriber waits for the answer. */
const DEADLINE_MS = 1_500;
/** Namespace of the advisory locks of clients within this database. */
const CLIENT_LOCK_CLASS = 0x70_75_73_68;

/**
 * Stores a subscription, replacing the one with the same endpoint, and keeps at most 20 per client. Removes its unsent
 * messages about another city or fuel. `client` = the keyed hash of an address. Rejects with `DatabaseUnavailable` if
 * that is not done in time, waiting for a connection included; nothing is stored then unless the commit was in
 * progress.
 */
export function saveSubscription(
  database: Pick<DatabaseConnection, 'transaction'>,
  { endpoint, p256dh, auth, city, fuel }: NewSubscription,
  client: Buffer,
  withinMs: number = DEADLINE_MS,
): Promise<number> {
  const fuelIndex = fuel === null ? null : FUELS.indexOf(fuel);
  const digest = createHash('sha256').update(endpoint).digest();
  const work = async (tx: Kysely<Schema>) => {
    await runRaw(tx, SET_STATEMENT_TIMEOUTS);
    await runRaw(tx, LOCK, [CLIENT_LOCK_CLASS, client.toString('hex')]);
    const row = [endpoint, digest, new URL(endpoint).origin, p256dh, auth, city, fuelIndex, client];
    const [saved] = await runRaw<{ id: number }>(tx, SAVE, row);
    const { id } = saved as { id: number };
    await runRaw(tx, DELETE_OTHER_DELIVERIES, [id, city, fuelIndex]);
    await runRaw(tx, DELETE_OLDEST, [client, MOST_OF_A_CLIENT]);
    return id;
  };
  return database.transaction(work, { withinMs });
}

/** The server, too, stops working for a subscriber that no longer waits. */
const SET_STATEMENT_TIMEOUTS = `set local statement_timeout = '2s'; set local lock_timeout = '2s'`;

/** Serialises subscriptions per address: two at once would both find room for one more. */
const LOCK = 'select pg_advisory_xact_lock($1, hashtext($2))';

const SAVE = `
  insert into push_subscriptions (endpoint, endpoint_sha256, origin, p256dh, auth, city, fuel, client, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, clock_timestamp())
  on conflict (endpoint_sha256) do update set p256dh = excluded.p256dh, auth = excluded.auth, city = excluded.city,
    fuel = excluded.fuel, client = excluded.client, created_at = excluded.created_at
  returning id`;

const DELETE_OTHER_DELIVERIES = `
  delete from alert_deliveries d using alerts a
  where d.subscription_id = $1 and d.done_at is null and a.id = d.alert_id
    and (a.city is distinct from $2 or ($3::int is not null and a.fuel <> $3))`;

const DELETE_OLDEST = `
  delete from push_subscriptions where id in (
    select id from push_subscriptions where client = $1 order by created_at desc, id desc offset $2)`;

/** All subscriptions, oldest first, a thousand at a time. */
export async function* listSubscriptions(db: Kysely<Schema>): AsyncGenerator<SubscriptionRecord> {
  for (let after = 0; ; ) {
    const rows = await db
      .selectFrom('push_subscriptions')
      .select(['id', 'origin', 'city', 'fuel', 'created_at', 'alerted_at'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE_ROWS)
      .execute();
    for (const { id, origin, city, fuel, created_at, alerted_at } of rows) {
      yield { id, host: new URL(origin).host, ...subjectOf(city, fuel), createdAt: created_at, alertedAt: alerted_at };
    }
    if (rows.length < PAGE_ROWS) return;
    after = rows.at(-1)?.id ?? after;
  }
}

export type NewSubscriber = SubscriptionSubject & { readonly id: number };

/** Subscriptions at one push service without an alert since they were created, or renewed. */
export async function newSubscribers(db: Kysely<Schema>, origin: string): Promise<NewSubscriber[]> {
  const rows = await db
    .selectFrom('push_subscriptions as s')
    .select(['s.id', 's.city', 's.fuel'])
    .where('s.origin', '=', origin)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('alert_deliveries as d')
            .innerJoin('alerts as a', 'a.id', 'd.alert_id')
            .select('d.alert_id')
            .whereRef('d.subscription_id', '=', 's.id')
            .whereRef('a.at', '>=', 's.created_at'),
        ),
      ),
    )
    .limit(PAGE_ROWS)
    .execute();
  return rows.map(({ id, city, fuel }) => ({ id, ...subjectOf(city, fuel) }));
}

const PAGE_ROWS = 1_000;

/** The alert subject of a row. */
function subjectOf(city: string | null, fuel: number | null): SubscriptionSubject {
  return { city, fuel: fuel === null ? null : (FUELS[fuel] as RoadFuel) };
}

/** Removes a subscription and the record of what was sent to it; false = there is none with that id. */
export async function deleteSubscription(db: Kysely<Schema>, id: number): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('push_subscriptions').where('id', '=', id).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Push subscriptions: which browser gets alerts for which city and fuel. */
import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { FUELS, type RoadFuel } from '../../domain/fuel.ts';
import type { DatabaseConnection } from '../connection/database-connection.ts';
import { runRaw } from '../connection/raw-statement.ts';
import type { Schema } from '../connection/schema.ts';
import type { KeyedHash } from '../limits/address-hash.ts';
import { AddressKeySuperseded, holdCurrentKey } from '../limits/address-keys.ts';

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

/** Subscriptions of the last 7 days kept per address; a new one replaces the oldest. Rule 41. */
const MAX_SUBSCRIPTIONS_PER_CLIENT = 20;
/** Likewise per network, whose holder may have 65,536 addresses at no cost. */
const MAX_SUBSCRIPTIONS_PER_NETWORK = 500;
/** Subscriptions kept that no message has reached: any client can make those up. A new one replaces the oldest. */
const MAX_UNREACHED_SUBSCRIPTIONS = 200_000;

/** Less than the two seconds within which a subscriber gets an answer. */
const SAVE_TIMEOUT_MS = 1_500;
/** Namespace of the advisory locks of clients within this database. */
const CLIENT_LOCK_CLASS = 0x70_75_73_68;

/** A subscription, and the keyed hashes of the address that it comes from and of its network. */
export type SubmittedSubscription = {
  readonly subscription: NewSubscription;
  readonly client: KeyedHash;
  readonly network: KeyedHash;
};

/**
 * Stores subscriptions in order, each replacing the one with the same endpoint, and keeps at most 20 per client and 500
 * per network. Removes their unsent messages about another city or fuel. Rejects with `DatabaseUnavailable` if this
 * takes too long, the wait for a connection included; then nothing is stored unless the commit was in progress. Rejects
 * with `AddressKeySuperseded`.
 */
export function saveSubscriptions(
  database: Pick<DatabaseConnection, 'transaction'>,
  submitted: readonly SubmittedSubscription[],
  withinMs: number = SAVE_TIMEOUT_MS,
  maxUnreached: number = MAX_UNREACHED_SUBSCRIPTIONS,
): Promise<void> {
  const rows = rowsToStore(submitted);
  const digests = rows.map(({ digest }) => digest);
  const clients = hashesOf(rows.map(({ client }) => client));
  const networks = hashesOf(rows.map(({ network }) => network));
  const subjects = [digests, rows.map(({ city }) => city), rows.map(({ fuel }) => fuel)];
  const work = async (tx: Kysely<Schema>) => {
    await runRaw(tx, SET_STATEMENT_TIMEOUTS);
    const lockNames = [...clients.current, ...networks.current].map((hash) => hash.toString('hex'));
    const locked = await runRaw(tx, LOCK, [CLIENT_LOCK_CLASS, lockNames, rows[0]?.client.key ?? null]);
    if (rows.length > 0 && locked.length === 0) throw new AddressKeySuperseded();
    await runRaw(tx, DELETE_OTHER_DELIVERIES, subjects);
    const columns = [...subjects, rows.map(({ endpoint }) => endpoint), rows.map(({ origin }) => origin)];
    const secrets = [rows.map(({ p256dh }) => p256dh), rows.map(({ auth }) => auth)];
    await runRaw(tx, SAVE, [...columns, ...secrets, clients.current, networks.current]);
    await runRaw(tx, DELETE_OLDEST, [clients.current, clients.earlier, MAX_SUBSCRIPTIONS_PER_CLIENT]);
    await runRaw(tx, DELETE_OF_NETWORKS, [networks.current, networks.earlier, MAX_SUBSCRIPTIONS_PER_NETWORK]);
    await runRaw(tx, DELETE_UNREACHED, [maxUnreached]);
  };
  return database.transaction(work, { withinMs });
}

const hashesOf = (some: readonly KeyedHash[]) => ({
  current: some.map(({ current }) => current),
  earlier: some.map(({ earlier }) => earlier),
});

/**
 * The last subscription of each endpoint, and of those the newest 20 of each client and 500 of each network: any other
 * subscription submitted at the same time would be replaced at once. So a client costs a batch 20 rows, and a network
 * 500, however many subscriptions they send.
 */
function rowsToStore(submitted: readonly SubmittedSubscription[]) {
  const byEndpoint = new Map(submitted.map((each) => [each.subscription.endpoint, each]));
  const newestFirst = submitted.filter((each) => byEndpoint.get(each.subscription.endpoint) === each).reverse();
  const ofClients = newestOfEach(newestFirst, ({ client }) => client, MAX_SUBSCRIPTIONS_PER_CLIENT);
  const kept = new Set(newestOfEach(ofClients, ({ network }) => network, MAX_SUBSCRIPTIONS_PER_NETWORK));
  return submitted
    .filter((each) => kept.has(each))
    .map(({ subscription, client, network }) => ({
      ...subscription,
      client,
      network,
      fuel: subscription.fuel === null ? null : FUELS.indexOf(subscription.fuel),
      origin: new URL(subscription.endpoint).origin,
      digest: createHash('sha256').update(subscription.endpoint).digest(),
    }));
}

/** The first of each sender, up to a number. */
function newestOfEach(
  newestFirst: readonly SubmittedSubscription[],
  senderOf: (each: SubmittedSubscription) => KeyedHash,
  max: number,
): SubmittedSubscription[] {
  const bySender = Map.groupBy(newestFirst, (each) => senderOf(each).current.toString('hex'));
  return [...bySender.values()].flatMap((own) => own.slice(0, max));
}

/** Makes the server, too, stop work for subscribers that no longer wait, and drop the locks of a process that hangs. */
const SET_STATEMENT_TIMEOUTS = `set local statement_timeout = '2s'; set local lock_timeout = '2s';
  set local idle_in_transaction_session_timeout = '2s'`;

/**
 * Serialises subscriptions per client and per network: two at once would both find room for one more. Locks in a fixed
 * order, as the rows below: two processes never deadlock. No row = the key of the hashes is superseded.
 */
const LOCK = `
  with held as materialized (${holdCurrentKey('$3')})
  select pg_advisory_xact_lock($1, key)
  from (select distinct hashtext(client) as key from held, unnest($2::text[]) as client order by key) as keys`;

/** Skips a message whose outcome is being recorded. */
const DELETE_OTHER_DELIVERIES = `
  delete from alert_deliveries where ctid = any (array(
    select d.ctid
    from unnest($1::bytea[], $2::text[], $3::int[]) as wanted (digest, city, fuel)
    join push_subscriptions s on s.endpoint_sha256 = wanted.digest
    join alert_deliveries d on d.subscription_id = s.id and d.done_at is null
    join alerts a on a.id = d.alert_id
    where a.city is distinct from wanted.city or (wanted.fuel is not null and a.fuel <> wanted.fuel)
    for update of d skip locked))`;

/** Those submitted together get different times, in their order. */
const SAVE = `
  with moment as materialized (select clock_timestamp() as now)
  insert into push_subscriptions (endpoint, endpoint_sha256, origin, p256dh, auth, city, fuel, client, network, created_at)
  select endpoint, digest, origin, p256dh, auth, city, fuel, client, network, moment.now + place * interval '1 microsecond'
  from moment,
    unnest($1::bytea[], $2::text[], $3::int[], $4::text[], $5::text[], $6::bytea[], $7::bytea[], $8::bytea[], $9::bytea[])
      with ordinality as submitted (digest, city, fuel, endpoint, origin, p256dh, auth, client, network, place)
  order by digest
  on conflict (endpoint_sha256) do update set p256dh = excluded.p256dh, auth = excluded.auth, city = excluded.city,
    fuel = excluded.fuel, client = excluded.client, network = excluded.network, created_at = excluded.created_at`;

/** A subscription that an alert is being written for is left until the client subscribes again. */
const DELETE_OLDEST = `
  delete from push_subscriptions where id = any (array(
    select id from push_subscriptions where id in (
      select id from (
        select s.id, row_number() over (partition by c.current order by s.created_at desc, s.id desc) as place
        from (select distinct * from unnest($1::bytea[], $2::bytea[]) as each (current, earlier)) as c
        join push_subscriptions s on s.client in (c.current, c.earlier)) as numbered
      where place > $3)
    for update skip locked))`;

/** Of a full network, the clients with the most subscriptions make room first, and then the oldest subscription. */
const DELETE_OF_NETWORKS = `
  delete from push_subscriptions where id = any (array(
    select id from push_subscriptions where id in (
      select id from (
        select id, row_number() over (partition by current order by place_of_client, created_at desc, id desc) as place
        from (
          select s.id, n.current, s.created_at,
            row_number() over (partition by s.client order by s.created_at desc, s.id desc) as place_of_client
          from (select distinct * from unnest($1::bytea[], $2::bytea[]) as each (current, earlier)) as n
          join push_subscriptions s on s.network in (n.current, n.earlier)) as of_networks) as numbered
      where place > $3)
    for update skip locked))`;

const DELETE_UNREACHED = `
  delete from push_subscriptions where id = any (array(
    select id from push_subscriptions where id in (
      select id from push_subscriptions where alerted_at is null order by created_at desc, id desc offset $1)
    for update skip locked))`;

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

/** Deletes a subscription and the record of what was sent to it; false = there is none with that id. */
export async function deleteSubscription(db: Kysely<Schema>, id: number): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('push_subscriptions').where('id', '=', id).executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * The queries that load every live key into memory. Each has a deadline: a database that does not answer in time counts
 * as unavailable.
 */

import { hashApiKey } from '../../domain/access/api-key.ts';
import { cappedQuota, type SubscriptionPlan } from '../../domain/access/plans.ts';
import { type ClosedReason, standing } from '../../domain/billing/standing.ts';
import type { SubscriptionStatus } from '../../domain/billing/subscription.ts';
import type { Queryable } from '../connection/database-connection.ts';
import { type DecidingColumns, decidingFactsOf } from './subscription-facts.ts';

/** A process that is further behind than this many versions reads all keys again. */
export const MAX_VERSIONS_BEHIND = 10_000;

/** What a request needs to know about its key. `quota` is requests a month: the key's own, else the plan's. */
export type KnownKey = {
  readonly id: number;
  readonly plan: SubscriptionPlan['code'];
  readonly quota: number;
  /** Whether the quota is a limit that the holder has set, below what the plan allows. */
  readonly hasOwnCap: boolean;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Whether the key belongs to a subscription, at Stripe or as an operator named it. */
  readonly subscribed: boolean;
};

/** A live secret of a key: its hash in hexadecimal, and how long it remains valid. */
export type LiveSecret = {
  readonly key: KnownKey;
  readonly hash: string;
  readonly msLeft: number;
  /** When and why the key's subscription does not serve it; `null` = it has none, or none that ends. */
  readonly closing: KeyClosing | null;
};

/** `msLeft` is 0 if the key is closed now, and else the time until that moment, unless Stripe says something newer. */
type KeyClosing = { readonly msLeft: number; readonly reason: ClosedReason };

/** The version of the latest change of keys. Rejects after `withinMs`. */
export async function readKeyVersion(database: Queryable, withinMs: number): Promise<number> {
  const text = 'select coalesce(max(version), 0) as version from key_changes';
  const [row] = await database.query<{ version: number }>({ text }, { withinMs });
  return (row as { version: number }).version;
}

/** The secrets of all live keys, some thousand keys at a time, so that other work can run in between. */
export async function* readLiveKeys(database: Queryable): AsyncGenerator<LiveSecret[]> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const rows: KeySecretRow[] = await database.query({ text: LIVE_PAGE, values: [after, PAGE_KEYS] }, READ_TIMEOUT);
    yield asSecrets(rows);
    after = rows.at(-1)?.id;
  }
}

/** The keys changed after a version, and the current secrets of those that are live. */
export async function readChangedKeys(
  database: Queryable,
  afterVersion: number,
): Promise<{ ids: number[]; secrets: LiveSecret[] }> {
  const rows = await database.query<KeySecretRow>({ text: CHANGED, values: [afterVersion] }, READ_TIMEOUT);
  return { ids: rows.map(({ id }) => id), secrets: asSecrets(rows) };
}

/** The live ones among the secrets with these hashes. */
export async function readSecrets(
  database: Queryable,
  hashes: readonly string[],
  withinMs = READ_TIMEOUT.withinMs,
): Promise<LiveSecret[]> {
  const asked = new Set(hashes);
  const values = [[...asked].map((hash) => Buffer.from(hash, 'hex'))];
  const rows = await database.query<KeySecretRow>({ text: BY_HASH, values }, { withinMs });
  return asSecrets(rows).filter(({ hash }) => asked.has(hash));
}

/** Asks the database whether a text is a live key. */
export async function isLiveKey(database: Queryable, key: string): Promise<boolean> {
  return (await readSecrets(database, [hashApiKey(key)])).length > 0;
}

/** Keys per query. */
const PAGE_KEYS = 2_000;
/** Short enough that keys can be verified within 5 s of an outage's end, even if a query hung. */
const READ_TIMEOUT = { withinMs: 3_000 };

/** Computes the time left by the database's clock: this machine's may be wrong. */
const secretsOf = (keys: string) => `
  select key.id, key.plan, key.quota, key.cap, key.subscription is not null as subscribed,
    billed.status, billed.trial_end, billed.period_end, billed.cancel_at, billed.fetched_at, billed.past_due_since,
    billed.disputed_at, billed.withdrawn_at, floor(1000 * extract(epoch from clock_timestamp()))::float8 as now,
    floor(1000 * extract(epoch from key.created_at))::float8 as created_ms,
    encode(secret.sha256, 'hex') as hash,
    1000 * extract(epoch from secret.expires_at - clock_timestamp())::float8 as ms_left
  from (${keys}) as key
  left join billing_subscriptions as billed on billed.key_id = key.id
  left join key_secrets as secret
    on secret.key_id = key.id and key.plan is not null
      and (secret.expires_at is null or secret.expires_at > clock_timestamp())
  order by key.id`;

const LIVE_PAGE = secretsOf('select * from api_keys where id > $1 and revoked_at is null order by id limit $2');

/** Finds all secrets of a key, during an overlap two. */
const BY_HASH = secretsOf(`
  select * from api_keys
  where revoked_at is null and id in (select key_id from key_secrets where sha256 = any($1::bytea[]))`);

/** A revoked or deleted key has a row without a plan. */
const CHANGED = secretsOf(`
  select change.id, plan, quota, cap, subscription, created_at
  from (select distinct key_id as id from key_changes where version > $1) as change
  left join api_keys on api_keys.id = change.id and revoked_at is null`);

type KeySecretRow = Omit<DecidingColumns, 'status'> & {
  id: number;
  plan: SubscriptionPlan['code'];
  quota: number | null;
  cap: number | null;
  subscribed: boolean;
  /** Of the subscription at Stripe; without one it and all that decides are `null`. */
  status: SubscriptionStatus | null;
  now: number;
  created_ms: number;
  hash: string | null;
  ms_left: number | null;
};

function asSecrets(rows: readonly KeySecretRow[]): LiveSecret[] {
  const secrets: LiveSecret[] = [];
  let key: KnownKey | undefined;
  for (const row of rows) {
    if (row.hash === null) continue;
    if (key?.id !== row.id) key = asKey(row);
    secrets.push({ key, hash: row.hash, msLeft: row.ms_left ?? Number.POSITIVE_INFINITY, closing: closingOf(row) });
  }
  return secrets;
}

function asKey({ id, plan, quota, cap, created_ms, subscribed }: KeySecretRow): KnownKey {
  return { id, plan, ...cappedQuota(plan, quota, cap), createdAt: created_ms, subscribed };
}

/** The verdict on the subscription, as of the database's clock. */
function closingOf(row: KeySecretRow): KeyClosing | null {
  // A subscription that an operator named is not Stripe's.
  const { status } = row;
  if (status === null) return null;
  const facts = decidingFactsOf({ ...row, status });
  const verdict = standing(facts, row.now);
  if (!verdict.isOpen) return { msLeft: 0, reason: verdict.reason };
  const after = standing(facts, verdict.until);
  return after.isOpen ? null : { msLeft: verdict.until - row.now, reason: after.reason };
}

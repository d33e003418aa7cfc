/** What a process reads to hold every live key in memory. Each reading has a deadline: who hangs counts as away. */
import { hashApiKey } from '../../domain/access/api-key.ts';
import { effectiveQuota, type SubscriptionPlan } from '../../domain/access/plans.ts';
import type { Queryable } from '../connection/database-connection.ts';

/** Who is further behind than this many versions reads all keys anew. */
export const MAX_VERSIONS_BEHIND = 10_000;

/** What a request with a key needs to know of it. `quota` is requests a month: the key's own, else the plan's. */
export type KnownKey = {
  readonly id: number;
  readonly plan: SubscriptionPlan['code'];
  readonly quota: number;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Whether it is tied to a subscription. */
  readonly subscribed: boolean;
};

/** A live secret of a key: its hash in hexadecimal, and for how many milliseconds it is good from now on. */
export type LiveSecret = { readonly key: KnownKey; readonly hash: string; readonly msLeft: number };

/** The version of the latest change of keys. Rejects after `withinMs`. */
export async function readKeyVersion(database: Queryable, withinMs: number): Promise<number> {
  const text = 'select coalesce(max(version), 0) as version from key_changes';
  const [row] = await database.query<{ version: number }>({ text }, { withinMs });
  return (row as { version: number }).version;
}

/** The secrets of all live keys, some thousand keys at a time, so that others get their turn in between. */
export async function* readLiveKeys(database: Queryable): AsyncGenerator<LiveSecret[]> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const rows: KeySecretRow[] = await database.query({ text: LIVE_PAGE, values: [after, PAGE_KEYS] }, READ_LIMIT);
    yield asSecrets(rows);
    after = rows.at(-1)?.id;
  }
}

/** The keys changed after a version, and of those that are live the secrets as they are by now. */
export async function readChangedKeys(
  database: Queryable,
  since: number,
): Promise<{ ids: number[]; secrets: LiveSecret[] }> {
  const rows = await database.query<KeySecretRow>({ text: CHANGED, values: [since] }, READ_LIMIT);
  return { ids: rows.map(({ id }) => id), secrets: asSecrets(rows) };
}

/** Whether a text is a live key, asked of the database. */
export async function isLiveKey(database: Queryable, key: string): Promise<boolean> {
  const one = secretsOf(`
    select api_keys.* from api_keys join key_secrets on key_id = id and sha256 = decode($1, 'hex')
    where revoked_at is null`);
  const hash = hashApiKey(key);
  const rows = await database.query<KeySecretRow>({ text: one, values: [hash] }, READ_LIMIT);
  return rows.some((row) => row.hash === hash);
}

/** Keys read at a time. */
const PAGE_KEYS = 5_000;
/** A look that hung is over soon enough for keys to be verified within 5 s of an outage's end. */
const READ_LIMIT = { withinMs: 3_000 };

/** Time left is by the database's clock: that of this machine may be wrong. */
const secretsOf = (keys: string) => `
  select key.id, key.plan, key.quota, key.subscription is not null as subscribed,
    floor(1000 * extract(epoch from key.created_at))::float8 as created_ms,
    encode(secret.sha256, 'hex') as hash,
    1000 * extract(epoch from secret.expires_at - clock_timestamp())::float8 as ms_left
  from (${keys}) as key
  left join key_secrets as secret
    on secret.key_id = key.id and key.plan is not null
      and (secret.expires_at is null or secret.expires_at > clock_timestamp())
  order by key.id`;

const LIVE_PAGE = secretsOf('select * from api_keys where id > $1 and revoked_at is null order by id limit $2');

/** A key that is revoked or gone is there without a plan. */
const CHANGED = secretsOf(`
  select change.id, plan, quota, subscription, created_at
  from (select distinct key_id as id from key_changes where version > $1) as change
  left join api_keys on api_keys.id = change.id and revoked_at is null`);

type KeySecretRow = {
  id: number;
  plan: SubscriptionPlan['code'];
  quota: number | null;
  subscribed: boolean;
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
    secrets.push({ key, hash: row.hash, msLeft: row.ms_left ?? Number.POSITIVE_INFINITY });
  }
  return secrets;
}

function asKey({ id, plan, quota, created_ms, subscribed }: KeySecretRow): KnownKey {
  return { id, plan, quota: effectiveQuota(plan, quota), createdAt: created_ms, subscribed };
}

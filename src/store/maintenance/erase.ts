/** Deletes everything personal of one client, of one e-mail address, or of everybody. Rule 43. */
import { type Kysely, sql } from 'kysely';
import { type ErasedAccounts, eraseAccounts } from '../billing/erase-accounts.ts';
import type { Database } from '../connection/database.ts';
import { runRaw } from '../connection/raw-statement.ts';
import type { Schema } from '../connection/schema.ts';
import { ERASE_GERMAN_CALLER, ERASE_GERMAN_CALLERS } from '../germany/german-budget.ts';
import { deleteKey } from '../keys/keys.ts';
import type { AddressHashing, KeyedHash } from '../limits/address-hash.ts';

/** How many rows of each kind were deleted. */
export type Erased = ErasedAccounts & {
  readonly reviews: number;
  readonly driver_reports: number;
  readonly push_subscriptions: number;
  readonly weekly_caps: number;
  readonly minute_windows: number;
  /** Calls of the German source that a client caused. */
  readonly german_calls: number;
  readonly keys: number;
  readonly captcha_tokens: number;
};

const NOTHING: Erased = {
  accounts: 0,
  subscriptions: 0,
  orders: 0,
  mails: 0,
  logins: 0,
  reviews: 0,
  driver_reports: 0,
  push_subscriptions: 0,
  weekly_caps: 0,
  minute_windows: 0,
  german_calls: 0,
  keys: 0,
  captcha_tokens: 0,
};

/**
 * Deletes the rows that still have the hash of a client's address: `client` as limits count it. Older reviews,
 * reports and subscriptions have no hash, so their authors are unknown.
 */
export async function eraseClient(
  database: Pick<Database<Schema>, 'transaction'>,
  hashes: AddressHashing,
  client: string,
): Promise<Erased> {
  const found = (hash: KeyedHash) => [hash.current, hash.earlier];
  return database.transaction(async (tx) => ({
    ...NOTHING,
    reviews: await deleteByClient(tx, 'reviews', found(hashes.for('reviews').hash(client))),
    driver_reports: await deleteByClient(tx, 'driver_reports', found(hashes.for('driver reports').hash(client))),
    push_subscriptions: await deleteByClient(tx, 'push_subscriptions', found(hashes.for('push').hash(client))),
    weekly_caps: await deleteByClient(tx, 'weekly_caps', found(hashes.for('weekly caps').hash(client))),
    minute_windows: await deleteByClient(tx, 'minute_windows', found(hashes.for('minute windows').hash(client))),
    german_calls: await eraseCalls(tx, ERASE_GERMAN_CALLER, found(hashes.for('german shares').hash(client))),
  }));
}

type ClientTable = 'reviews' | 'driver_reports' | 'push_subscriptions' | 'weekly_caps' | 'minute_windows';

async function deleteByClient(tx: Kysely<Schema>, table: ClientTable, hashes: (Buffer | null)[]): Promise<number> {
  const rows = await runRaw(tx, `delete from ${table} where client in ($1, $2) returning 1`, hashes);
  return rows.length;
}

async function eraseCalls(tx: Kysely<Schema>, text: string, hashes: (Buffer | null)[] = []): Promise<number> {
  const [row] = await runRaw<{ erased: number }>(tx, text, hashes);
  return row?.erased ?? 0;
}

/**
 * Deletes the keys given out to an e-mail address, in upper or lower case, with their usage, and its account with all
 * of it; the keys stop working.
 */
export async function eraseEmail(database: Database<Schema>, email: string): Promise<Erased> {
  const { rows } = await sql<{ id: number }>`
    select id from api_keys where lower(email) = lower(${email}) order by id`.execute(database.kysely);
  let keys = 0;
  for (const { id } of rows) if (await deleteKey(database, id)) keys += 1;
  const { keys: ofAccounts, ...accounts } = await eraseAccounts(database, email);
  return { ...NOTHING, ...accounts, keys: keys + ofAccounts };
}

/**
 * Deletes everything personal: reviews, reports of drivers, subscriptions with what was sent to them, counters of
 * addresses, captcha tokens and keys. Prices and stations stay. It also deletes the keys of hashes, so that hashes in
 * copies of the database reveal nothing.
 */
export async function eraseEverybody(database: Database<Schema>): Promise<Erased> {
  const { rows } = await sql<{ id: number }>`select id from api_keys order by id`.execute(database.kysely);
  let keys = 0;
  for (const { id } of rows) if (await deleteKey(database, id)) keys += 1;
  const { keys: ofAccounts, ...accounts } = await eraseAccounts(database, null);
  return database.transaction(async (tx) => {
    const deleteAll = async (table: ClientTable | 'captcha_tokens' | 'address_keys') =>
      (await runRaw(tx, `delete from ${table} returning 1`)).length;
    const erased = {
      ...accounts,
      reviews: await deleteAll('reviews'),
      driver_reports: await deleteAll('driver_reports'),
      push_subscriptions: await deleteAll('push_subscriptions'),
      weekly_caps: await deleteAll('weekly_caps'),
      minute_windows: await deleteAll('minute_windows'),
      german_calls: await eraseCalls(tx, ERASE_GERMAN_CALLERS),
      keys: keys + ofAccounts,
      captcha_tokens: await deleteAll('captcha_tokens'),
    };
    await deleteAll('address_keys');
    return erased;
  });
}

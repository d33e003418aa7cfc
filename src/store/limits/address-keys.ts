/** The keys of the hashes of addresses: each purpose has its own, and replaces it periodically. Rule 43. */
import type { Kysely } from 'kysely';
import { ADDRESS_KEY_HOURS, type HashPurpose } from '../../domain/access/retention.ts';
import type { Queryable } from '../connection/database-connection.ts';
import { sharedTimeout } from '../connection/query-timeout.ts';
import { runRaw } from '../connection/raw-statement.ts';
import type { Schema } from '../connection/schema.ts';

/** The keys of one purpose. */
export type PurposeKeys = {
  readonly id: number;
  readonly current: Buffer;
  /** The key before it, under which rows still count; `null` = there is none any more. */
  readonly earlier: Buffer | null;
};

/** The key under which a statement wrote is not the current one any more; nothing was written. */
export class AddressKeySuperseded extends Error {
  override name = 'AddressKeySuperseded';
}

/**
 * Selects the current key by its id and keeps it from being superseded until the transaction ends; no row = it was
 * superseded. Every transaction that writes under a key selects it this way: all its rows are then committed before
 * another one writes under the next key, which finds them.
 */
export const holdCurrentKey = (id: string) =>
  `select id from address_keys where id = ${id} and superseded_at is null for share`;

/** Holds the current key by its id for a transaction that writes under it. Rejects with `AddressKeySuperseded`. */
export async function requireCurrentKey(tx: Kysely<Schema>, id: number): Promise<void> {
  if ((await runRaw(tx, holdCurrentKey('$1'), [id])).length === 0) throw new AddressKeySuperseded();
}

/** After a clock was set back, a time in the future would keep a key for too long. */
const RESET_FUTURE = `
  update address_keys set created_at = least(created_at, clock_timestamp()),
    superseded_at = case when superseded_at > clock_timestamp() then clock_timestamp() else superseded_at end
  where created_at > clock_timestamp() or superseded_at > clock_timestamp()`;

const PURPOSES = 'unnest($1::text[], $2::int[], $3::int[]) as p (purpose, current_hours, superseded_hours)';

const SUPERSEDE = `
  update address_keys k set superseded_at = clock_timestamp() from ${PURPOSES}
  where k.purpose = p.purpose and k.superseded_at is null
    and k.created_at <= clock_timestamp() - make_interval(hours => current_hours)`;

const DELETE_EXPIRED = `
  delete from address_keys k using ${PURPOSES}
  where k.purpose = p.purpose and k.superseded_at <= clock_timestamp() - make_interval(hours => superseded_hours)`;

/** The server makes the keys: as a value of a statement a key could get into its log. */
const CREATE = `
  insert into address_keys (purpose, key, created_at)
  select p.purpose, sha256((gen_random_uuid()::text || gen_random_uuid() || gen_random_uuid())::bytea), clock_timestamp()
  from ${PURPOSES}
  where not exists (select from address_keys k where k.purpose = p.purpose and k.superseded_at is null)
  on conflict do nothing`;

const READ = 'select id, purpose, key, superseded_at from address_keys order by superseded_at desc nulls first';

/** Replaces expired keys, deletes those that no row needs, and creates missing ones. */
export async function rotateAddressKeys(database: Queryable, withinMs: number): Promise<void> {
  const limit = sharedTimeout(withinMs);
  const hours = Object.entries(ADDRESS_KEY_HOURS);
  const values = [
    hours.map(([purpose]) => purpose),
    hours.map(([, { currentHours }]) => currentHours),
    hours.map(([, { supersededHours }]) => supersededHours),
  ];
  await database.query({ text: RESET_FUTURE }, limit);
  for (const text of [SUPERSEDE, DELETE_EXPIRED, CREATE]) await database.query({ text, values }, limit);
}

type KeyRow = { id: number; purpose: HashPurpose; key: Buffer; superseded_at: number | null };

/** The keys of every purpose that has a current one. */
export async function readAddressKeys(
  database: Queryable,
  withinMs: number,
): Promise<ReadonlyMap<HashPurpose, PurposeKeys>> {
  const rows = await database.query<KeyRow>({ text: READ }, { withinMs });
  const keys = new Map<HashPurpose, PurposeKeys>();
  for (const [purpose, [current, earlier]] of Map.groupBy(rows, (row) => row.purpose)) {
    if (current === undefined || current.superseded_at !== null) continue;
    keys.set(purpose, { id: current.id, current: current.key, earlier: earlier?.key ?? null });
  }
  return keys;
}

/** How processes tell each other how much of its month a key has used. */
import type { Queryable } from '../connection/database-connection.ts';

/** Channel of the news; the payload is read by `parseUsageNotification`. */
export const USAGE_CHANNEL = 'key_usage';

/** Requests that a key used in the last month it was used in: year × 12 + month (1 to 12), in UTC. */
export type MonthlyKeyUsage = { readonly id: number; readonly month: number; readonly used: number };

/**
 * Tells everybody what the database holds of these keys now. One after another and read in turn: of two messages the
 * later one is the newer one for each key, also when an allowance was given back.
 */
export async function notifyUsage(database: Queryable, ids: readonly number[]): Promise<void> {
  const listed = `'{${ids.map(Number).join()}}'::int[]`;
  // One text, so that it is one round trip; each statement in it sees what was committed when it begins.
  const text = `
     begin;
     select pg_advisory_xact_lock(${LOCK});
     select pg_notify('${USAGE_CHANNEL}', to_hex(month) || ' ' || string_agg(item, ' '))
     from (
       select month, item, sum(length(item) + 1) over (partition by month order by key_id) / ${MAX_PAYLOAD_BYTES} as part
       from (
         select month, key_id, to_hex(key_id) || ':' || to_hex(used) as item
         from key_usage where key_id = any(${listed})
       ) as items
     ) as parts
     group by month, part;
     commit`;
  await database.query({ text }, NOTIFY_LIMIT);
}

/** The news of a payload. */
export function parseUsageNotification(payload: string): MonthlyKeyUsage[] {
  const [month = '', ...items] = payload.split(' ');
  return items.map((item) => {
    const [id = '', used = ''] = item.split(':');
    return { id: Number.parseInt(id, 16), month: Number.parseInt(month, 16), used: Number.parseInt(used, 16) };
  });
}

/**
 * What all keys have used of the present month by the database's clock; also of a later one, which a clock that was set
 * back over the end of a month leaves behind.
 */
export function loadUsage(database: Queryable): Promise<MonthlyKeyUsage[]> {
  return database.query(
    { text: `select key_id as id, month, used from key_usage where month >= ${MONTH}` },
    LOAD_LIMIT,
  );
}

const MONTH = `extract(year from now() at time zone 'UTC')::int * 12 + extract(month from now() at time zone 'UTC')::int`;
/** PostgreSQL takes payloads below 8,000 bytes; a part is longer than this by one item at most. */
const MAX_PAYLOAD_BYTES = 7_900;
/** Any number that no other advisory lock has. */
const LOCK = 7_066_770_002;
const NOTIFY_LIMIT = { withinMs: 2_000 };
const LOAD_LIMIT = { withinMs: 4_000 };

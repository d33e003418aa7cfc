/** How processes notify each other of the monthly usage of keys. */
import type { Queryable } from '../connection/database-connection.ts';
import { MONTH } from './month.ts';

/** Channel of the notifications; `parseUsageNotification` parses the payload. */
export const USAGE_CHANNEL = 'key_usage';

/** Requests that a key used in the last month it was used in: year × 12 + month (1 to 12), in UTC. */
export type MonthlyKeyUsage = { readonly id: number; readonly month: number; readonly used: number };

/**
 * Notifies all processes of the present usage of these keys. A lock serialises reading and notifying, so that the later
 * of two notifications is always the newer one for each key, also after a refund.
 */
export async function notifyUsage(database: Queryable, ids: readonly number[]): Promise<void> {
  const listed = `'{${ids.map(Number).join()}}'::int[]`;
  // One text for a single round trip; each statement in it sees what was committed before it begins.
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
  await database.query({ text }, NOTIFY_TIMEOUT);
}

/** The usage in a payload. */
export function parseUsageNotification(payload: string): MonthlyKeyUsage[] {
  const [month = '', ...items] = payload.split(' ');
  return items.map((item) => {
    const [id = '', used = ''] = item.split(':');
    return { id: Number.parseInt(id, 16), month: Number.parseInt(month, 16), used: Number.parseInt(used, 16) };
  });
}

/**
 * What all keys have used in the current month by the database's clock, or in a later one if the clock was set back
 * over the end of a month.
 */
export function loadUsage(database: Queryable): Promise<MonthlyKeyUsage[]> {
  return database.query(
    { text: `select key_id as id, month, used from key_usage where month >= ${MONTH}` },
    LOAD_TIMEOUT,
  );
}

/** PostgreSQL accepts payloads below 8,000 bytes; a part exceeds this by one item at most. */
const MAX_PAYLOAD_BYTES = 7_900;
/** Any number that no other advisory lock has. */
const LOCK = 7_066_770_002;
const NOTIFY_TIMEOUT = { withinMs: 2_000 };
const LOAD_TIMEOUT = { withinMs: 4_000 };

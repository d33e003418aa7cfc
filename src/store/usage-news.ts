/** How processes tell each other how much of its month a key has used. */
import type { Pool } from 'pg';
import { queryWithin } from './bounded-query.ts';

/** Channel of the news; the payload is read by `readNews`. */
export const USAGE_CHANNEL = 'key_usage';

/** Requests used by keys in one month; a month is year × 12 + month (1 to 12), in UTC. */
export type UsageNews = { readonly month: number; readonly used: readonly (readonly [id: number, used: number])[] };

/**
 * Tells everybody what the database holds of these keys now. One after another and read in turn: of two messages the
 * later one is the newer one for each key, also when an allowance was given back.
 */
export async function tellUsage(pool: Pool, ids: readonly number[]): Promise<void> {
  const listed = `'{${ids.map(Number).join()}}'::int[]`;
  // One text, so that it is one round trip; each statement in it sees what was committed when it begins.
  await queryWithin(
    pool,
    DEADLINE_MS,
    `begin;
     select pg_advisory_xact_lock(${LOCK});
     select pg_notify('${USAGE_CHANNEL}', to_hex(month) || ' ' || string_agg(item, ' '))
     from (
       select month, item, sum(length(item) + 1) over (partition by month order by key_id) / ${PAYLOAD} as part
       from (
         select month, key_id, to_hex(key_id) || ':' || to_hex(used) as item
         from key_usage where key_id = any(${listed})
       ) as items
     ) as parts
     group by month, part;
     commit`,
  );
}

/** The news of a payload. */
export function readNews(payload: string): UsageNews {
  const [month = '', ...items] = payload.split(' ');
  const used = items.map((item) => {
    const [id = '', count = ''] = item.split(':');
    return [Number.parseInt(id, 16), Number.parseInt(count, 16)] as const;
  });
  return { month: Number.parseInt(month, 16), used };
}

/** What all keys have used of the present month by the database's clock. */
export async function loadUsage(pool: Pool): Promise<UsageNews> {
  const [now] = await queryWithin<{ month: number }>(pool, DEADLINE_MS, `select ${MONTH} as month`);
  const { month } = now as { month: number };
  const rows = await queryWithin<{ key_id: number; used: number }>(
    pool,
    LOADING_MS,
    'select key_id, used from key_usage where month = $1',
    [month],
  );
  return { month, used: rows.map((row) => [row.key_id, row.used]) };
}

const MONTH = `extract(year from now() at time zone 'UTC')::int * 12 + extract(month from now() at time zone 'UTC')::int`;
/** PostgreSQL takes payloads below 8,000 bytes; a part is longer than this by one item at most. */
const PAYLOAD = 7_900;
/** Any number that no other advisory lock has. */
const LOCK = 7_066_770_002;
const DEADLINE_MS = 2_000;
const LOADING_MS = 10_000;

/** Which deliveries are to be tried now. */
import { type Kysely, sql } from 'kysely';
import { instant, type Schema } from '../connection/schema.ts';
import { isSending } from './webhook-rows.ts';

/** A delivery that is due: what decides whether there is a place for it. */
export type DueDelivery = {
  readonly delivery: number;
  readonly key: number;
  /** Host and port of the address. */
  readonly host: string;
};

/** Slow are addresses that answered slowly, or failed, within the last hour. */
export type Lane = 'prompt' | 'slow';

export type DueOptions = {
  readonly now: number;
  readonly lane: Lane;
  /** Keys that nothing is sent for. */
  readonly closed: readonly number[];
  /** What has a place already: these deliveries, and whatever is of these keys or goes to these hosts. */
  readonly underWay: readonly number[];
  readonly keys: readonly number[];
  readonly hosts: readonly string[];
};

const SLOW_MS = 3_600_000;
/** The longest due of which it chooses. */
const CONSIDERED = 1_000;
const FOR_ONE_HOST = 32;
const LIMIT = 256;

/** Deliveries to try now, one of each key, by turns of the hosts, the longest due first. */
export async function dueDeliveries(
  db: Kysely<Schema>,
  { now, lane, closed, underWay, keys, hosts }: DueOptions,
): Promise<DueDelivery[]> {
  const { rows } = await sql<DueDelivery>`
    select delivery, key, host from (
      select *, row_number() over (partition by key order by due_at, delivery) as of_key,
        row_number() over (partition by host order by due_at, delivery) as of_host
      from (
        select d.id as delivery, d.due_at, w.key_id as key, ${HOST} as host
        from webhook_deliveries d join webhooks w on w.id = d.webhook_id
        where d.state = 'waiting' and d.due_at <= ${instant(now)} and ${isSending(closed)}
          and coalesce(w.slow_at > ${instant(now - SLOW_MS)}, false) = ${lane === 'slow'}
          and d.id <> all (${underWay}::bigint[]) and w.key_id <> all (${keys}::integer[])
          and ${HOST} <> all (${hosts}::text[])
        order by d.due_at, d.id limit ${CONSIDERED}) due) ranked
    where of_key = 1 and of_host <= ${FOR_ONE_HOST}
    order by of_host, due_at, delivery limit ${LIMIT}`.execute(db);
  return rows;
}

/** Addresses are stored in their normal form. */
const HOST = sql<string>`split_part(split_part(w.url, '://', 2), '/', 1)`;

/** Limits per client and minute, as sliding windows over all processes: crawlers, the German channel. Rule 7. */
import type { Queryable } from '../connection/database-connection.ts';
import { sharedTimeout } from '../connection/query-timeout.ts';
import type { KeyedHasher } from './address-hash.ts';
import { holdCurrentKey } from './address-keys.ts';

/** What the requests of one client under one limit need together. */
export type MinuteDemand = {
  /** The client's canonical address or network. */
  readonly client: string;
  /** Which limit. */
  readonly name: string;
  /** Requests that the limit allows within any 60 seconds. */
  readonly maxRequests: number;
  /** Number of requests: each takes a slot in the window. */
  readonly slots: number;
};

/** How many slots were granted, and ms until the next one is free; 0 if all were granted. */
export type MinuteGrant = { readonly slots: number; readonly waitMs: number };

/** A window under a new key begins with the requests of the one under the key before it. */
const CREATE_WINDOWS = {
  name: 'pompa-minute-create-windows',
  text: `insert into minute_windows (client, name, recent)
    select w.client, w.name, coalesce(e.recent, '{}')
    from unnest($1::bytea[], $2::text[], $3::bytea[]) as w (client, name, earlier)
    left join minute_windows e on e.client = w.earlier and e.name = w.name
    order by w.client, w.name on conflict do nothing`,
};

/**
 * Reads the clock once the rows are locked; times in the future (the clock was set back) count as now. Grants nothing
 * once the key is superseded.
 */
const GRANT = {
  name: 'pompa-minute-grant',
  text: `with held as materialized (${holdCurrentKey('$5')}),
  demand as (
    select * from unnest($1::bytea[], $2::text[], $3::int[], $4::int[]) as d (client, name, max_requests, slots)),
  locked as materialized (
    select u.*, max_requests, slots from minute_windows u join demand using (client, name) cross join held
    order by client, name
    for no key update of u),
  moment as materialized (
    select (extract(epoch from clock_timestamp()) * 1000)::bigint as now from (select count(*) from locked) as waited),
  pruned as (
    select l.client, l.name, l.max_requests, l.slots, array(
      select least(each, moment.now) from unnest(l.recent) as each
      where each >= moment.now - 60000 order by each) as recent
    from locked l, moment),
  decided as (select p.*, greatest(0, least(slots, max_requests - cardinality(recent))) as granted from pruned p)
  update minute_windows u set recent = d.recent || array_fill(moment.now, array[d.granted])
  from decided d, moment where u.client = d.client and u.name = d.name
  returning u.client, u.name, d.granted,
    u.recent[cardinality(u.recent) - d.max_requests + 1] + 60001 - moment.now as wait`,
};

type MinuteWindowRow = { client: Buffer; name: string; granted: number; wait: number };

/** Grants slots to demands, each of another client or limit; the grants are committed when it resolves. */
export async function grantMinuteSlots(
  database: Queryable,
  demands: readonly MinuteDemand[],
  hasher: KeyedHasher,
  withinMs: number,
): Promise<MinuteGrant[]> {
  const limit = sharedTimeout(withinMs);
  const grants = new Map<MinuteDemand, MinuteGrant>();
  let left = demands;
  // The statements run once even without demands: that shows whether the database decides.
  for (;;) {
    const rows = left.map((demand) => ({ demand, hash: hasher.hash(demand.client) }));
    const demandOf = new Map(rows.map(({ demand, hash }) => [windowName(hash.current, demand.name), demand]));
    const windows = [rows.map(({ hash }) => hash.current), left.map(({ name }) => name)];
    const earlier = rows.map(({ hash }) => hash.earlier);
    await database.query({ ...CREATE_WINDOWS, values: [...windows, earlier] }, limit);
    const numbers = [left.map(({ maxRequests }) => maxRequests), left.map(({ slots }) => slots)];
    const values = [...windows, ...numbers, rows[0]?.hash.key ?? null];
    for (const { client, name, granted, wait } of await database.query<MinuteWindowRow>({ ...GRANT, values }, limit)) {
      const demand = demandOf.get(windowName(client, name)) as MinuteDemand;
      grants.set(demand, { slots: granted, waitMs: demand.slots === granted ? 0 : wait });
    }
    left = left.filter((demand) => !grants.has(demand));
    if (left.length === 0) break;
    // Maintenance may delete a window between the two statements, and the key may be superseded.
    await hasher.refresh();
  }
  return demands.map((demand) => grants.get(demand) as MinuteGrant);
}

const windowName = (client: Buffer, name: string) => `${client.toString('latin1')} ${name}`;

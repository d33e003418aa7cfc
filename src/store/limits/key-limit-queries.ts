/**
 * The usage of keys: the rate limit and the monthly quota, decided by the database and its clock. Each key has
 * one row; statements lock rows in the order of their keys, so that two processes never deadlock.
 */
import { KEY_RATE_LIMITS } from '../../domain/access/request-limits.ts';
import type { Queryable } from '../connection/database-connection.ts';
import { sharedTimeout } from '../connection/query-timeout.ts';

/** What the requests with one key need together. */
export type KeyDemand = {
  readonly key: number;
  /** Number of requests: each takes a slot of the rate limit. */
  readonly slots: number;
  /** How many of them count towards the monthly quota. */
  readonly counted: number;
  /** The key's current monthly quota. */
  readonly quota: number;
};

/** When requests were counted: the month as year × 12 + month, the day as days since 2000-01-01; in UTC. */
export type CountedPeriod = { readonly month: number; readonly day: number };

export type KeyGrant = {
  readonly key: number;
  /** The slots that were granted. */
  readonly slots: number;
  readonly counted: number;
  /** Requests counted this month, these included. */
  readonly used: number;
  /** ms until the next slot is free; 0 if all slots were granted. */
  readonly waitMs: number;
  readonly countedIn: CountedPeriod;
  /** The database's clock, epoch ms. */
  readonly now: number;
};

const SECOND = 1_000;
const MINUTE = 60_000;
/** How many request times the database stores for a key; no window needs older ones. */
const MAX_KEPT_TIMES = KEY_RATE_LIMITS.perMinute;

/**
 * A request of exactly 1,000 ms ago still takes its slot: the clock is read in whole ms, and two readings that differ
 * by 1,000 may be less than a second apart. `width_bucket` counts, by binary search, how many elements of a sorted list
 * are not above a value.
 */
const slotsTaken = (row: string, within: number) =>
  `cardinality(${row}.recent) - width_bucket(moment.now - ${within + 1}, ${row}.recent)`;
/**
 * A clock that is set back over the end of a month must not grant the quota twice: what was counted in the month ahead
 * stays counted. After a clock that was years ahead, the count moves to next month: no key stays blocked for years.
 */
const usedThisMonth = (row: string) => `case when ${row}.month >= moment.month then ${row}.used else 0 end`;

/** Reads the clock once the rows are locked: whatever other processes granted during the wait lies before it. */
const MOMENT_AFTER_LOCK = `
  moment as materialized (
    select (extract(epoch from t) * 1000)::bigint as now, t, (t at time zone 'UTC')::date as today,
      (extract(year from t at time zone 'UTC') * 12 + extract(month from t at time zone 'UTC'))::int as month
    from (select clock_timestamp() as t from (select count(*) from locked) as waited) as clock)`;

/** The counts after `counted` more requests; `row` holds the previous state. The clock may have been set back. */
const updatedCounts = (row: string, counted: string) => `
    month = greatest(moment.month, least(${row}.month, moment.month + 1)),
    used = ${usedThisMonth(row)} + ${counted},
    total = ${row}.total + ${counted},
    last_used = case when ${counted} > 0 then moment.t else ${row}.last_used end,
    day = greatest(moment.today, least(${row}.day, moment.today + 1)),
    days = case
      when moment.today <= ${row}.day then ${row}.days[1:29] || (${row}.days[30] + ${counted})
      when moment.today - ${row}.day < 30 then
        ${row}.days[1 + (moment.today - ${row}.day):30] || array_fill(0, array[moment.today - ${row}.day - 1]) || ${counted}
      else array_fill(0, array[29]) || ${counted} end`;

const DEMAND = 'unnest($1::int[], $2::int[], $3::int[], $4::int[]) as demand (key, slots, counted, quota)';

const COUNTED_COLUMNS = `u.used, u.month, u.day - '2000-01-01'::date as day, moment.now`;

/** Grants demands that the limits allow in full, unless the clock was set back; leaves all other keys unchanged. */
const GRANT_IN_FULL = {
  name: 'pompa-keys-grant-in-full',
  text: `with locked as materialized (
    select u.key_id from key_usage u join unnest($1::int[]) as demand (key) on demand.key = u.key_id
    order by u.key_id for no key update of u),
  ${MOMENT_AFTER_LOCK},
  granted as (update key_usage u set
    recent = u.recent[greatest(width_bucket(moment.now - ${MINUTE + 1}, u.recent), cardinality(u.recent) + demand.slots - ${MAX_KEPT_TIMES}) + 1:]
      || array_fill(moment.now, array[demand.slots]),${updatedCounts('u', 'demand.counted')}
  from moment, ${DEMAND}
  where u.key_id = demand.key
    and ${slotsTaken('u', SECOND)} + demand.slots <= ${KEY_RATE_LIMITS.perSecond}
    and ${slotsTaken('u', MINUTE)} + demand.slots <= ${KEY_RATE_LIMITS.perMinute}
    and ${usedThisMonth('u')} + demand.counted <= demand.quota
    and coalesce(u.recent[cardinality(u.recent)] <= moment.now, true)
    and u.month <= moment.month and u.day <= moment.today
  returning u.key_id, ${COUNTED_COLUMNS})
  select coalesce(string_agg(key_id || ' ' || used, ' '), '') as granted, max(now) as now, max(month) as month,
    max(day) as day from granted`,
};

/**
 * Grants what the limits allow. Times in the future (the clock was set back) count as now: no wait exceeds a window.
 */
const GRANT_IN_PART = {
  name: 'pompa-keys-grant-in-part',
  text: `with demand as (select * from ${DEMAND}),
  locked as materialized (
    select u.*, demand.slots, demand.counted, demand.quota from key_usage u join demand on demand.key = u.key_id
    order by u.key_id for no key update of u),
  ${MOMENT_AFTER_LOCK},
  pruned as materialized (
    select l.key_id, l.slots, l.counted, l.quota, l.month, l.used, l.total, l.last_used, l.day, l.days, array(
      select least(each, moment.now) from unnest(l.recent) as each
      where each >= moment.now - ${MINUTE} order by each) as recent
    from locked l, moment),
  with_slots as materialized (
    select p.*, greatest(0, least(p.slots, ${KEY_RATE_LIMITS.perSecond} - (${slotsTaken('p', SECOND)}),
      ${KEY_RATE_LIMITS.perMinute} - (${slotsTaken('p', MINUTE)})))::int as granted_slots
    from pruned p, moment),
  decided as materialized (
    select s.*, greatest(0, least(s.counted, s.granted_slots, s.quota - (${usedThisMonth('s')})))::int as granted_counted
    from with_slots s, moment)
  update key_usage u set recent = (d.recent || array_fill(moment.now, array[d.granted_slots]))[
      greatest(0, cardinality(d.recent) + d.granted_slots - ${MAX_KEPT_TIMES}) + 1:],${updatedCounts('d', 'd.granted_counted')}
  from moment, decided d where u.key_id = d.key_id
  returning u.key_id as key, d.granted_slots as slots, d.granted_counted as counted, ${COUNTED_COLUMNS},
    greatest(u.recent[cardinality(u.recent) - ${KEY_RATE_LIMITS.perSecond - 1}] + ${SECOND + 1},
      u.recent[cardinality(u.recent) - ${KEY_RATE_LIMITS.perMinute - 1}] + ${MINUTE + 1}) - moment.now as wait`,
};

/** All rows as one text, alternately key and count: hundreds of rows at once are expensive to decode one by one. */
type FullGrantRow = CountedPeriod & { granted: string; now: number };
type PartialGrantRow = CountedPeriod & {
  key: number;
  used: number;
  now: number;
  slots: number;
  counted: number;
  wait: number | null;
};

/**
 * Grants slots and quota to keys; the grants are committed when it resolves. When it rejects, it refunds what it knows
 * to have counted. `demands` has each key once; the result lacks keys that no longer exist.
 */
export async function grantToKeys(
  database: Queryable,
  demands: readonly KeyDemand[],
  withinMs: number,
): Promise<Map<number, KeyGrant>> {
  const limit = sharedTimeout(withinMs);
  const grants = new Map<number, KeyGrant>();
  const [fullGrants] = await database.query<FullGrantRow>({ ...GRANT_IN_FULL, values: columns(demands) }, limit);
  const { granted, now, month, day } = fullGrants as FullGrantRow;
  const usedByKey = parsePairs(granted);
  for (const { key, slots, counted } of demands) {
    const used = usedByKey.get(key);
    if (used !== undefined) grants.set(key, { key, slots, counted, used, waitMs: 0, countedIn: { month, day }, now });
  }
  const rest = demands.filter(({ key }) => !grants.has(key));
  if (rest.length === 0) return grants;
  const demandedSlots = new Map(rest.map(({ key, slots }) => [key, slots]));
  const inPart = database.query<PartialGrantRow>({ ...GRANT_IN_PART, values: columns(rest) }, limit);
  const partial = await inPart.catch((error) => {
    const counted = [...grants.values()].filter((grant) => grant.counted > 0);
    if (counted.length > 0) void refundToKeys(database, counted, withinMs).catch(() => undefined);
    throw error;
  });
  for (const { wait, month, day, ...row } of partial) {
    const hasAllSlots = demandedSlots.get(row.key) === row.slots;
    grants.set(row.key, { ...row, waitMs: hasAllSlots ? 0 : Math.max(1, wait ?? 1), countedIn: { month, day } });
  }
  return grants;
}

function parsePairs(text: string): Map<number, number> {
  const pairs = new Map<number, number>();
  const numbers = text.split(' ');
  for (let at = 1; at < numbers.length; at += 2) pairs.set(Number(numbers[at - 1]), Number(numbers[at]));
  return pairs;
}

/** Arrays as texts: the library would convert each number to a text and check it for escapes. */
const columns = (demands: readonly KeyDemand[]) => [
  `{${demands.map(({ key }) => key).join()}}`,
  `{${demands.map(({ slots }) => slots).join()}}`,
  `{${demands.map(({ counted }) => counted).join()}}`,
  `{${demands.map(({ quota }) => quota).join()}}`,
];

/** Counted requests of one key whose answers were not 200. */
export type KeyRefund = {
  readonly key: number;
  /** Number of requests. */
  readonly counted: number;
  readonly countedIn: CountedPeriod;
};

/** The present index, in the list of days, of the day in which the requests were counted. */
const COUNTED_DAY_INDEX = `30 - (u.day - '2000-01-01'::date - locked.day)`;
const REFUND = {
  name: 'pompa-keys-refund',
  text: `with locked as materialized (
    select refund.* from key_usage u
    join unnest($1::int[], $2::int[], $3::int[], $4::int[]) as refund (key, counted, month, day) on refund.key = u.key_id
    order by u.key_id for no key update of u),
  ${MOMENT_AFTER_LOCK}
  update key_usage u set total = u.total - locked.counted,
    used = case when u.month = locked.month then greatest(0, u.used - locked.counted) else u.used end,
    days = case when u.days[${COUNTED_DAY_INDEX}] > 0
      then u.days[1:${COUNTED_DAY_INDEX} - 1] || greatest(0, u.days[${COUNTED_DAY_INDEX}] - locked.counted)
        || u.days[${COUNTED_DAY_INDEX} + 1:30] else u.days end
  from moment, locked where u.key_id = locked.key
  returning u.key_id as key, ${usedThisMonth('u')} as used, moment.now`,
};

/**
 * Refunds counted requests, in the month and the day in which they were counted. `refunds` has each key once; the
 * result has what is then counted this month, and lacks keys that no longer exist.
 */
export async function refundToKeys(
  database: Queryable,
  refunds: readonly KeyRefund[],
  withinMs: number,
): Promise<Pick<KeyGrant, 'key' | 'used' | 'now'>[]> {
  const values = [
    refunds.map(({ key }) => key),
    refunds.map(({ counted }) => counted),
    refunds.map(({ countedIn }) => countedIn.month),
    refunds.map(({ countedIn }) => countedIn.day),
  ];
  return database.query({ ...REFUND, values }, { withinMs });
}

/**
 * What keys have used: the short-term windows and the monthly quota of each, decided by the database and its clock. One
 * row a key; rows are taken in the order of their keys, so that two processes never wait for each other in a circle.
 */
import { KEY_RATE_LIMITS } from '../../domain/access/plans.ts';
import type { Queryable } from '../connection/database-connection.ts';
import { sharedTimeLimit } from '../connection/time-limit.ts';

/** What requests with one key want together. */
export type KeyDemand = {
  readonly key: number;
  /** Requests: each takes a place in the short-term windows. */
  readonly places: number;
  /** Those of them that the monthly quota must allow. */
  readonly paid: number;
  /** The key's monthly quota at present. */
  readonly quota: number;
};

/** Where requests were counted: the month as year × 12 + month, the day as days since the first of 2000; in UTC. */
export type CountedPeriod = { readonly month: number; readonly day: number };

export type KeyGrant = {
  readonly key: number;
  readonly places: number;
  readonly paid: number;
  /** Of the quota this month, these included. */
  readonly used: number;
  /** Until a place is free again; 0 when all were given. */
  readonly waitMs: number;
  readonly counted: CountedPeriod;
  /** The moment by the database's clock, epoch ms. */
  readonly now: number;
};

const SECOND = 1_000;
const MINUTE = 60_000;
/** Requests a key is known to have made; no window needs older ones. */
const MAX_KEPT_TIMES = KEY_RATE_LIMITS.perMinute;

/**
 * A place of exactly 1,000 ms ago is still taken: the clock is read in whole ms, and two readings that differ by 1,000
 * may be less than a second apart. `width_bucket` counts, by halving, how many of a sorted list are not above a value.
 */
const placesTaken = (row: string, within: number) =>
  `cardinality(${row}.recent) - width_bucket(m.now - ${within + 1}, ${row}.recent)`;
/**
 * A clock that was set back over the end of a month must not give the quota a second time: what was used of the coming
 * month stays used. Of a clock that was years ahead nobody suffers for years: the count is one of the next month then.
 */
const usedThisMonth = (row: string) => `case when ${row}.month >= m.month then ${row}.used else 0 end`;

const momentOf = (clock: string) => `
  m as materialized (
    select (extract(epoch from t) * 1000)::bigint as now, t, (t at time zone 'UTC')::date as today,
      (extract(year from t at time zone 'UTC') * 12 + extract(month from t at time zone 'UTC'))::int as month
    from (${clock}) as clock)`;
/** Read when the rows are held: what another process gave while we waited for them lies before it. */
const MOMENT_AFTER = momentOf('select clock_timestamp() as t from (select count(*) from held) as waited');

/** The new counts when `paid` more are given; \`row\` is the state before. The clock may have been set back. */
const updatedCounts = (row: string, paid: string) => `
    month = greatest(m.month, least(${row}.month, m.month + 1)),
    used = ${usedThisMonth(row)} + ${paid},
    total = ${row}.total + ${paid},
    last_used = case when ${paid} > 0 then m.t else ${row}.last_used end,
    day = greatest(m.today, least(${row}.day, m.today + 1)),
    days = case
      when m.today <= ${row}.day then ${row}.days[1:29] || (${row}.days[30] + ${paid})
      when m.today - ${row}.day < 30 then
        ${row}.days[1 + (m.today - ${row}.day):30] || array_fill(0, array[m.today - ${row}.day - 1]) || ${paid}
      else array_fill(0, array[29]) || ${paid} end`;

const WANTED = 'unnest($1::int[], $2::int[], $3::int[], $4::int[]) as w (key, places, paid, quota)';

const AS_COUNTED = `u.used, u.month, u.day - '2000-01-01'::date as day, m.now`;

/** Gives all that is wanted where all of it may be given and the clock was not set back, and leaves the other keys alone. */
const GRANT_ALL = {
  name: 'pompa-give-whole',
  text: `with held as materialized (
    select u.key_id from key_usage u join unnest($1::int[]) as w (key) on w.key = u.key_id
    order by u.key_id for no key update of u),
  ${MOMENT_AFTER},
  given as (update key_usage u set
    recent = u.recent[greatest(width_bucket(m.now - ${MINUTE + 1}, u.recent), cardinality(u.recent) + w.places - ${MAX_KEPT_TIMES}) + 1:]
      || array_fill(m.now, array[w.places]),${updatedCounts('u', 'w.paid')}
  from m, ${WANTED}
  where u.key_id = w.key
    and ${placesTaken('u', SECOND)} + w.places <= ${KEY_RATE_LIMITS.perSecond}
    and ${placesTaken('u', MINUTE)} + w.places <= ${KEY_RATE_LIMITS.perMinute}
    and ${usedThisMonth('u')} + w.paid <= w.quota
    and coalesce(u.recent[cardinality(u.recent)] <= m.now, true) and u.month <= m.month and u.day <= m.today
  returning u.key_id, ${AS_COUNTED})
  select coalesce(string_agg(key_id || ' ' || used, ' '), '') as given, max(now) as now, max(month) as month,
    max(day) as day from given`,
};

/** Gives as much as there is. Where the clock was set back, times ahead of it count as now: nobody waits longer than a window. */
const GRANT_PARTIAL = {
  name: 'pompa-give-some',
  text: `with w as (select * from ${WANTED}),
  held as materialized (
    select u.*, w.places, w.paid, w.quota from key_usage u join w on w.key = u.key_id
    order by u.key_id for no key update of u),
  ${MOMENT_AFTER},
  known as materialized (
    select h.key_id, h.places, h.paid, h.quota, h.month, h.used, h.total, h.last_used, h.day, h.days, array(
      select least(each, m.now) from unnest(h.recent) as each
      where each >= m.now - ${MINUTE} order by each) as recent
    from held h, m),
  free as materialized (
    select k.*, greatest(0, least(k.places, ${KEY_RATE_LIMITS.perSecond} - (${placesTaken('k', SECOND)}),
      ${KEY_RATE_LIMITS.perMinute} - (${placesTaken('k', MINUTE)})))::int as some
    from known k, m),
  due as materialized (
    select f.*, greatest(0, least(f.paid, f.some, f.quota - (${usedThisMonth('f')})))::int as owed from free f, m)
  update key_usage u set recent = (d.recent || array_fill(m.now, array[d.some]))[
      greatest(0, cardinality(d.recent) + d.some - ${MAX_KEPT_TIMES}) + 1:],${updatedCounts('d', 'd.owed')}
  from m, due d where u.key_id = d.key_id
  returning u.key_id as key, d.some as places, d.owed as paid, ${AS_COUNTED},
    greatest(u.recent[cardinality(u.recent) - ${KEY_RATE_LIMITS.perSecond - 1}] + ${SECOND + 1},
      u.recent[cardinality(u.recent) - ${KEY_RATE_LIMITS.perMinute - 1}] + ${MINUTE + 1}) - m.now as wait`,
};

/** All rows as one text, key and count in turn: they come by the hundred, and are dear to read one by one. */
type FullGrantRow = CountedPeriod & { given: string; now: number };
type PartialGrantRow = CountedPeriod & {
  key: number;
  used: number;
  now: number;
  places: number;
  paid: number;
  wait: number | null;
};

/**
 * Gives places and quota to the keys, committed when it resolves. `wanted` has each key once; a key that is gone is
 * missing in the answer.
 */
export async function grantToKeys(
  database: Queryable,
  demands: readonly KeyDemand[],
  withinMs: number,
): Promise<Map<number, KeyGrant>> {
  const limit = sharedTimeLimit(withinMs);
  const given = new Map<number, KeyGrant>();
  const [fullGrants] = await database.query<FullGrantRow>({ ...GRANT_ALL, values: columns(demands) }, limit);
  const { given: pairs, now, month, day } = fullGrants as FullGrantRow;
  const used = parsePairs(pairs);
  for (const { key, places, paid } of demands) {
    const count = used.get(key);
    if (count !== undefined)
      given.set(key, { key, places, paid, used: count, waitMs: 0, counted: { month, day }, now });
  }
  const rest = demands.filter(({ key }) => !given.has(key));
  if (rest.length === 0) return given;
  const places = new Map(rest.map((each) => [each.key, each.places]));
  const partial = await database.query<PartialGrantRow>({ ...GRANT_PARTIAL, values: columns(rest) }, limit);
  for (const { wait, month, day, ...row } of partial) {
    const all = places.get(row.key) === row.places;
    given.set(row.key, { ...row, waitMs: all ? 0 : Math.max(1, wait ?? 1), counted: { month, day } });
  }
  return given;
}

function parsePairs(text: string): Map<number, number> {
  const pairs = new Map<number, number>();
  const words = text.split(' ');
  for (let at = 1; at < words.length; at += 2) pairs.set(Number(words[at - 1]), Number(words[at]));
  return pairs;
}

/** As texts of arrays: the library takes each number for a text that may need escapes. */
const columns = (wanted: readonly KeyDemand[]) => [
  `{${wanted.map(({ key }) => key).join()}}`,
  `{${wanted.map(({ places }) => places).join()}}`,
  `{${wanted.map(({ paid }) => paid).join()}}`,
  `{${wanted.map(({ quota }) => quota).join()}}`,
];

/** Where in the list of days the counted one stands by now. */
const COUNTED_DAY_INDEX = `30 - (u.day - '2000-01-01'::date - $3::int)`;
const REFUND = {
  name: 'pompa-give-back',
  text: `with ${momentOf('select clock_timestamp() as t')}
  update key_usage u set total = u.total - 1,
    used = case when u.month = $2 then greatest(0, u.used - 1) else u.used end,
    days = case when u.days[${COUNTED_DAY_INDEX}] > 0
      then u.days[1:${COUNTED_DAY_INDEX} - 1] || (u.days[${COUNTED_DAY_INDEX}] - 1) || u.days[${COUNTED_DAY_INDEX} + 1:30] else u.days end
  from m where u.key_id = $1
  returning ${usedThisMonth('u')} as used, m.now`,
};

/**
 * Takes back one request that was counted and had no answer of 200, from the month and the day it was counted in; gives
 * what is counted this month then, `null` when the key is gone.
 */
export async function refundToKey(
  database: Queryable,
  key: number,
  { month, day }: CountedPeriod,
  withinMs: number,
): Promise<{ used: number; now: number } | null> {
  const statement = { ...REFUND, values: [key, month, day] };
  const [row] = await database.query<{ used: number; now: number }>(statement, { withinMs });
  return row ?? null;
}

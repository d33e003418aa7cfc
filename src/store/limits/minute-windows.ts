/** So many requests a minute and client, sliding, over all processes: crawlers, the German channel. Rule 7. */
import type { Queryable } from '../connection/database-connection.ts';
import { sharedTimeLimit } from '../connection/time-limit.ts';

export type MinuteRequest = {
  /** Keyed hash of the client's address. */
  readonly client: Buffer;
  /** Which limit. */
  readonly name: string;
  /** Requests within any 60 seconds. */
  readonly most: number;
  readonly wanted: number;
};

/** How many of the wanted ones were given, and ms until the next place is free; 0 when all were given. */
export type MinuteVerdict = { readonly given: number; readonly waitMs: number };

const CREATE_WINDOWS = {
  name: 'pompa-minute-make',
  text: `insert into minute_windows (client, name, recent) select client, name, '{}'
    from unnest($1::bytea[], $2::text[]) as w (client, name) order by client, name on conflict do nothing`,
};

/** The clock is read when the rows are held; times ahead of it (a clock set back) count as now. */
const TAKE = {
  name: 'pompa-minute-take',
  text: `with asked as (select * from unnest($1::bytea[], $2::text[], $3::int[], $4::int[]) as w (client, name, most, wanted)),
  held as materialized (
    select u.*, most, wanted from minute_windows u join asked using (client, name) order by client, name
    for no key update of u),
  m as materialized (
    select (extract(epoch from clock_timestamp()) * 1000)::bigint as now from (select count(*) from held) as waited),
  known as (
    select h.client, h.name, h.most, h.wanted, array(
      select least(each, m.now) from unnest(h.recent) as each where each >= m.now - 60000 order by each) as recent
    from held h, m),
  due as (select k.*, greatest(0, least(wanted, most - cardinality(recent))) as given from known k)
  update minute_windows u set recent = d.recent || array_fill(m.now, array[d.given])
  from due d, m where u.client = d.client and u.name = d.name
  returning u.client, u.name, d.given, 
    u.recent[cardinality(u.recent) - d.most + 1] + 60001 - m.now as wait`,
};

type MinuteWindowRow = { client: Buffer; name: string; given: number; wait: number };

/** Decides over requests, each of another client or limit; committed when it resolves. */
export async function takeMinute(
  database: Queryable,
  requests: readonly MinuteRequest[],
  withinMs: number,
): Promise<MinuteVerdict[]> {
  const limit = sharedTimeLimit(withinMs);
  const verdicts = new Map<string, MinuteVerdict>();
  // What upkeep removes in between is made again.
  for (let left = requests; left.length > 0; left = left.filter((each) => !verdicts.has(minuteWindowKey(each)))) {
    const names = [left.map(({ client }) => client), left.map(({ name }) => name)];
    await database.query({ ...CREATE_WINDOWS, values: names }, limit);
    const wanted = new Map(left.map((each) => [minuteWindowKey(each), each.wanted]));
    const numbers = [left.map(({ most }) => most), left.map((each) => each.wanted)];
    const rows = await database.query<MinuteWindowRow>({ ...TAKE, values: [...names, ...numbers] }, limit);
    for (const row of rows) {
      const all = wanted.get(minuteWindowKey(row)) === row.given;
      verdicts.set(minuteWindowKey(row), { given: row.given, waitMs: all ? 0 : row.wait });
    }
  }
  return requests.map((request) => verdicts.get(minuteWindowKey(request)) as MinuteVerdict);
}

const minuteWindowKey = ({ client, name }: { client: Buffer; name: string }) => `${client.toString('latin1')} ${name}`;

/** The weekly cap of clients without a key: one answer in seven times 24 hours, client and endpoint. Rule 6. */
import type { Queryable } from '../connection/database-connection.ts';
import { type QueryStatement, sharedTimeLimit } from '../connection/time-limit.ts';

export type WeeklyCapKey = {
  /** Keyed hash of the client's address. */
  readonly client: Buffer;
  /** The endpoint's path template. */
  readonly endpoint: string;
};

/** `since` is when the answer was accepted that counts: this one, or the earlier one that refuses it. Epoch ms. */
export type CapVerdict = { readonly accepted: boolean; readonly since: number; readonly now: number };

const CAP = `interval '168 hours'`;
/** In whole ms, as everybody else counts: an acceptance is given back by its very moment. */
const NOW = `date_trunc('milliseconds', clock_timestamp())`;

const TAKE = {
  name: 'pompa-take-weekly',
  text: `with asked as (select * from unnest($1::bytea[], $2::text[]) as a (client, endpoint)),
  taken as (
    insert into weekly_caps as c (client, endpoint, accepted_at)
    select client, endpoint, ${NOW} from asked order by client, endpoint
    on conflict (client, endpoint) do update set accepted_at = excluded.accepted_at
      where c.accepted_at <= excluded.accepted_at - ${CAP}
    returning client, endpoint, accepted_at)
  select t.client, t.endpoint, t.accepted_at, true as accepted, ${NOW} as now from taken t`,
};
const READ_ACCEPTED = {
  name: 'pompa-weekly-since',
  text: `select c.client, c.endpoint, c.accepted_at, false as accepted, ${NOW} as now
  from weekly_caps c join unnest($1::bytea[], $2::text[]) as a (client, endpoint) using (client, endpoint)`,
};
/** What lies ahead of a clock that was set back counts from now: nobody waits longer than the cap. */
const RESET_FUTURE = {
  name: 'pompa-weekly-from-now',
  text: `update weekly_caps c set accepted_at = ${NOW}
  from unnest($1::bytea[], $2::text[]) as a (client, endpoint)
  where c.client = a.client and c.endpoint = a.endpoint and c.accepted_at > clock_timestamp()
  returning c.client, c.endpoint, c.accepted_at, false as accepted, c.accepted_at as now`,
};

type WeeklyCapRow = { client: Buffer; endpoint: string; accepted_at: number; accepted: boolean; now: number };

/** Decides over visits, each of another client or endpoint; committed when it resolves. */
export async function takeWeeklyCaps(
  database: Queryable,
  keys: readonly WeeklyCapKey[],
  withinMs: number,
): Promise<CapVerdict[]> {
  const limit = sharedTimeLimit(withinMs);
  const query = (statement: QueryStatement, visits: readonly WeeklyCapKey[]) =>
    database.query<WeeklyCapRow>({ ...statement, values: columns(visits) }, limit);
  const verdicts = new Map<string, CapVerdict>();
  const undecidedOf = (known: readonly WeeklyCapKey[]) =>
    known.filter((visit) => !verdicts.has(weeklyCapKeyText(visit)));
  const addVerdicts = (rows: readonly WeeklyCapRow[]) => {
    for (const row of rows)
      verdicts.set(weeklyCapKeyText(row), { accepted: row.accepted, since: row.accepted_at, now: row.now });
  };
  for (let left = keys; left.length > 0; left = undecidedOf(left)) {
    addVerdicts(await query(TAKE, left));
    const refused = undecidedOf(left);
    // What is given back in between is neither taken nor in the way: it is asked for again.
    if (refused.length > 0) addVerdicts(await query(READ_ACCEPTED, refused));
    const ahead = refused.filter((visit) => isInFuture(verdicts.get(weeklyCapKeyText(visit))));
    if (ahead.length > 0) addVerdicts(await query(RESET_FUTURE, ahead));
  }
  return keys.map((visit) => verdicts.get(weeklyCapKeyText(visit)) as CapVerdict);
}

const isInFuture = (verdict: CapVerdict | undefined) => verdict !== undefined && verdict.since > verdict.now;

/** Takes back an acceptance whose answer was not 200. */
export async function refundWeeklyCap(
  database: Queryable,
  { client, endpoint }: WeeklyCapKey,
  since: number,
  withinMs: number,
): Promise<void> {
  const text = 'delete from weekly_caps where client = $1 and endpoint = $2 and accepted_at = $3';
  const values = [client, endpoint, new Date(since)];
  await database.query({ name: 'pompa-weekly-back', text, values }, { withinMs });
}

/** Notes what was accepted while the database was away; a later acceptance that it knows stays. */
export async function recordWeeklyAcceptances(
  database: Queryable,
  accepted: readonly (WeeklyCapKey & { readonly since: number })[],
  withinMs: number,
): Promise<void> {
  const text = `insert into weekly_caps as c (client, endpoint, accepted_at)
    select * from unnest($1::bytea[], $2::text[], $3::timestamptz[]) as a (client, endpoint, accepted_at)
    order by client, endpoint
    on conflict (client, endpoint) do update set accepted_at = greatest(c.accepted_at, excluded.accepted_at)`;
  const values = [...columns(accepted), accepted.map(({ since }) => new Date(since))];
  await database.query({ text, values }, { withinMs });
}

/** One name for a client at an endpoint. */
export function weeklyCapKeyText({ client, endpoint }: WeeklyCapKey): string {
  return `${client.toString('latin1')} ${endpoint}`;
}

const columns = (visits: readonly WeeklyCapKey[]) => [
  visits.map(({ client }) => client),
  visits.map(({ endpoint }) => endpoint),
];

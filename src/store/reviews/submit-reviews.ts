/** Reviews as they are submitted: what limits them, and how they are stored. */
import type { Kysely } from 'kysely';
import { type EarlierReview, reviewWaitMs } from '../../domain/review.ts';
import { runRaw } from '../connection/raw-statement.ts';
import type { Schema } from '../connection/schema.ts';
import type { Submission, SubmissionKind } from '../submissions/submissions.ts';
import type { Ratings } from './reviews.ts';

export type NewReview = {
  readonly station: string;
  /** The current slug of the station's page. */
  readonly slug: string;
  /** 1 to 5. */
  readonly rating: number;
  /** Cleaned; `null` = none. A review with either of them waits for approval. */
  readonly nickname: string | null;
  readonly comment: string | null;
};

type EarlierReviewRow = EarlierReview & { readonly client: string | null; readonly network: string | null };

/**
 * Reads the clock once the locks are held: a client that waited is judged by the day at that time. The row without a
 * review belongs to nobody. No day in Bucharest is longer than 25 hours.
 */
const EARLIER = `
  select clock_timestamp() as now, encode(r.client, 'hex') as client, encode(r.network, 'hex') as network,
    r.station_id as station, r.created_at as at
  from (values (1)) as one left join reviews r
    on (r.client = any ($1::bytea[]) or r.network = any ($1::bytea[]))
    and r.created_at > clock_timestamp() - interval '25 hours'`;

/** The senders of a review are its client and its network; they are told the station's ratings with the new review. */
export const REVIEW_SUBMISSIONS: SubmissionKind<NewReview, EarlierReviewRow, Ratings> = {
  lockClass: 0x72_65_76,
  earlierSql: EARLIER,
  sendersOf: ({ client, network }) => [client, network],
  waitMs: ([ofClient = [], ofNetwork = []], { station }, now) => reviewWaitMs({ ofClient, ofNetwork }, station, now),
  asEarlier: ({ station }, now) => ({ client: null, network: null, station, at: now }),
  insert,
};

async function insert(
  tx: Kysely<Schema>,
  accepted: readonly Submission<NewReview>[],
  now: number,
): Promise<(review: NewReview) => Ratings> {
  const reviews = accepted.map(({ item }) => item);
  const stations = reviews.map(({ station }) => station);
  await runRaw(tx, ADD, [
    stations,
    reviews.map(({ slug }) => slug),
    reviews.map(({ rating }) => rating),
    reviews.map(({ nickname }) => nickname),
    reviews.map(({ comment }) => comment),
    accepted.map(({ senders: [client] }) => client?.current),
    accepted.map(({ senders: [, network] }) => network?.current),
    new Date(now),
  ]);
  const rows = await runRaw<Ratings & { station: string }>(tx, RATINGS, [stations]);
  const byStation = new Map(rows.map(({ station, count, stars }) => [station, { count, stars }]));
  return ({ station }) => byStation.get(station) ?? { count: 0, stars: 0 };
}

/** A review with stars only is approved at once. Rule 38. */
const ADD = `
  insert into reviews (station_id, slug, rating, nickname, comment, client, network, state, created_at)
  select station, slug, rating, nickname, comment, client, network,
    case when coalesce(nickname, comment) is null then 'approved' else 'pending' end, $8::timestamptz
  from unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::text[], $6::bytea[], $7::bytea[]) with ordinality
    as posted (station, slug, rating, nickname, comment, client, network, place)
  order by place`;

const RATINGS = `
  select station_id as station, count(*)::int as count, sum(rating)::int as stars
  from reviews where station_id = any ($1::text[]) and state = 'approved' group by station_id`;

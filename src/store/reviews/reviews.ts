/** The approved reviews of stations. */
import type { Queryable } from '../connection/database-connection.ts';

/** The approved reviews of a station: their number, and the sum of their stars. */
export type Ratings = { readonly count: number; readonly stars: number };

type ApprovedReview = {
  readonly id: number;
  readonly nickname: string | null;
  readonly rating: number;
  readonly comment: string | null;
  /** Epoch ms. */
  readonly createdAt: number;
};

export type StationReviews = Ratings & { readonly newest: readonly ApprovedReview[] };

/** At most this many reviews of a station are returned. Source: API contract, "Limits". */
const MAX_REVIEWS_SHOWN = 20;
/** How long the statement may take before the caller drops the connection. */
const READ_TIMEOUT = { withinMs: 1_500 };

/** The approved reviews of each station, newest first. Rejects if the database does not answer in time. */
export async function readReviews(database: Queryable, stations: readonly string[]): Promise<StationReviews[]> {
  const rows = await database.query<StationReviewRow>(
    { text: READ, values: [[...new Set(stations)], MAX_REVIEWS_SHOWN] },
    READ_TIMEOUT,
  );
  const byStation = Map.groupBy(rows, ({ station }) => station);
  return stations.map((station) => {
    const [first, ...rest] = byStation.get(station) as StationReviewRow[];
    const { count, stars } = first as StationReviewRow;
    return {
      count,
      stars,
      newest: [first as StationReviewRow, ...rest].flatMap(({ review }) => (review === null ? [] : [asReview(review)])),
    };
  });
}

type StationReviewRow = Ratings & { readonly station: string; readonly review: ReviewRow | null };
type ReviewRow = Omit<ApprovedReview, 'createdAt'> & { readonly created_at: string };

const asReview = ({ created_at, ...review }: ReviewRow): ApprovedReview => ({
  ...review,
  createdAt: Date.parse(created_at),
});

/** One row per returned review; one row also for a station without reviews. */
const READ = `
  select asked.station, counted.count, counted.stars, 
    case when newest.id is not null then to_json(newest) end as review
  from unnest($1::text[]) as asked (station)
  cross join lateral (select count(*)::int as count, coalesce(sum(rating), 0)::int as stars
    from reviews where station_id = asked.station and state = 'approved') as counted
  left join lateral (select id, nickname, rating, comment, created_at
    from reviews where station_id = asked.station and state = 'approved'
    order by created_at desc, id desc limit $2) as newest on true
  order by asked.station, newest.created_at desc, newest.id desc`;

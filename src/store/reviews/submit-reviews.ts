/**
 * Stores the reviews that visitors send: the statements, each for many reviews at once. Every function here rejects by
 * itself if the database does not answer.
 */
import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { type EarlierReview, reviewWaitMs } from '../../domain/review.ts';
import type { DatabaseConnection, Queryable } from '../connection/database-connection.ts';
import { runRaw } from '../connection/raw-statement.ts';
import type { Schema } from '../connection/schema.ts';
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

/** A review before it is stored; `client` = keyed hash of the address it comes from. */
export type ReviewAttempt = { readonly client: Buffer; readonly station: string };

/** `token` = the captcha token that the verifier accepted; `null` = the review has no text. */
export type SubmittedReview = { readonly client: Buffer; readonly review: NewReview; readonly token: string | null };

/** The station's ratings including the new one; `used` = the captcha token was used before; or how long to wait. */
export type SubmissionOutcome = Ratings | 'used' | { readonly waitMs: number };

/**
 * Time-out on the server for the check of the limits and for the transaction; the caller stops waiting a little later.
 */
const PRECHECK_LIMIT = { withinMs: 500 };
const DEADLINE_MS = 1_200;
/** Namespace of the advisory locks of clients within this database. */
const CLIENT_LOCK_CLASS = 0x72_65_76;

/** How long each client has to wait until it may review the station, ms; 0 = not at all. Consumes nothing. */
export async function readReviewWaits(database: Queryable, attempts: readonly ReviewAttempt[]): Promise<number[]> {
  const values = [attempts.map(({ client }) => client)];
  const [row] = await database.query<EarlierReviewsRow>({ text: READ_EARLIER_REVIEWS, values }, PRECHECK_LIMIT);
  const { now, of: reviewsOf } = groupEarlierReviews(row as EarlierReviewsRow);
  return attempts.map(({ client, station }) => reviewWaitMs(reviewsOf(client), station, now));
}

/**
 * Adds reviews in order if the limits of their clients have room, and marks their captcha tokens as used even if there
 * is none. Decides under locks of the clients, over all processes, by the database's clock.
 */
export function submitReviews(
  database: Pick<DatabaseConnection, 'transaction'>,
  submitted: readonly SubmittedReview[],
  withinMs: number = DEADLINE_MS,
): Promise<SubmissionOutcome[]> {
  const work = async (tx: Kysely<Schema>) => {
    const clients = submitted.map(({ client }) => client);
    await runRaw(tx, LOCK, [CLIENT_LOCK_CLASS, clients.map((client) => client.readInt32BE())]);
    const [row] = await runRaw<EarlierReviewsRow>(tx, READ_EARLIER_REVIEWS, [clients]);
    const { now, of } = groupEarlierReviews(row as EarlierReviewsRow);
    const unusedTokens = await markTokensUsed(tx, submitted);
    const accepted: SubmittedReview[] = [];
    const verdicts = submitted.map((each) => {
      const { client, review, token } = each;
      // Also for a review that is refused for another reason: a token is valid once.
      const isTokenValid = token === null || unusedTokens.delete(token);
      const waitMs = reviewWaitMs(of(client), review.station, now);
      if (waitMs > 0) return { waitMs };
      if (!isTokenValid) return 'used';
      of(client).push({ station: review.station, at: now });
      accepted.push(each);
      return null;
    });
    if (accepted.length === 0) return verdicts as SubmissionOutcome[];
    await insert(tx, accepted, now);
    const ratings = await ratingsOf(tx, accepted);
    return verdicts.map((verdict, at) => verdict ?? ratings((submitted[at] as SubmittedReview).review.station));
  };
  return database.transaction(work, { withinMs });
}

async function insert(tx: Kysely<Schema>, accepted: readonly SubmittedReview[], now: number): Promise<void> {
  const reviews = accepted.map(({ review }) => review);
  await runRaw(tx, ADD, [
    reviews.map(({ station }) => station),
    reviews.map(({ slug }) => slug),
    reviews.map(({ rating }) => rating),
    reviews.map(({ nickname }) => nickname),
    reviews.map(({ comment }) => comment),
    accepted.map(({ client }) => client),
    new Date(now),
  ]);
}

async function ratingsOf(
  tx: Kysely<Schema>,
  accepted: readonly SubmittedReview[],
): Promise<(station: string) => Ratings> {
  const rows = await runRaw<Ratings & { station: string }>(tx, RATINGS, [accepted.map(({ review }) => review.station)]);
  const byStation = new Map(rows.map(({ station, count, stars }) => [station, { count, stars }]));
  return (station) => byStation.get(station) ?? { count: 0, stars: 0 };
}

/** Marks tokens as used; returns those that no process has used before. */
async function markTokensUsed(tx: Kysely<Schema>, posted: readonly SubmittedReview[]): Promise<Set<string>> {
  const byHash = new Map(posted.flatMap(({ token }) => (token === null ? [] : [[hashOf(token), token]])));
  if (byHash.size === 0) return new Set();
  const rows = await runRaw<{ hash: string }>(tx, MARK, [[...byHash.keys()]]);
  return new Set(rows.map(({ hash }) => byHash.get(hash) as string));
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');

type EarlierReviewsRow = {
  readonly now: number;
  readonly clients: string[];
  readonly stations: string[];
  readonly times: number[];
};

function groupEarlierReviews({ now, clients, stations, times }: EarlierReviewsRow) {
  const byClient = new Map<string, EarlierReview[]>();
  const of = (name: string) => {
    const known = byClient.get(name) ?? [];
    byClient.set(name, known);
    return known;
  };
  for (const [at, name] of clients.entries())
    of(name).push({ station: stations[at] as string, at: times[at] as number });
  return { now, of: (client: Buffer) => of(client.toString('hex')) };
}

/** Locks clients in a fixed order, so that two processes never deadlock; the same holds for the tokens. */
const LOCK = `
  select pg_advisory_xact_lock($1, key) from (select distinct unnest($2::int[]) as key order by key) as keys`;

const MARK = `
  insert into captcha_tokens (sha256, used_at)
  select decode(hash, 'hex'), clock_timestamp() from unnest($1::text[]) as hash order by hash
  on conflict do nothing returning encode(sha256, 'hex') as hash`;

/** Reads the clock once the locks are held: a client that waited is judged by the day at that time. */
const READ_EARLIER_REVIEWS = `
  select clock_timestamp() as now, coalesce(array_agg(encode(client, 'hex')), '{}') as clients,
    coalesce(array_agg(station_id), '{}') as stations, coalesce(array_agg(created_at), '{}') as times
  from reviews where client = any ($1::bytea[])`;

/** A review with stars only is approved at once. Rule 38. */
const ADD = `
  insert into reviews (station_id, slug, rating, nickname, comment, client, state, created_at)
  select station, slug, rating, nickname, comment, client,
    case when coalesce(nickname, comment) is null then 'approved' else 'pending' end, $7::timestamptz
  from unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::text[], $6::bytea[]) with ordinality
    as posted (station, slug, rating, nickname, comment, client, place)
  order by place`;

const RATINGS = `
  select station_id as station, count(*)::int as count, sum(rating)::int as stars
  from reviews where station_id = any ($1::text[]) and state = 'approved' group by station_id`;

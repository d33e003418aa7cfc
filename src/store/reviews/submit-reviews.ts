/**
 * Stores submitted reviews, with statements for many reviews at once. Every function rejects if the database does not
 * answer in time.
 */
import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { type EarlierReview, reviewWaitMs } from '../../domain/review.ts';
import type { DatabaseConnection, Queryable } from '../connection/database-connection.ts';
import { runRaw } from '../connection/raw-statement.ts';
import type { Schema } from '../connection/schema.ts';
import type { KeyedHash } from '../limits/address-hash.ts';
import { AddressKeySuperseded, holdCurrentKey } from '../limits/address-keys.ts';
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

/** A review before it is stored; `client` = keyed hashes of the address it comes from. */
export type ReviewAttempt = { readonly client: KeyedHash; readonly station: string };

/** `token` = the captcha token that the verifier accepted; `null` = the review has no text. */
export type SubmittedReview = {
  readonly client: KeyedHash;
  readonly review: NewReview;
  readonly token: string | null;
};

/** The station's ratings with the new one; `used` = the captcha token was used before; or how long to wait. */
export type SubmissionOutcome = Ratings | 'used' | { readonly waitMs: number };

/** How long the check of the limits may take, and the transaction, before the caller drops the connection. */
const PRECHECK_TIMEOUT = { withinMs: 500 };
const SUBMISSION_TIMEOUT_MS = 1_200;
/** Namespace of the advisory locks of clients within this database. */
const CLIENT_LOCK_CLASS = 0x72_65_76;

/** How long each client has to wait until it may review the station, ms; 0 = not at all. Consumes nothing. */
export async function readRetryDelays(database: Queryable, attempts: readonly ReviewAttempt[]): Promise<number[]> {
  const values = [hashesOf(attempts)];
  const [row] = await database.query<EarlierReviewsRow>({ text: READ_EARLIER_REVIEWS, values }, PRECHECK_TIMEOUT);
  const { now, of: reviewsOf } = groupEarlierReviews(row as EarlierReviewsRow);
  return attempts.map(({ client, station }) => reviewWaitMs(reviewsOf(client), station, now));
}

/**
 * Adds reviews in order if the limits of their clients have room, and marks their captcha tokens as used even if there
 * is none. Decides under locks of the clients, over all processes, by the database's clock. Rejects with
 * `AddressKeySuperseded`.
 */
export function submitReviews(
  database: Pick<DatabaseConnection, 'transaction'>,
  submitted: readonly SubmittedReview[],
  withinMs: number = SUBMISSION_TIMEOUT_MS,
): Promise<SubmissionOutcome[]> {
  const work = async (tx: Kysely<Schema>) => {
    const lockKeys = submitted.map(({ client }) => client.current.readInt32BE());
    const locked = await runRaw(tx, LOCK, [CLIENT_LOCK_CLASS, lockKeys, submitted[0]?.client.key]);
    // The probe of an outage submits nothing.
    if (locked.length === 0 && submitted.length > 0) throw new AddressKeySuperseded();
    const [row] = await runRaw<EarlierReviewsRow>(tx, READ_EARLIER_REVIEWS, [hashesOf(submitted)]);
    const { now, of } = groupEarlierReviews(row as EarlierReviewsRow);
    const unusedTokens = await markTokensUsed(tx, submitted);
    const accepted: SubmittedReview[] = [];
    const refusals = submitted.map((each) => {
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
    if (accepted.length === 0) return refusals as SubmissionOutcome[];
    await insert(tx, accepted, now);
    const ratings = await ratingsOf(tx, accepted);
    return refusals.map((refusal, at) => refusal ?? ratings((submitted[at] as SubmittedReview).review.station));
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
    accepted.map(({ client }) => client.current),
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
async function markTokensUsed(tx: Kysely<Schema>, submitted: readonly SubmittedReview[]): Promise<Set<string>> {
  const byHash = new Map(submitted.flatMap(({ token }) => (token === null ? [] : [[hashOf(token), token]])));
  if (byHash.size === 0) return new Set();
  const rows = await runRaw<{ hash: string }>(tx, MARK, [[...byHash.keys()]]);
  return new Set(rows.map(({ hash }) => byHash.get(hash) as string));
}

/** The hashes under which earlier reviews of the clients may be stored. */
const hashesOf = (some: readonly { readonly client: KeyedHash }[]) =>
  some.flatMap(({ client: { current, earlier } }) => (earlier === null ? [current] : [current, earlier]));

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');

type EarlierReviewsRow = {
  readonly now: number;
  readonly clients: string[];
  readonly stations: string[];
  readonly times: number[];
};

function groupEarlierReviews({ now, clients, stations, times }: EarlierReviewsRow) {
  const byHash = Map.groupBy(clients.keys(), (at) => clients[at] as string);
  const byClient = new Map<string, EarlierReview[]>();
  const stored = (hash: string) =>
    (byHash.get(hash) ?? []).map((at) => ({ station: stations[at] as string, at: times[at] as number }));
  const of = ({ current, earlier }: KeyedHash) => {
    const name = current.toString('hex');
    const known = byClient.get(name) ?? [...stored(name), ...(earlier === null ? [] : stored(earlier.toString('hex')))];
    byClient.set(name, known);
    return known;
  };
  return { now, of };
}

/**
 * Locks clients in a fixed order, so that two processes never deadlock; the same holds for the tokens. No row = the key
 * of the hashes is superseded.
 */
const LOCK = `
  with held as materialized (${holdCurrentKey('$3')})
  select pg_advisory_xact_lock($1, key) from (select distinct unnest($2::int[]) as key from held order by key) as keys`;

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

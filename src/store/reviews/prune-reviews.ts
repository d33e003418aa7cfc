/** What of reviews is past its time. Approved reviews stay until they are deleted by hand. */
import type pg from 'pg';

/** Rule 43: two days at most. Upkeep comes by every hour, and the longest day in Bucharest has 25. */
const CLIENT_HOURS = 47;
const TOKEN_HOURS = 47;
const REJECTED_DAYS = 30;

const DELETE_EXPIRED = [
  `update reviews set client = null
    where client is not null and created_at < clock_timestamp() - interval '${CLIENT_HOURS} hours'`,
  `delete from captcha_tokens where used_at < clock_timestamp() - interval '${TOKEN_HOURS} hours'`,
  `delete from reviews
    where state = 'rejected' and decided_at < clock_timestamp() - interval '${REJECTED_DAYS} days'`,
];

/** Forgets where reviews came from, used tokens, and what was rejected long ago; returns how many rows were touched. */
export async function pruneReviews(database: Pick<pg.Pool, 'query'>): Promise<number> {
  let touched = 0;
  for (const text of DELETE_EXPIRED) touched += (await database.query(text)).rowCount ?? 0;
  return touched;
}

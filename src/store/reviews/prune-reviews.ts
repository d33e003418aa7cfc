/** Removes expired data of reviews. Approved reviews stay until an operator deletes them. */
import type pg from 'pg';

/** Rule 43: two days at most. Maintenance runs every hour, and the longest day in Bucharest has 25 hours. */
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

/** Removes old addresses, used tokens and old rejected reviews; returns how many rows it changed. */
export async function pruneReviews(database: Pick<pg.Pool, 'query'>): Promise<number> {
  let touched = 0;
  for (const text of DELETE_EXPIRED) touched += (await database.query(text)).rowCount ?? 0;
  return touched;
}

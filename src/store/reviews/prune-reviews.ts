/** Removes expired data of reviews. Approved reviews stay until an operator deletes them. */
import type pg from 'pg';
import { CAPTCHA_TOKEN_HOURS, REJECTED_REVIEW_DAYS, REVIEW_CLIENT_HOURS } from '../../domain/access/retention.ts';

const DELETE_EXPIRED = [
  `update reviews set client = null, network = null
    where (client is not null or network is not null) and created_at < clock_timestamp() - interval '${REVIEW_CLIENT_HOURS} hours'`,
  `delete from captcha_tokens where used_at < clock_timestamp() - interval '${CAPTCHA_TOKEN_HOURS} hours'`,
  `delete from reviews
    where state = 'rejected' and decided_at < clock_timestamp() - interval '${REJECTED_REVIEW_DAYS} days'`,
];

/** Removes old addresses, used tokens and old rejected reviews; returns how many rows it changed. */
export async function pruneReviews(database: Pick<pg.Pool, 'query'>): Promise<number> {
  let touched = 0;
  for (const text of DELETE_EXPIRED) touched += (await database.query(text)).rowCount ?? 0;
  return touched;
}

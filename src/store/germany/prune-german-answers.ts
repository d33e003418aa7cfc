/** Deletes expired answers of the German source, and who caused its calls. */
import type { Pool } from 'pg';
import { GERMAN_ANSWER_HOURS } from '../../domain/access/retention.ts';
import { FORGET_GERMAN_CALLERS } from './german-budget.ts';

/** Deletes answers that no longer matter, and forgets who caused the calls; returns how many answers it deleted. */
export async function pruneGermanAnswers(pool: Pick<Pool, 'query'>): Promise<number> {
  await pool.query(FORGET_GERMAN_CALLERS);
  return (await pool.query(PRUNE)).rowCount ?? 0;
}

const PRUNE = `delete from german_answers where asking_until < clock_timestamp() - interval '${GERMAN_ANSWER_HOURS} hours'`;

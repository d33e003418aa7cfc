/** Reviews for moderation: reads and changes them. */
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../connection/schema.ts';

/** A review that waits for approval; its texts are cleaned, `null` = none. */
export type PendingReview = {
  readonly id: number;
  readonly slug: string;
  readonly rating: number;
  readonly nickname: string | null;
  readonly comment: string | null;
  /** Epoch ms. */
  readonly createdAt: number;
};

/** The pending reviews, oldest first. */
export async function pendingReviews(db: Kysely<Schema>): Promise<PendingReview[]> {
  return db
    .selectFrom('reviews')
    .select(['id', 'slug', 'rating', 'nickname', 'comment', 'created_at as createdAt'])
    .where('state', '=', 'pending')
    .orderBy('id')
    .execute();
}

/** Approves or rejects a review, whatever was decided before; false if there is no such review. */
export async function decideReview(db: Kysely<Schema>, id: number, state: 'approved' | 'rejected'): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('reviews')
    .set({ state, decided_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Removes a review with all data of its author; false if there is no such review. */
export async function deleteReview(db: Kysely<Schema>, id: number): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('reviews').where('id', '=', id).executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Whether there is any review. */
export async function hasReviews(db: Kysely<Schema>): Promise<boolean> {
  return (await db.selectFrom('reviews').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** How far the feed of changes is, beside what is published. */
import type { ServedPublication } from '../../domain/changes/untold.ts';
import type { Queryable } from '../connection/database-connection.ts';
import { type FeedHead, readFeedHead } from './feed-head.ts';

export type FeedProgress = { readonly head: FeedHead | null; readonly published: ServedPublication };

const PUBLISHED = { text: 'select version, coalesce(published_at, to_timestamp(0)) as since from publication' };
const TIMEOUT = { withinMs: 2_000 };

/** Rejects with `DatabaseUnavailable` if the database does not answer soon. */
export async function readFeedProgress(database: Queryable): Promise<FeedProgress> {
  const [published] = await database.query<ServedPublication>(PUBLISHED, TIMEOUT);
  if (published === undefined) throw new Error('the row of the publication is missing');
  return { head: await readFeedHead(database), published };
}

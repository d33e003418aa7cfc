/** How far the changes are told: one row, which readers poll and whoever tells changes locks. */
import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { StateInterval } from '../../domain/changes/told-state.ts';
import type { Queryable } from '../connection/database-connection.ts';
import type { Schema } from '../connection/schema.ts';
import { inReadSnapshot } from '../prices/publication.ts';

/** Channel on which every told state is announced; the payload is its number. */
export const CHANGES_CHANNEL = 'pompa_changes';

/** Where the feed stands: the last change, and the last state with its number. */
export type FeedHead = StateInterval & { readonly epoch: string; readonly seq: number; readonly states: number };

type HeadRow = {
  epoch: string | null;
  seq: number;
  states: number;
  version: number;
  told_at: number | null;
  until: number | null;
};

const COLUMNS = 'epoch, seq, states, version, told_at, until';
const HEAD = { text: `select ${COLUMNS} from change_feed` };
const HEAD_TIMEOUT = { withinMs: 2_000 };

/** `null` = nothing was told yet, or not since a restore. Rejects with `DatabaseUnavailable`. */
export async function readFeedHead(database: Queryable): Promise<FeedHead | null> {
  const [row] = await database.query<HeadRow>(HEAD, HEAD_TIMEOUT);
  if (row === undefined) throw new Error('the row of the change feed is missing');
  return headOf(row);
}

/** The same within a transaction. */
export async function feedHeadIn(tx: Kysely<Schema>): Promise<FeedHead | null> {
  const { rows } = await sql<HeadRow>`select ${sql.raw(COLUMNS)} from change_feed`.execute(tx);
  return headOf(rows[0] as HeadRow);
}

/** What whoever tells changes starts from. */
export type LockedFeed = {
  /** `null` = the epoch is to be made, or renewed. */
  readonly head: FeedHead | null;
  /** Of the last change and state, of earlier epochs too. */
  readonly seq: number;
  readonly states: number;
  /** When the last state was told, epoch ms. */
  readonly toldAt: number;
};

/**
 * Runs `work` alone, with a transaction to write in and the state of one moment to read; `null` = another process is
 * telling changes.
 */
export function withFeedLock<T>(
  db: Kysely<Schema>,
  work: (tx: Kysely<Schema>, read: Kysely<Schema>, feed: LockedFeed) => Promise<T>,
): Promise<T | null> {
  return db
    .transaction()
    .setIsolationLevel('read committed')
    .execute(async (tx) => {
      const { rows } = await sql<HeadRow>`
        select ${sql.raw(COLUMNS)} from change_feed for update skip locked`.execute(tx);
      const [row] = rows;
      if (row === undefined) return null;
      const { seq, states } = row;
      const feed = { head: headOf(row), seq, states, toldAt: row.told_at ?? 0 };
      return inReadSnapshot(db, (read) => work(tx, read, feed));
    });
}

/** Makes every cursor given so far invalid: the past was rewritten, or the database restored. */
export async function renewEpoch(tx: Kysely<Schema>): Promise<void> {
  await sql`update change_feed set epoch = ${newEpoch()} where epoch is not null`.execute(tx);
}

/** Eight letters, digits, `-` or `_`. */
export function newEpoch(): string {
  return randomBytes(6).toString('base64url');
}

function headOf({ epoch, seq, states, version, told_at: from, until }: HeadRow): FeedHead | null {
  return epoch === null || from === null || until === null ? null : { epoch, seq, states, version, from, until };
}

/** The place in the feed of changes that a snapshot is at, for what is made from it outside a serving process. */
import type { Kysely } from 'kysely';
import { cursorOfSnapshot, type ShownSnapshot } from '../../domain/changes/cursor.ts';
import type { Schema } from '../connection/schema.ts';
import { feedHeadIn } from './feed-head.ts';
import { readStates } from './read-feed.ts';

/** A snapshot of this moment is at one of the last states. */
const STATES = 1_000;

/**
 * The cursor from which the feed leads on from a snapshot, as `Pompa-Cursor` would be; `null` = nothing was told. Call
 * it in the transaction that the facts were read in.
 */
export async function servedCursor(tx: Kysely<Schema>, snapshot: ShownSnapshot): Promise<string | null> {
  const head = await feedHeadIn(tx);
  if (head === null) return null;
  return cursorOfSnapshot(head.epoch, await readStates(tx, head.states - STATES), snapshot);
}

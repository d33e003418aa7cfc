/** Reads what was told: changes and states, in order. */
import { type Kysely, type Selectable, sql } from 'kysely';
import type { ServedChange } from '../../domain/changes/served-change.ts';
import type { ToldState } from '../../domain/changes/told-state.ts';
import { FUELS, type Fuel } from '../../domain/fuel.ts';
import { fetchBatches } from '../connection/fetch-batches.ts';
import { instant, type Schema } from '../connection/schema.ts';
import { inReadSnapshot } from '../prices/publication.ts';
import { type FeedHead, feedHeadIn } from './feed-head.ts';

/** A change as it was told: its number, and when, epoch ms. */
export type ToldChange = ServedChange & { readonly seq: number; readonly toldAt: number };

/** What a reader holds already. */
export type FeedPosition = { readonly epoch: string; readonly seq: number; readonly states: number };

export type FeedReading = {
  readonly head: FeedHead;
  /** Whether this is all of the feed, not a continuation of what the reader holds. */
  readonly isWhole: boolean;
  readonly states: readonly ToldState[];
};

/** How much of the past is read at most. */
export type FeedWindow = { readonly ms: number; readonly states: number };

/** Rows fetched at a time, with other work running in between. */
const FETCH_ROWS = 1_000;

/**
 * Reads what was told after `held`, or all within the window if that is of another epoch, in one moment of the
 * database. Passes the changes on in parts, in order. `null` = nothing was told.
 */
export function readFeed(
  db: Kysely<Schema>,
  held: FeedPosition | null,
  window: FeedWindow,
  onChanges: (epoch: string, changes: readonly ToldChange[]) => void,
): Promise<FeedReading | null> {
  return inReadSnapshot(db, async (tx) => {
    const head = await feedHeadIn(tx);
    if (head === null) return null;
    const isWhole = held === null || held.epoch !== head.epoch || held.seq > head.seq || held.states > head.states;
    const oldest = instant(head.from - window.ms);
    const after = isWhole ? -1 : held.seq;
    const changes = tx
      .selectFrom('served_changes')
      .selectAll()
      .where('seq', '>', after)
      .where('told_at', '>=', isWhole ? oldest : instant(0))
      .orderBy('seq');
    for await (const rows of fetchBatches(tx, sql<ChangeRow>`${changes}`, FETCH_ROWS))
      onChanges(head.epoch, rows.map(toToldChange));
    const states = await readStates(tx, isWhole ? head.states - window.states : held.states);
    return { head, isWhole, states };
  });
}

/** The states after a number. */
export async function readStates(tx: Kysely<Schema>, after: number): Promise<ToldState[]> {
  const rows = await tx.selectFrom('served_states').selectAll().where('number', '>', after).orderBy('number').execute();
  return rows.map(({ number, seq, version, told_at: from, until }) => ({ number, seq, version, from, until }));
}

export type ChangeRow = Selectable<Schema['served_changes']>;

/** A change as it is stored. */
export function toToldChange(row: ChangeRow): ToldChange {
  const { seq, told_at: toldAt, station_id: station, kind, source, county, city, network } = row;
  return {
    ...{ seq, toldAt, station, kind, source, county, city, network },
    fuel: row.fuel === null ? null : (FUELS[row.fuel] as Fuel),
    before: { price: row.old_price, reason: row.old_reason },
    after: { price: row.new_price, reason: row.new_reason },
    observed: row.observed_day === null ? null : { day: row.observed_day, at: row.observed_at, text: null },
  };
}

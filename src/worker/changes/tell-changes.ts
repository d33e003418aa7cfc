/**
 * Tells what changed in what is served: builds the snapshot of now, compares it with the state told last, and stores
 * the difference with the new state in one transaction. Any number of processes may try; a row lock lets one.
 */
import type { Kysely } from 'kysely';
import { runInSlices } from '../../concurrency/in-slices.ts';
import {
  type ChangePlace,
  changesBetween,
  type ServedRecord,
  type ServedState,
} from '../../domain/changes/served-change.ts';
import type { ServedPrice } from '../../domain/changes/served-price.ts';
import type { Fuel } from '../../domain/fuel.ts';
import type { CollectionSettings } from '../../domain/prices/collection-settings.ts';
import type { PublishedFacts } from '../../domain/prices/facts.ts';
import { buildSnapshotInSlices } from '../../snapshot/build.ts';
import { PriceHistory } from '../../snapshot/price-history.ts';
import { changePlaceOf, servedRecordsOf } from '../../snapshot/served-records.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { createStationPlacer } from '../../snapshot/station-placer.ts';
import { type FeedHead, type LockedFeed, newEpoch, withFeedLock } from '../../store/changes/feed-head.ts';
import { appendChanges, completeState, loadServedState, replaceServedState } from '../../store/changes/save-changes.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { readFacts } from '../../store/prices/packed-facts.ts';
import { publishedVersion } from '../../store/prices/publication.ts';

export type TellOptions = {
  readonly db: Kysely<Schema>;
  readonly settings: CollectionSettings;
  /** Epoch ms. */
  readonly clock: () => number;
};

/** What a process holds of the state that it told last, so that it need not read it again. */
export type HeldState = { readonly head: FeedHead; readonly facts: PublishedFacts; readonly state: ServedState };

/**
 * Tells the state of now unless it is told already; with `force` it is judged again in any case. Returns what to hold,
 * or `null` if another process is telling or nothing was ever published.
 */
export function tellChanges(
  options: TellOptions,
  held: HeldState | null,
  { force }: { readonly force: boolean },
): Promise<HeldState | null> {
  return withFeedLock(options.db, async (tx, read, feed) => {
    const version = await publishedVersion(read);
    if (version === 0) return null;
    const isHeld = held !== null && held.head.epoch === feed.head?.epoch && held.head.states === feed.states;
    // A clock that was set back does not reorder what was told, and no two states are told at the same moment.
    const now = Math.max(options.clock(), feed.toldAt + 1);
    if (!force && isHeld && version === held.head.version && now < held.head.until) return held;
    const facts = isHeld && held.facts.version === version ? held.facts : await readFacts(read);
    const before = isHeld ? held.state : await loadServedState(read);
    const snapshot = await runInSlices(
      buildSnapshotInSlices({ ...options.settings, facts, now, history: new PriceHistory() }),
    );
    return save(tx, feed, { facts, before, snapshot, settings: options.settings });
  });
}

type Comparison = {
  readonly facts: PublishedFacts;
  readonly before: ServedState;
  readonly snapshot: Snapshot;
  readonly settings: CollectionSettings;
};

async function save(tx: Kysely<Schema>, feed: LockedFeed, comparison: Comparison): Promise<HeldState> {
  const { facts, before, snapshot } = comparison;
  const records = servedRecordsOf(snapshot);
  const state = stateOf(records);
  // At the very first, all that is served would be a change.
  const isFirst = feed.head === null && before.size === 0;
  const changes = isFirst ? [] : changesBetween(before, records, placeLookup(comparison));
  const head: FeedHead = {
    epoch: feed.head?.epoch ?? newEpoch(),
    seq: feed.seq + changes.length,
    states: feed.states + 1,
    ...{ version: snapshot.version, from: snapshot.now, until: snapshot.nextChangeAt },
  };
  if (isFirst) await replaceServedState(tx, state);
  else await appendChanges(tx, changes, head);
  await completeState(tx, head);
  return { head, facts, state };
}

/** Where stations are that are not served any more. */
function placeLookup({ facts, settings }: Comparison): (id: string) => ChangePlace {
  const place = createStationPlacer(settings.gazetteer);
  return (id) => {
    const known = facts.stations.find((station) => station.id === id);
    return known === undefined ? { county: '', city: '', network: '' } : changePlaceOf(place(known).served);
  };
}

function stateOf(records: readonly ServedRecord[]): ServedState {
  const state = new Map<string, Map<Fuel, ServedPrice>>();
  for (const { station, fuel, served } of records) {
    const known = state.get(station) ?? new Map<Fuel, ServedPrice>();
    state.set(station, known.set(fuel, served));
  }
  return state;
}

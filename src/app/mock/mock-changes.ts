/** The mock's feed of changes: some of every kind, which lead to what the mock serves; nothing follows them. */
import { ChangeLog } from '../../api/changes/change-log.ts';
import {
  type ChangePlace,
  changesBetween,
  type ServedRecord,
  type ServedState,
} from '../../domain/changes/served-change.ts';
import { type ServedPrice, UNSOLD } from '../../domain/changes/served-price.ts';
import type { Fuel } from '../../domain/fuel.ts';
import { servedRecordsOf } from '../../snapshot/served-records.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';

/** That of the recorded examples, whose cursors the mock answers for. */
export const MOCK_EPOCH = 'epoch_01';
/** Stations that changed. */
const STATIONS = 12;
const HOUR_MS = 3_600_000;
/** It was served before, and is no longer. */
const GONE = { id: 'f0f0f0f0f0f0', place: { county: 'CJ', city: 'cluj-napoca', network: 'petrom' } as ChangePlace };

/** The feed whose end is this snapshot. */
export function mockChanges(snapshot: Snapshot): ChangeLog {
  const records = servedRecordsOf(snapshot);
  const stations = new Set([...new Set(records.map(({ station }) => station))].slice(0, STATIONS));
  const changed = records.filter(({ station }) => stations.has(station));
  const changes = changesBetween(earlierState(changed), changed, () => GONE.place);
  const toldAt = snapshot.now - HOUR_MS;
  const log = new ChangeLog();
  log.add(
    MOCK_EPOCH,
    changes.map((change, index) => ({ ...change, seq: index + 1, toldAt })),
  );
  const seq = changes.length;
  const { version, now: from, nextChangeAt: until } = snapshot;
  const first = { number: 1, seq: 0, version: version - 1, from: toldAt - HOUR_MS, until: toldAt };
  const last = { number: 2, seq, version, from, until };
  log.complete({
    head: { epoch: MOCK_EPOCH, seq, states: 2, version, from, until },
    isWhole: true,
    states: [first, last],
  });
  return log;
}

/** What was served before: without the first station, with one that is gone. */
function earlierState(records: readonly ServedRecord[]): ServedState {
  const state = new Map<string, Map<Fuel, ServedPrice>>([
    [GONE.id, new Map([['petrol', { price: 9_490, reason: null }]])],
  ]);
  for (const [index, { station, fuel, served }] of records.entries()) {
    if (station === records[0]?.station) continue;
    const known = state.get(station) ?? new Map<Fuel, ServedPrice>();
    state.set(station, known.set(fuel, earlierPrice(served, index)));
  }
  return state;
}

/** A price moved or came, a missing one went, a doubtful one was trusted. */
function earlierPrice({ price, reason }: ServedPrice, index: number): ServedPrice {
  if (price === null) return { price: 9_490, reason: null };
  if (reason !== null) return { price, reason: null };
  const earlier: readonly ServedPrice[] = [
    { price: price - 50, reason: null },
    { price: price + 30, reason: null },
    { price: null, reason: 'expired' },
    UNSOLD,
  ];
  return earlier[index % earlier.length] as ServedPrice;
}

/** A feed of changes in a database, told by the test. */
import type { ServedChange } from '../../../src/domain/changes/served-change.ts';
import { feedHeadIn, newEpoch } from '../../../src/store/changes/feed-head.ts';
import { appendChanges, completeState } from '../../../src/store/changes/save-changes.ts';
import type { TestDatabase } from '../database/test-database.ts';

const stationId = (index: number) => (0x0a1b2c3d4e5f + index).toString(16).padStart(12, '0');
const MINUTE_MS = 60_000;

/** A price that moved. */
export function aServedChange(change: Partial<ServedChange> = {}): ServedChange {
  return {
    ...{ station: '0a1b2c3d4e5f', fuel: 'diesel', kind: 'price', county: 'CJ', city: 'cluj-napoca', network: 'petrom' },
    ...{ before: { price: 7_490, reason: null }, after: { price: 7_440, reason: null } },
    ...{ source: 'register', observed: { day: '2026-11-20', at: null, text: null } },
    ...change,
  };
}

/** Tells changes as one publication does; an epoch begins anew with `epoch`. */
export function tell(
  { kysely }: Pick<TestDatabase, 'kysely'>,
  changes: readonly Partial<ServedChange>[],
  { epoch, now = Date.now() }: { epoch?: string; now?: number } = {},
): Promise<void> {
  return kysely.transaction().execute(async (tx) => {
    const last = await feedHeadIn(tx);
    const head = {
      epoch: epoch ?? last?.epoch ?? newEpoch(),
      ...{ seq: (last?.seq ?? 0) + changes.length, states: (last?.states ?? 0) + 1 },
      ...{ version: (last?.version ?? 0) + 1, from: now, until: now + MINUTE_MS },
    };
    // Of another station each: a state has one price of each.
    const told = changes.map((change, index) => aServedChange({ station: stationId(index), ...change }));
    await appendChanges(tx, told, head);
    await completeState(tx, head);
  });
}

/** What the mock serves: the shipped state, judged at the mock's moment by the rules of every snapshot. */
import { DEFAULT_RANGES } from '../../domain/fuel.ts';
import type { Gazetteer } from '../../domain/places/gazetteer.ts';
import { buildSnapshot } from '../../snapshot/build.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { MOCK_NOW, MOCK_SOURCES } from './mock-moment.ts';
import { readMockState } from './mock-state.ts';

/** Reads and judges the state. */
export function mockSnapshot(gazetteer: Gazetteer): Snapshot {
  return buildSnapshot({
    ...readMockState(),
    ranges: DEFAULT_RANGES,
    gazetteer,
    inService: MOCK_SOURCES,
    now: MOCK_NOW,
  });
}

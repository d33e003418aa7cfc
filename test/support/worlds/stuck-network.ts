/** MOL has five stations: three changed their petrol price last week, one has not for 20 days, one is new. */
import type { PublishedFacts } from '../../../src/domain/prices/facts.ts';
import { aKnownStation, aStationFact, someFacts } from '../builders/facts-builders.ts';
import { TODAY } from '../builders/snapshot-builders.ts';

export const STUCK = 'e00000000001';
export const STUCK_SINCE = TODAY - 20;

const MOVED = ['e00000000002', 'e00000000003', 'e00000000004'];
const NEW = 'e00000000005';
/** Its price has not changed either, but its network has no other station. */
export const ONLY_STATION = 'e00000000006';

export function stuckNetwork(): PublishedFacts {
  return someFacts({
    stations: [...[STUCK, ...MOVED, NEW].map((id) => aKnownStation(id, 'MOL')), aKnownStation(ONLY_STATION, 'Romoil')],
    prices: [
      aStationFact(STUCK, 'petrol', 7_000, { sinceDay: STUCK_SINCE }),
      ...MOVED.map((id) => aStationFact(id, 'petrol', 7_500, { sinceDay: TODAY - 6 })),
      aStationFact(NEW, 'petrol', 7_500, { sinceDay: TODAY - 2, changed: false }),
      aStationFact(ONLY_STATION, 'petrol', 7_100, { sinceDay: STUCK_SINCE }),
    ],
  });
}

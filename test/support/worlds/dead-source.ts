/**
 * The register has been silent for 25 hours; Petrom's own price list still delivers, and one driver reported a price an
 * hour ago, another one yesterday.
 */
import type { PublishedFacts } from '../../../src/domain/prices/facts.ts';
import { aKnownStation, aSource, aStationFact, HOUR, someFacts } from '../builders/facts-builders.ts';
import { NOON } from '../builders/snapshot-builders.ts';

/** Only the dead register has its price. */
export const REGISTER_ONLY = 'd00000000001';
/** The register and Petrom's list have its price. */
export const LISTED = 'd00000000002';
/** The register has its price, and drivers reported it: petrol an hour ago, diesel yesterday. */
export const REPORTED = 'd00000000003';

const lastDeliveredAt = NOON - 25 * HOUR;
const reported = (at: number) => ({ day: '2026-11-20', at, text: null });

export function deadSource(): PublishedFacts {
  return someFacts({
    sources: [aSource('register', lastDeliveredAt), aSource('prices:petrom')],
    stations: [aKnownStation(REGISTER_ONLY, 'MOL'), aKnownStation(LISTED, 'Petrom'), aKnownStation(REPORTED, 'MOL')],
    prices: [
      aStationFact(REGISTER_ONLY, 'petrol', 7_100, { readAt: lastDeliveredAt }),
      aStationFact(LISTED, 'petrol', 7_200, { readAt: lastDeliveredAt }),
      aStationFact(LISTED, 'petrol', 7_450, { source: 'prices:petrom' }),
      aStationFact(REPORTED, 'petrol', 7_300, { readAt: lastDeliveredAt }),
      aStationFact(REPORTED, 'petrol', 7_500, { source: 'manual', observed: reported(NOON - HOUR) }),
      aStationFact(REPORTED, 'diesel', 7_800, { source: 'manual', observed: reported(NOON - 25 * HOUR) }),
    ],
  });
}

/** An ordinary day: one live source, three cities, three networks, every price trusted. */
import type { PublishedFacts } from '../../../src/domain/prices/facts.ts';
import { aKnownStation, aStationFact, SIRUTA, someFacts } from '../builders/facts-builders.ts';

export const PETROM_CLUJ = 'a00000000001';
export const MOL_CLUJ = 'a00000000002';
export const MOL_TURDA = 'a00000000000';
export const PETROM_BUCHAREST = 'a00000000004';
export const ROMOIL_BUCHAREST = 'a00000000005';

const TURDA = { siruta: SIRUTA.turda, lat: 46.567, lng: 23.783 };
const BUCHAREST = { siruta: SIRUTA.bucharest, lat: 44.43, lng: 26.1 };

export function quietDay(parts: Partial<PublishedFacts> = {}): PublishedFacts {
  return someFacts({
    stations: [
      aKnownStation(PETROM_CLUJ, 'Petrom'),
      aKnownStation(MOL_CLUJ, 'MOL'),
      aKnownStation(MOL_TURDA, 'MOL', TURDA),
      aKnownStation(PETROM_BUCHAREST, 'Petrom', BUCHAREST),
      aKnownStation(ROMOIL_BUCHAREST, 'Romoil', BUCHAREST),
    ],
    prices: [
      aStationFact(PETROM_CLUJ, 'petrol', 7_450),
      aStationFact(PETROM_CLUJ, 'diesel', 7_890),
      aStationFact(MOL_CLUJ, 'petrol', 7_399),
      aStationFact(MOL_CLUJ, 'adblue', 4_990),
      aStationFact(MOL_TURDA, 'petrol', 7_504),
      aStationFact(MOL_TURDA, 'diesel', 7_950),
      aStationFact(PETROM_BUCHAREST, 'petrol', 7_600),
      aStationFact(PETROM_BUCHAREST, 'lpg', 3_690),
      aStationFact(ROMOIL_BUCHAREST, 'adblue', 5_200),
    ],
    ...parts,
  });
}

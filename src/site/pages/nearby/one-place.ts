/** Records of one station under several names: sources may list a place under its old network and its new one. */
import type { RoadFuel } from '../../../domain/fuel.ts';
import { distanceKm } from '../../../domain/point.ts';
import { trustedPrice } from '../../../domain/prices/price-verdict.ts';
import type { StationPrices } from '../../lookup/station-prices.ts';

export type MergedStations = {
  /** One of each place. */
  readonly stations: readonly StationPrices[];
  /** The others at the place of one that is kept, by its id. */
  readonly others: ReadonlyMap<string, readonly StationPrices[]>;
};

/** Two forecourts are never this near to each other. */
const ONE_PLACE_KM = 0.025;
/** More than that distance. */
const ONE_PLACE_DEGREES = 0.0003;

/**
 * Keeps one station of each place that sells the fuel: with a trusted price, the one that was observed last, then the
 * cheapest. Stations whose exact place is not known are all kept.
 */
export function mergePlaces(stations: readonly StationPrices[], fuel: RoadFuel): MergedStations {
  const kept: StationPrices[] = [];
  const others = new Map<string, StationPrices[]>();
  for (const each of stations.filter(({ verdicts }) => verdicts.has(fuel)).sort(byReliance(fuel))) {
    const same = isPlaced(each) ? kept.find((other) => isPlaced(other) && isOnePlace(each, other)) : undefined;
    if (same === undefined) kept.push(each);
    else others.set(same.station.id, [...(others.get(same.station.id) ?? []), each]);
  }
  return { stations: kept, others };
}

const isPlaced = ({ station }: StationPrices) => !station.approximateCoordinates && !station.suspectCoordinates;

function isOnePlace({ station: a }: StationPrices, { station: b }: StationPrices): boolean {
  return Math.abs(a.lat - b.lat) <= ONE_PLACE_DEGREES && distanceKm(a, b) <= ONE_PLACE_KM;
}

function byReliance(fuel: RoadFuel): (a: StationPrices, b: StationPrices) => number {
  const priceOf = ({ verdicts }: StationPrices) => trustedPrice(verdicts.get(fuel)) ?? Number.POSITIVE_INFINITY;
  // As texts, days of ISO 8601 are in the order of time.
  const dayOf = ({ verdicts }: StationPrices) => {
    const verdict = verdicts.get(fuel);
    return verdict?.kind === 'trusted' ? (verdict.fact.observed?.day ?? '') : '';
  };
  return (a, b) => {
    const [trustedA, trustedB] = [a, b].map((each) => Number.isFinite(priceOf(each)));
    if (trustedA !== trustedB) return trustedA ? -1 : 1;
    if (dayOf(a) !== dayOf(b)) return dayOf(a) > dayOf(b) ? -1 : 1;
    return priceOf(a) < priceOf(b) ? -1 : 1;
  };
}

/** Stations on motorways and what they charge above the nearest towns, from one snapshot. */
import { compareCodeUnits } from '../../../algorithms/compare-code-units.ts';
import { runInTimeSlices } from '../../../concurrency/in-slices.ts';
import { type MilliPrice, meanToBani, ROAD_FUELS, type RoadFuel } from '../../../domain/fuel.ts';
import type { Locality } from '../../../domain/places/locality.ts';
import { distanceKm } from '../../../domain/point.ts';
import type { Snapshot } from '../../../snapshot/snapshot.ts';
import type { SiteData } from '../../frame/site-data.ts';
import { rankByPrice, type StationOnMotorway, stationLookup } from '../../lookup/station-prices.ts';

/** A town with stations off the motorway. */
type NearbyTown = {
  readonly place: Locality;
  /** From the motorway station to the centre, straight. */
  readonly km: number;
};

export type MotorwayStation = StationOnMotorway & {
  /** The town that the address says it leads to, as the gazetteer writes it where it knows it; `null` = none. */
  readonly towards: string | null;
  /** The towns it is compared with, nearest first; none where its coordinates are not reliable. */
  readonly towns: readonly NearbyTown[];
  /** Its trusted prices above the mean trusted price in those towns; a fuel without one of the two is left out. */
  readonly premiums: ReadonlyMap<RoadFuel, MilliPrice>;
};

/** What stations charge above the nearest towns: the mean over those that can be compared. */
export type MeanPremium = { readonly premium: MilliPrice; readonly stations: number };

export type Motorway = {
  /** `A1`; `null` = the addresses do not say which. */
  readonly ref: string | null;
  /** By kilometre. */
  readonly stations: readonly MotorwayStation[];
  readonly means: ReadonlyMap<RoadFuel, MeanPremium>;
};

/** The motorways with a station, in the order of their numbers, and the means over all of them. */
export type Motorways = Pick<Motorway, 'stations' | 'means'> & { readonly motorways: readonly Motorway[] };

/** How many towns a station is compared with, and how far they may be. */
export const NEAREST_TOWNS = 2;
export const FARTHEST_TOWN_KM = 40;

const known = new WeakMap<Snapshot, Promise<Motorways>>();

/** The motorways of a snapshot, compared once, in slices of the event loop. */
export function motorwaysOf(data: Pick<SiteData, 'snapshot' | 'gazetteer'>): Promise<Motorways> {
  const made = known.get(data.snapshot) ?? runInTimeSlices(motorwaysInSlices(data));
  known.set(data.snapshot, made);
  return made;
}

function* motorwaysInSlices(data: Pick<SiteData, 'snapshot' | 'gazetteer'>): Generator<void, Motorways, void> {
  const { onMotorways } = stationLookup(data.snapshot);
  const towns = yield* townsOffMotorways(data, new Set(onMotorways.map(({ station }) => station.id)));
  const compared: MotorwayStation[] = [];
  for (const each of onMotorways) {
    const { towards } = each.position;
    const name = towards === null ? null : (data.gazetteer.findPlace(towards)?.name ?? towards);
    compared.push({ ...withPremiums(each, towns), towards: name });
    yield;
  }
  const stations = compared.sort(byKilometre);
  const motorways = [...Map.groupBy(stations, ({ position }) => position.ref)]
    .map(([ref, own]) => ({ ref, stations: own, means: meansOf(own) }))
    .sort((a, b) => numberOf(a.ref) - numberOf(b.ref));
  return { stations, means: meansOf(stations), motorways };
}

type Town = { readonly place: Locality; readonly prices: ReadonlyMap<RoadFuel, readonly MilliPrice[]> };

/** The towns with a trusted price off the motorways; a service area says nothing about the town it is assigned to. */
function* townsOffMotorways(
  { snapshot, gazetteer }: Pick<SiteData, 'snapshot' | 'gazetteer'>,
  onMotorway: ReadonlySet<string>,
): Generator<void, Town[], void> {
  const towns: Town[] = [];
  for (const [slug, stations] of stationLookup(snapshot).byCity) {
    const place = gazetteer.localityBySlug(slug);
    const own = stations.filter(({ station }) => !onMotorway.has(station.id));
    const prices = ROAD_FUELS.map((fuel) => [fuel, rankByPrice(own, fuel).map(({ price }) => price)] as const);
    if (place !== undefined && prices.some(([, of]) => of.length > 0)) towns.push({ place, prices: new Map(prices) });
    yield;
  }
  return towns;
}

function withPremiums(each: StationOnMotorway, towns: readonly Town[]): Omit<MotorwayStation, 'towards'> {
  const { station } = each;
  if (station.suspectCoordinates || station.approximateCoordinates) return { ...each, towns: [], premiums: new Map() };
  const nearest = towns
    .map((town) => ({ town, km: distanceKm(station, town.place) }))
    .filter(({ km }) => km <= FARTHEST_TOWN_KM)
    .sort((a, b) => a.km - b.km)
    .slice(0, NEAREST_TOWNS);
  const premiums = ROAD_FUELS.flatMap((fuel) => {
    const verdict = each.verdicts.get(fuel);
    const local = meanToBani(nearest.flatMap(({ town }) => town.prices.get(fuel) ?? []));
    return verdict?.kind !== 'trusted' || local === null ? [] : [[fuel, verdict.price - local] as const];
  });
  return {
    ...each,
    towns: nearest.map(({ town: { place }, km }) => ({ place, km })),
    premiums: new Map(premiums),
  };
}

function meansOf(stations: readonly MotorwayStation[]): ReadonlyMap<RoadFuel, MeanPremium> {
  return new Map(
    ROAD_FUELS.flatMap((fuel) => {
      const known = stations.map(({ premiums }) => premiums.get(fuel)).filter((premium) => premium !== undefined);
      const premium = meanToBani(known);
      return premium === null ? [] : [[fuel, { premium, stations: known.length }] as const];
    }),
  );
}

function byKilometre(a: MotorwayStation, b: MotorwayStation): number {
  const [first, second] = [a, b].map(({ position }) => position.km ?? Number.MAX_VALUE) as [number, number];
  return first - second || compareCodeUnits(a.station.id, b.station.id);
}

/** Motorways that no address names come last. */
function numberOf(ref: string | null): number {
  return ref === null ? Number.MAX_VALUE : Number(ref.slice(1));
}

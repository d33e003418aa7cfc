/** Places the simulated stations: how many of each network a unit has, and points around the centre of the unit. */
import type { Locality } from '../../domain/places/locality.ts';
import { distanceKm, KM_PER_DEGREE, type Point } from '../../domain/point.ts';
import { randomFraction, randomItem, shuffled } from './seeded-random.ts';
import { type NetworkId, SIMULATED_NETWORKS } from './simulated-networks.ts';
import type { SimulatedUnit } from './simulated-station.ts';

export const BUCHAREST = 179132;
/** Only Bucharest reaches the register's cap of 50. */
const LARGEST_UNIT = 36;
/** The number of stations grows more slowly than the population. */
const GROWTH = 0.8;
/** Units up to this size may lack even one station. */
const SMALL = 6_000;
const SMALL_WITHOUT = 0.15;

/** The units the gazetteer knows, each with its most populous locality as its centre, in order of their codes. */
export function unitsOf(localities: readonly Locality[], sirutas: readonly number[]): SimulatedUnit[] {
  const wanted = new Set(sirutas);
  const centres = new Map<number, Locality>();
  for (const locality of localities) {
    if (locality.siruta === null || !wanted.has(locality.siruta)) continue;
    const centre = centres.get(locality.siruta);
    if (!centre || locality.population > centre.population) centres.set(locality.siruta, locality);
  }
  return [...centres]
    .sort(([a], [b]) => a - b)
    .map(([siruta, { name, ascii, county, lat, lng, population }]) => {
      return { siruta, name, ascii, county, lat, lng, population, radiusKm: radiusKm(population) };
    });
}

/** How far from its centre the stations of a town of this size lie. */
function radiusKm(population: number): number {
  const sizes = [
    [1_000_000, 7],
    [250_000, 3.8],
    [100_000, 3.2],
    [50_000, 2.4],
    [20_000, 1.8],
  ] as const;
  return sizes.find(([from]) => population >= from)?.[1] ?? 1.2;
}

/** The networks present in each unit, one entry per station. */
export function distributeNetworks(units: readonly SimulatedUnit[], seed: number): Map<SimulatedUnit, NetworkId[]> {
  const bucharest = units.find(({ siruta }) => siruta === BUCHAREST);
  const otherUnits = units.filter((unit) => unit !== bucharest);
  const remaining = shuffledNetworks((network) => network.stations - network.inBucharest, seed);
  const counts = distributeByPopulation(remaining.length, otherUnits, seed);
  const networksByUnit = new Map<SimulatedUnit, NetworkId[]>();
  if (bucharest)
    networksByUnit.set(
      bucharest,
      shuffledNetworks((network) => network.inBucharest, seed),
    );
  for (const unit of shuffled(otherUnits, ({ siruta }) => String(siruta), seed, 'deal')) {
    networksByUnit.set(unit, remaining.splice(0, counts.get(unit) ?? 0));
  }
  return networksByUnit;
}

function shuffledNetworks(
  countOf: (network: (typeof SIMULATED_NETWORKS)[number]) => number,
  seed: number,
): NetworkId[] {
  const all = SIMULATED_NETWORKS.flatMap((network) =>
    Array.from({ length: countOf(network) }, (_, number) => ({ id: network.id, number })),
  );
  return shuffled(all, ({ id, number }) => `${id} ${number}`, seed, 'deck').map(({ id }) => id);
}

/** Gives all but a few small units one station each, and the rest by population; the largest remainders round up. */
function distributeByPopulation(
  total: number,
  units: readonly SimulatedUnit[],
  seed: number,
): Map<SimulatedUnit, number> {
  const served = units.filter(
    ({ siruta, population }) => population > SMALL || randomFraction(seed, 'without', siruta) >= SMALL_WITHOUT,
  );
  const weights = served.reduce((sum, { population }) => sum + population ** GROWTH, 0);
  const shares = served.map((unit) => {
    const share = 1 + ((total - served.length) * unit.population ** GROWTH) / weights;
    return { unit, share, count: Math.min(LARGEST_UNIT, Math.floor(share)) };
  });
  shares.sort((a, b) => (b.share % 1) - (a.share % 1) || a.unit.siruta - b.unit.siruta);
  const open = () => shares.filter(({ count }) => count < LARGEST_UNIT);
  let left = total - shares.reduce((sum, { count }) => sum + count, 0);
  while (left > 0 && open().length > 0) {
    for (const share of open().slice(0, left)) {
      share.count += 1;
      left -= 1;
    }
  }
  return new Map(shares.map(({ unit, count }) => [unit, count]));
}

/** A road out of a unit: towards a nearby locality. */
export type RoadOut = { readonly towards: Locality; readonly km: number };

const MAX_ROADS = 8;
const FARTHEST_KM = 25;

/** The nearest localities around a unit's centre, nearest first. */
export function roadsOut(unit: SimulatedUnit, localities: readonly Locality[]): RoadOut[] {
  return localities
    .filter(({ lat, lng }) => Math.abs(lat - unit.lat) < 0.23 && Math.abs(lng - unit.lng) < 0.33)
    .map((towards) => ({ towards, km: distanceKm(unit, towards) }))
    .filter(({ km }) => km > 0.8 && km <= FARTHEST_KM)
    .sort((a, b) => a.km - b.km || (a.towards.slug < b.towards.slug ? -1 : 1))
    .slice(0, MAX_ROADS);
}

export type StationSite = Point & { readonly road: RoadOut | null; readonly km: number };

const APART_KM = 0.35;
const TRIES = 6;

/**
 * A site in the unit: along one of its ways out, so that it is in the country even in a border town, and apart from
 * the sites already taken if a few tries find room.
 */
export function chooseSite(
  unit: SimulatedUnit,
  ways: readonly RoadOut[],
  taken: readonly Point[],
  seed: number,
  name: string,
): StationSite {
  let site = candidateSite(unit, ways, seed, `${name} 0`);
  for (let attempt = 1; attempt < TRIES && taken.some((other) => distanceKm(site, other) < APART_KM); attempt += 1) {
    site = candidateSite(unit, ways, seed, `${name} ${attempt}`);
  }
  return site;
}

/** How far along a road, and away from it, a station may lie: still within the town limits. */
const SHARE_OF_ROAD = 0.65;
const MAX_ANGLE_OFFSET = Math.PI / 12;

function candidateSite(unit: SimulatedUnit, ways: readonly RoadOut[], seed: number, name: string): StationSite {
  const road = ways.length > 0 ? randomItem(ways, seed, 'way', name) : null;
  const km =
    Math.min(unit.radiusKm, (road?.km ?? 1) * SHARE_OF_ROAD) *
    Math.sqrt(0.02 + 0.98 * randomFraction(seed, 'far', name));
  const stretch = Math.cos((unit.lat * Math.PI) / 180);
  const straight = road ? Math.atan2(road.towards.lat - unit.lat, (road.towards.lng - unit.lng) * stretch) : 0;
  const angle = straight + MAX_ANGLE_OFFSET * (2 * randomFraction(seed, 'swerve', name) - 1);
  return {
    lat: sixDigits(unit.lat + (km * Math.sin(angle)) / KM_PER_DEGREE),
    lng: sixDigits(unit.lng + (km * Math.cos(angle)) / (KM_PER_DEGREE * stretch)),
    road,
    km,
  };
}

function sixDigits(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6;
}

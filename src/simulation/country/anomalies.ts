/**
 * Injects the errors of the real register among the simulated stations, a few of each kind, so that every flag of the
 * service has an example on the first day and on later starts of the demo. None lies in Bucharest, and no station has
 * two.
 */
import type { DayNumber } from '../../domain/days.ts';
import type { MilliPrice, RoadFuel } from '../../domain/fuel.ts';
import { distanceKm } from '../../domain/point.ts';
import { STUCK_DAYS } from '../../domain/prices/price-verdict.ts';
import { BUCHAREST } from './placement.ts';
import { shuffled } from './seeded-random.ts';
import type { NetworkId } from './simulated-networks.ts';
import {
  type Anomaly,
  type AnomalyKind,
  registerKey,
  type SimulatedStation,
  type SimulatedUnit,
} from './simulated-station.ts';

type AnomalyCase = {
  readonly kind: AnomalyKind;
  readonly fuel: RoadFuel | null;
  /** Days from the epoch to its start; `null` = it has always existed. */
  readonly from: number | null;
  readonly price?: MilliPrice;
  /** Which networks' stations may have it; none = any. */
  readonly networks?: readonly NetworkId[];
  /** A fuel the station must not sell. */
  readonly without?: RoadFuel;
};

/** An orphan's price is served for a month: every 20 days another station loses its LPG, for about two years. */
const LATER_ORPHANS: readonly AnomalyCase[] = Array.from({ length: 36 }, (_, index) => ({
  kind: 'orphan',
  fuel: 'lpg',
  from: 15 + 20 * index,
}));

/** Early enough that the price is stuck on the first day, whenever the first collection runs. */
const STUCK_SINCE = -(STUCK_DAYS + 10);

const ANOMALY_CASES: readonly AnomalyCase[] = [
  // Whole stations, and one with a single fuel whose premium it does not sell, so that nothing else is wrong there.
  { kind: 'stuck', fuel: null, from: STUCK_SINCE, networks: ['PETROM'] },
  { kind: 'stuck', fuel: null, from: STUCK_SINCE, networks: ['LUKOIL'] },
  { kind: 'stuck', fuel: 'diesel', from: STUCK_SINCE, networks: ['MOL'], without: 'diesel_premium' },
  { kind: 'stale', fuel: null, from: -9, networks: ['SOCAR', 'ROMPETROL'] },
  { kind: 'stale', fuel: null, from: -9, networks: ['MOL'] },
  { kind: 'orphan', fuel: 'lpg', from: -5 },
  { kind: 'orphan', fuel: 'diesel_premium', from: -5 },
  { kind: 'orphan', fuel: null, from: -5, networks: ['LUKOIL'] },
  { kind: 'premium-below-standard', fuel: 'petrol_premium', from: -3 },
  { kind: 'premium-below-standard', fuel: 'diesel_premium', from: -3 },
  { kind: 'out-of-range', fuel: 'petrol', from: -2, price: 12_010, without: 'petrol_premium' },
  { kind: 'out-of-range', fuel: 'diesel', from: -2, price: 5_490, without: 'diesel_premium' },
  { kind: 'out-of-range', fuel: 'lpg', from: -2, price: 46_200 },
  { kind: 'price-zero', fuel: 'diesel_premium', from: -2 },
  { kind: 'price-zero', fuel: 'lpg', from: -2 },
  { kind: 'price-missing', fuel: 'petrol_premium', from: -2 },
  { kind: 'two-products', fuel: 'diesel', from: null },
  { kind: 'two-products', fuel: 'petrol', from: null },
  { kind: 'wrong-county', fuel: null, from: null },
  { kind: 'wrong-county', fuel: null, from: null },
  { kind: 'swapped-coordinates', fuel: null, from: null },
  { kind: 'no-coordinates', fuel: null, from: null },
  { kind: 'no-coordinates', fuel: null, from: null },
  ...LATER_ORPHANS,
];

const FAILING_SINCE = -5;

/** Returns the stations with their anomalies, and a list of the anomalies. */
export function injectAnomalies(
  stations: readonly SimulatedStation[],
  units: readonly SimulatedUnit[],
  epochDay: DayNumber,
  seed: number,
): { stations: SimulatedStation[]; anomalies: Anomaly[] } {
  const anomalies = failingUnit(stations, units, epochDay, seed);
  const failing = new Set(anomalies.map(({ siruta }) => siruta));
  const towns = new Set(units.filter(({ population }) => population > 20_000).map(({ siruta }) => siruta));
  const free = new Set(
    shuffled(stations, registerKey, seed, 'oddity').filter(
      ({ siruta }) => towns.has(siruta) && siruta !== BUCHAREST && !failing.has(siruta),
    ),
  );
  for (const wanted of ANOMALY_CASES) {
    const station = free.values().find((candidate) => suits(candidate, wanted, free));
    if (!station) continue;
    free.delete(station);
    anomalies.push(toAnomaly(station, wanted, epochDay));
  }
  return { stations: withAnomalies(stations, units, anomalies), anomalies };
}

function suits(
  station: SimulatedStation,
  { kind, fuel, networks, without }: AnomalyCase,
  free: ReadonlySet<SimulatedStation>,
): boolean {
  if (networks && !networks.includes(station.network)) return false;
  if (fuel && !station.fuels.includes(fuel)) return false;
  if (without && station.fuels.includes(without)) return false;
  return kind !== 'orphan' || (fuel ? [fuel] : station.fuels).every((gone) => hasNeighbour(station, gone, free));
}

/** Whether another station of the unit still sells the fuel: otherwise the unit's answer is an error, not a gap. */
function hasNeighbour(station: SimulatedStation, fuel: RoadFuel, free: ReadonlySet<SimulatedStation>): boolean {
  return free
    .values()
    .some((other) => other !== station && other.siruta === station.siruta && other.fuels.includes(fuel));
}

function toAnomaly(station: SimulatedStation, { kind, fuel, from, price }: AnomalyCase, epochDay: DayNumber): Anomaly {
  const since = from === null ? null : epochDay + from;
  return { kind, station: registerKey(station), siruta: station.siruta, fuel, since, price: price ?? null };
}

/**
 * Days to collect beforehand, so that the facts that reveal anomalies exist on the first day: prices that stand still
 * while others move, and rows that were sent once and have vanished.
 */
export function backfillDays(epochDay: DayNumber): DayNumber[] {
  return [-20, -14, -10, FAILING_SINCE - 1, -3, -1].map((from) => epochDay + from);
}

/** One small unit with two to four stations answers 503 from a day on, so that its prices expire. */
function failingUnit(
  stations: readonly SimulatedStation[],
  units: readonly SimulatedUnit[],
  epochDay: DayNumber,
  seed: number,
): Anomaly[] {
  const byUnit = Map.groupBy(stations, ({ siruta }) => siruta);
  const small = units.filter(({ siruta, population }) => {
    const size = byUnit.get(siruta)?.length ?? 0;
    return population < 20_000 && size >= 2 && size <= 4;
  });
  const failing = shuffled(small, ({ siruta }) => String(siruta), seed, 'ill')[0];
  const wanted: AnomalyCase = { kind: 'ill-unit', fuel: null, from: FAILING_SINCE };
  return (failing ? (byUnit.get(failing.siruta) ?? []) : []).map((station) => toAnomaly(station, wanted, epochDay));
}

function withAnomalies(
  stations: readonly SimulatedStation[],
  units: readonly SimulatedUnit[],
  anomalies: readonly Anomaly[],
): SimulatedStation[] {
  const byStation = Map.groupBy(anomalies, ({ station }) => station);
  const byCode = new Map(units.map((unit) => [unit.siruta, unit]));
  return stations.map((station) => {
    const own = byStation.get(registerKey(station));
    if (!own) return station;
    return { ...station, anomalies: own, declared: declaredPlace(station, own, byCode, units) };
  });
}

function declaredPlace(
  station: SimulatedStation,
  own: readonly Anomaly[],
  byCode: ReadonlyMap<number, SimulatedUnit>,
  units: readonly SimulatedUnit[],
): SimulatedStation['declared'] {
  const { lat, lng } = station;
  switch (own[0]?.kind) {
    case 'no-coordinates':
      return null;
    case 'swapped-coordinates':
      return { lat: lng, lng: lat };
    case 'wrong-county':
      return farTown(byCode.get(station.siruta), units, station);
    default:
      return station.declared;
  }
}

/** A point by the nearest large town of another county that is at least 100 km away. */
function farTown(
  home: SimulatedUnit | undefined,
  units: readonly SimulatedUnit[],
  { lat, lng }: SimulatedStation,
): SimulatedStation['declared'] {
  const far = units
    .filter(({ county, population }) => county !== home?.county && population > 50_000)
    .map((unit) => ({ unit, km: distanceKm(unit, { lat, lng }) }))
    .filter(({ km }) => km > 100)
    .sort((a, b) => a.km - b.km)[0];
  return far ? { lat: far.unit.lat, lng: far.unit.lng } : { lat, lng };
}

/** Service areas of the simulated country: on real motorways, in pairs of directions, dearer than in towns. */
import type { MilliPrice } from '../../domain/fuel.ts';
import type { Locality } from '../../domain/places/locality.ts';
import { distanceKm, type Point } from '../../domain/point.ts';
import type { Road, RoadLeg } from '../../domain/roads/road-file.ts';
import type { StationSite } from './placement.ts';
import { randomInteger } from './seeded-random.ts';
import type { NetworkId } from './simulated-networks.ts';
import type { SimulatedUnit } from './simulated-station.ts';
import { SIMULATED_MARK, type StationLabels } from './station-names.ts';

/** A station on a motorway, without what every station has. */
export type MotorwaySite = {
  readonly site: StationSite;
  /** The nearest unit of its county. */
  readonly unit: SimulatedUnit;
  readonly network: NetworkId;
  readonly labels: Omit<StationLabels, 'contact'>;
  /** Above its network's nationwide price. */
  readonly premium: MilliPrice;
};

type ServiceAreas = {
  readonly ref: string;
  /** The key of the first stop of the stretch, and the kilometre post there. */
  readonly from: string;
  readonly startKm: number;
  /** Where traffic drives to, with falling and with rising kilometres. */
  readonly ends: readonly [first: string, last: string];
  readonly areas: readonly (readonly [km: number, network: NetworkId])[];
};

/** Made up, but for the roads: where service areas would be, by kilometre post. */
const SERVICE_AREAS: readonly ServiceAreas[] = [
  {
    ref: 'A1',
    from: 'bucuresti',
    startKm: 0,
    ends: ['Bucuresti', 'Pitesti'],
    areas: [
      [36, 'ROMPETROL'],
      [49.9, 'OMV'],
      [80.2, 'PETROM'],
    ],
  },
  { ref: 'A1', from: 'boita', startKm: 229, ends: ['Sibiu', 'Nadlac'], areas: [[262.5, 'MOL']] },
  { ref: 'A1', from: 'sebes', startKm: 307, ends: ['Sibiu', 'Nadlac'], areas: [[335.4, 'LUKOIL']] },
  { ref: 'A1', from: 'margina', startKm: 422, ends: ['Sibiu', 'Nadlac'], areas: [[467.3, 'OMV']] },
  { ref: 'A1', from: 'timisoara', startKm: 508, ends: ['Timisoara', 'Nadlac'], areas: [[541, 'MOL']] },
  {
    ref: 'A2',
    from: 'bucuresti',
    startKm: 0,
    ends: ['Bucuresti', 'Constanta'],
    areas: [
      [25.5, 'OMV'],
      [58.4, 'PETROM'],
      [103.8, 'ROMPETROL'],
      [178, 'LUKOIL'],
    ],
  },
  {
    ref: 'A3',
    from: 'bucuresti',
    startKm: 0,
    ends: ['Bucuresti', 'Ploiesti'],
    areas: [
      [13, 'SOCAR'],
      [41.2, 'MOL'],
    ],
  },
  { ref: 'A3', from: 'targu-mures', startKm: 0, ends: ['Targu Mures', 'Turda'], areas: [[37.6, 'ROMPETROL']] },
  { ref: 'A7', from: '@44.875/26.12', startKm: 0, ends: ['Ploiesti', 'Buzau'], areas: [[37, 'PETROM']] },
  { ref: 'A7', from: 'buzau', startKm: 66, ends: ['Buzau', 'Focsani'], areas: [[88.5, 'OMV']] },
  {
    ref: 'A10',
    from: 'sebes',
    startKm: 0,
    ends: ['Sebes', 'Turda'],
    areas: [
      [20.7, 'MOL'],
      [55, 'LUKOIL'],
    ],
  },
];

const PREMIUM_BANI = { from: 30, to: 60 };
/** The two sides lie apart, as they do where the terrain decides. */
const BETWEEN_SIDES_KM = 0.7;
/** A straight line between two places is this much shorter than the road. */
const WINDING = 1.03;

/** The stations of every area, the side with rising kilometres first; an area whose road is not given is left out. */
export function motorwaySites(
  roads: readonly Road[],
  units: readonly SimulatedUnit[],
  localities: readonly Locality[],
  seed: number,
): MotorwaySite[] {
  return SERVICE_AREAS.flatMap((stretch) => {
    const road = roads.find(({ ref, legs }) => ref === stretch.ref && legs[0]?.from.key === stretch.from);
    if (road === undefined) return [];
    return stretch.areas.flatMap(([km, network]) => {
      const premium = 10 * randomInteger(PREMIUM_BANI.from, PREMIUM_BANI.to, seed, 'motorway', stretch.ref, km);
      return [1, 0].flatMap((side) => {
        const own = side === 1 ? km : km + BETWEEN_SIDES_KM;
        const point = pointAlong(road.legs, own - stretch.startKm);
        const unit = point && unitOf(point, units, localities);
        if (!unit) return [];
        const labels = labelsOf(stretch, own, side as 0 | 1, network, unit);
        return [{ site: { ...point, road: null, km: distanceKm(unit, point) }, unit, network, labels, premium }];
      });
    });
  });
}

/** The point this far along a road. */
function pointAlong(legs: readonly RoadLeg[], km: number): Point | null {
  let rest = km;
  for (const { from, to, km: known } of legs) {
    const length = known ?? distanceKm(from, to) * WINDING;
    if (rest <= length) {
      const share = rest / length;
      return { lat: between(from.lat, to.lat, share), lng: between(from.lng, to.lng, share) };
    }
    rest -= length;
  }
  return null;
}

const between = (first: number, last: number, share: number): number =>
  Math.round((first + (last - first) * share) * 1e6) / 1e6;

/** A unit of the county of the nearest place, so that the coordinates are not suspect. */
function unitOf(
  point: Point,
  units: readonly SimulatedUnit[],
  localities: readonly Locality[],
): SimulatedUnit | undefined {
  const county = nearest(point, localities)?.county;
  return nearest(
    point,
    units.filter((unit) => unit.county === county),
  );
}

function nearest<T extends Point>(point: Point, places: readonly T[]): T | undefined {
  let best: { place: T; km: number } | undefined;
  for (const place of places) {
    const km = distanceKm(point, place);
    if (best === undefined || km < best.km) best = { place, km };
  }
  return best?.place;
}

/** Each network writes its addresses in its own way. */
function labelsOf(
  { ref, ends }: ServiceAreas,
  km: number,
  side: 0 | 1,
  network: NetworkId,
  unit: SimulatedUnit,
): MotorwaySite['labels'] {
  const whole = Math.floor(km);
  const post = `${whole}+${String(Math.round((km - whole) * 10) * 100).padStart(3, '0')}`;
  const way = side === 1 ? `${ends[0]}-${ends[1]}` : `${ends[1]}-${ends[0]}`;
  const address = {
    PETROM: `Autostrada ${ref}, km ${post}, sens ${way}`,
    OMV: `Autostrada ${ref} km ${post} sens ${way}`,
    ROMPETROL: `${ref}, KM ${post}, sensul spre ${ends[side]}, ${unit.ascii}`,
    LUKOIL: `AUTOSTRADA ${ref} KM ${post}, DIRECTIA ${ends[side]}`,
    MOL: `Autostrada ${ref}, km ${post}, sens ${way}`,
    SOCAR: `${ref} km ${post}, sens ${way}`,
    GAZPROM: `Autostrada ${ref}, km ${post}`,
  }[network];
  return {
    name: `${ref} km ${whole} ${ends[side]} ${SIMULATED_MARK}`,
    address: `${SIMULATED_MARK} ${address}`,
    zipcode: '',
  };
}

/** What the page of a journey shows: its stops and whether a detour is worth it, from one snapshot. */
import type { Gazetteer } from '../../../domain/places/gazetteer.ts';
import type { Locality } from '../../../domain/places/locality.ts';
import { placesAlong } from '../../../domain/roads/corridor.ts';
import type { DetourFinder } from '../../../domain/roads/detour.ts';
import {
  adviseStop,
  bestStop,
  type FuelStop,
  type RankedStop,
  type RefuelTerms,
  type StopAdvice,
} from '../../../domain/roads/stop-saving.ts';
import { isMotorwayAddress } from '../../../domain/stations/motorway-address.ts';
import { PricedStations } from '../../../snapshot/priced-stations.ts';
import type { ServedStation, Snapshot } from '../../../snapshot/snapshot.ts';
import type { JourneyRoute } from '../../frame/journey-planner.ts';
import type { PageRequest, SiteData } from '../../frame/site-data.ts';
import { type StationPrices, stationLookup, unrankedStations } from '../../lookup/station-prices.ts';
import type { JourneyChoices } from './journey-choices.ts';

/** A station with a trusted price beside the route. */
export type JourneyStop = FuelStop &
  StationPrices & {
    /** Distance by road from the start. */
    readonly kmFromStart: number | null;
  };

export type Journey = {
  readonly from: Locality;
  readonly to: Locality;
  readonly route: JourneyRoute;
  /** How many stations with a trusted price are in the corridor, as the API counts them. */
  readonly count: number;
  /** `null` = no station in the corridor has a trusted price. */
  readonly advice: StopAdvice<JourneyStop> | null;
  /** Stations in the corridor that sell the fuel at a price that does not count. */
  readonly unranked: readonly StationPrices[];
};

/** Ways to a station that the built-in roads do not know, against the straight distance, and their speed. */
const UNKNOWN_ROAD = { winding: 1.3, kmh: 40 };
/** A service area is nearer to the line of its motorway than this. */
const MOTORWAY_KM = 1;

/** Plans the journey; `null` = there is no route. */
export async function planJourney(
  from: Locality,
  to: Locality,
  choices: JourneyChoices,
  { snapshot, journeys }: Pick<SiteData, 'snapshot' | 'journeys'>,
  { visitor, outsideTurn }: Pick<PageRequest, 'visitor' | 'outsideTurn'>,
): Promise<Journey | null> {
  const route = await journeys.findRoute(from, to, visitor, outsideTurn);
  if (route === 'no_route') return null;
  const findDetour = await journeys.findDetours(from, to);
  const { byId, stations } = stationLookup(snapshot);
  const along = pricedStations(snapshot).along(route.line, choices.fuel, choices.radiusKm);
  const stops = along.map(({ place: { station, price }, km }) => ({
    ...(byId.get(station.id) as StationPrices),
    price,
    ...detourTo(station, km, route.km, findDetour),
  }));
  const doubted = unrankedStations(stations, choices.fuel).map((each) => ({
    ...each,
    lat: each.station.lat,
    lng: each.station.lng,
  }));
  return {
    ...{ from, to, route },
    count: along.length,
    advice: adviseStop(stops, choices),
    unranked: placesAlong(route.line, doubted, choices.radiusKm)
      .sort((a, b) => a.km - b.km)
      .map(({ place }) => place),
  };
}

/** @param lineKm Straight distance to the route. */
function detourTo(station: ServedStation, lineKm: number, routeKm: number, findDetour: DetourFinder | undefined) {
  const { kmFromStart: km0 = null, ...known } = findDetour?.(station) ?? {};
  // The way to a station beside the end of the road may be longer than the road.
  const kmFromStart = km0 === null ? null : Math.min(km0, routeKm);
  if (lineKm <= MOTORWAY_KM && isMotorwayAddress(station.address))
    return { kmFromStart, detour: { km: 0, minutes: 0 } };
  const km = 2 * lineKm * UNKNOWN_ROAD.winding;
  return { kmFromStart, detour: { km, minutes: (km / UNKNOWN_ROAD.kmh) * 60, ...known } };
}

const priced = new WeakMap<Snapshot, PricedStations>();

function pricedStations(snapshot: Snapshot): PricedStations {
  const known = priced.get(snapshot);
  if (known !== undefined) return known;
  const made = new PricedStations(snapshot.records);
  priced.set(snapshot, made);
  return made;
}

const STAGE_KM = 100;

/** The stop to make on each 100 km, from the start on: judged as the one of the whole way is. */
export function bestOfStages(
  ranked: readonly RankedStop<JourneyStop>[],
  routeKm: number,
  terms: RefuelTerms,
): readonly RankedStop<JourneyStop>[] {
  const last = Math.max(0, Math.ceil(routeKm / STAGE_KM) - 1);
  const known = ranked.filter(({ stop }) => stop.kmFromStart !== null);
  const stages = Map.groupBy(known, ({ stop }) => Math.min(last, Math.floor((stop.kmFromStart ?? 0) / STAGE_KM)));
  return [...stages].sort(([a], [b]) => a - b).map(([, stops]) => bestStop(stops, terms));
}

const LARGEST = 20;

/** The largest towns: search engines list the journeys between them. */
export function largestTowns({ localities }: Gazetteer): readonly Locality[] {
  return localities.slice(0, LARGEST);
}

/** Where a station stands: its city, its county, its coordinates and whether they are to be doubted. */
import type { County } from '../domain/places/county.ts';
import type { Gazetteer } from '../domain/places/gazetteer.ts';
import type { Locality } from '../domain/places/locality.ts';
import type { Point } from '../domain/point.ts';
import { networkOf } from '../domain/stations/network.ts';
import type { Station } from '../domain/stations/station.ts';
import { declaredCity, isSuspect, pointOf } from '../domain/stations/whereabouts.ts';
import type { ServedStation } from './snapshot.ts';

export type PlacedStation = { readonly served: ServedStation; readonly city: Locality | undefined };

/** Answers remembered over snapshots: the gazetteer never changes while the process lives. */
const suspicions = new WeakMap<Gazetteer, Map<string, boolean>>();
const nearest = new WeakMap<Gazetteer, Map<string, Locality | undefined>>();

/** Places stations by the gazetteer. City: decision 21; suspicious coordinates: decision 29. */
export function createPlacer(gazetteer: Gazetteer): (station: Station) => PlacedStation {
  const suspect = remembered(suspicions, gazetteer);
  const near = remembered(nearest, gazetteer);
  return (station) => {
    const declared = declaredCity(station, gazetteer);
    const keyOf = (point: Point) => `${point.lat} ${point.lng} ${declared?.county}`;
    const isDoubtful = (point: Point) => recall(suspect, keyOf(point), () => isSuspect(point, declared, gazetteer));
    const given = pointOf(station);
    const doubtful = given !== null && isDoubtful(given);
    const better = doubtful ? station.alternatives.find((point) => !isDoubtful(point)) : undefined;
    const point = better ?? given;
    const city = declared ?? (point ? recall(near, keyOf(point), () => gazetteer.nearestLocality(point)) : undefined);
    const county = city && gazetteer.countyByCode(city.county);
    const suspectCoordinates = doubtful && better === undefined;
    return { served: asServed(station, city, county, point ?? city ?? { lat: 0, lng: 0 }, suspectCoordinates), city };
  };
}

function asServed(
  station: Station,
  city: Locality | undefined,
  county: County | undefined,
  { lat, lng }: { lat: number; lng: number },
  suspectCoordinates: boolean,
): ServedStation {
  const network = networkOf(station.brand) ?? { slug: station.network, name: station.brand, colour: '', logo: '' };
  return {
    id: station.id,
    network,
    city: city?.ascii ?? '',
    citySlug: city?.slug ?? '',
    county: county?.code ?? '',
    countyName: county?.ascii ?? '',
    address: station.address,
    lat,
    lng,
    approximateCoordinates: station.lat === null || station.lng === null,
    suspectCoordinates,
    name: station.manual?.name || null,
    franchise: station.manual?.franchise ?? null,
    priceNote: station.manual?.priceNote ?? null,
    hours: station.hours,
    services: station.services,
    phone: station.phone,
  };
}

function remembered<T>(memory: WeakMap<Gazetteer, Map<string, T>>, gazetteer: Gazetteer): Map<string, T> {
  const known = memory.get(gazetteer) ?? new Map<string, T>();
  memory.set(gazetteer, known);
  return known;
}

function recall<T>(memory: Map<string, T>, key: string, find: () => T): T {
  const known = memory.get(key);
  if (known !== undefined || memory.has(key)) return known as T;
  const found = find();
  memory.set(key, found);
  return found;
}

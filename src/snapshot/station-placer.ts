/** Locates a station: its city, its county, its coordinates and whether they are suspect. */
import type { County } from '../domain/places/county.ts';
import type { Gazetteer } from '../domain/places/gazetteer.ts';
import type { Locality } from '../domain/places/locality.ts';
import type { Point } from '../domain/point.ts';
import { networkOf } from '../domain/stations/network.ts';
import type { Station } from '../domain/stations/station.ts';
import { declaredCity, isSuspectPoint, pointOf } from '../domain/stations/station-location.ts';
import type { ServedStation } from './snapshot.ts';

export type PlacedStation = { readonly served: ServedStation; readonly city: Locality | undefined };

/**
 * Results cached across snapshots: the gazetteer does not change during the life of the process. Readers have the same
 * stations from one publication to the next; who reads rows has new ones with the same coordinates.
 */
const placedCaches = new WeakMap<Gazetteer, WeakMap<Station, PlacedStation>>();
const suspectCaches = new WeakMap<Gazetteer, Map<string, boolean>>();
const nearestCaches = new WeakMap<Gazetteer, Map<string, Locality | undefined>>();

/** Locates stations with the gazetteer. City: rule 21; suspect coordinates: rule 29. */
export function createStationPlacer(gazetteer: Gazetteer): (station: Station) => PlacedStation {
  const placedCache = placedCaches.getOrInsertComputed(gazetteer, () => new WeakMap());
  const suspectCache = suspectCaches.getOrInsertComputed(gazetteer, () => new Map());
  const nearestCache = nearestCaches.getOrInsertComputed(gazetteer, () => new Map());
  const place = (station: Station): PlacedStation => {
    const declared = declaredCity(station, gazetteer);
    const keyOf = (point: Point) => `${point.lat} ${point.lng} ${declared?.county}`;
    const isSuspect = (point: Point) =>
      getOrCompute(suspectCache, keyOf(point), () => isSuspectPoint(point, declared, gazetteer));
    const given = pointOf(station);
    const suspect = given !== null && isSuspect(given);
    const better = suspect ? station.alternatives.find((point) => !isSuspect(point)) : undefined;
    const point = better ?? given;
    const city =
      declared ??
      (point ? getOrCompute(nearestCache, keyOf(point), () => gazetteer.nearestLocality(point)) : undefined);
    const county = city && gazetteer.countyByCode(city.county);
    const suspectCoordinates = suspect && better === undefined;
    return {
      served: toServedStation(station, city, county, point ?? city ?? { lat: 0, lng: 0 }, suspectCoordinates),
      city,
    };
  };
  return (station) => placedCache.getOrInsertComputed(station, place);
}

function toServedStation(
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

function getOrCompute<T>(cache: Map<string, T>, key: string, find: () => T): T {
  const known = cache.get(key);
  if (known !== undefined || cache.has(key)) return known as T;
  const found = find();
  cache.set(key, found);
  return found;
}

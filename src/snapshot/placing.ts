/** Where a station stands: its city, its county, its coordinates and whether they are to be doubted. */
import type { County } from '../domain/county.ts';
import type { Gazetteer } from '../domain/geography.ts';
import type { Locality } from '../domain/locality.ts';
import { networkOf } from '../domain/network.ts';
import type { Station } from '../domain/station.ts';
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
    const point = station.lat === null || station.lng === null ? null : { lat: station.lat, lng: station.lng };
    const declared = declaredCity(station, gazetteer);
    const key = point && `${point.lat} ${point.lng} ${declared?.county}`;
    const city = declared ?? (point && key ? recall(near, key, () => gazetteer.nearestLocality(point)) : undefined);
    const county = city && gazetteer.countyByCode(city.county);
    const suspectCoordinates =
      point !== null &&
      key !== null &&
      recall(suspect, key, () =>
        gazetteer.suspectCoordinates(point, (declared && gazetteer.countyByCode(declared.county)) ?? null),
      );
    return { served: asServed(station, city, county, point ?? city ?? { lat: 0, lng: 0 }, suspectCoordinates), city };
  };
}

function declaredCity(station: Station, gazetteer: Gazetteer): Locality | undefined {
  if (station.locality !== null) return gazetteer.localityBySlug(station.locality);
  return station.siruta === null ? undefined : gazetteer.cityOfUnit(station.siruta);
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

/**
 * Maps of stations and cities inside pages: a pill for each trusted price as far as there is room, a dot for the rest.
 */
import type { MilliPrice, RoadFuel } from '../../domain/fuel.ts';
import type { Language } from '../../domain/localized-text.ts';
import { FUEL_SLUG } from '../../domain/pages/fuel-slug.ts';
import { routePath } from '../../domain/pages/routes.ts';
import type { Gazetteer } from '../../domain/places/gazetteer.ts';
import type { Point } from '../../domain/point.ts';
import { trustedPrice } from '../../domain/prices/price-verdict.ts';
import type { CityPrices } from '../../snapshot/snapshot.ts';
import type { SiteData } from '../frame/site-data.ts';
import { formatRon } from '../html/formats.ts';
import type { Html } from '../html/html-template.ts';
import { cityName } from '../lookup/place-slugs.ts';
import type { StationPrices } from '../lookup/station-prices.ts';
import { mapFrame } from '../map/map-frame.ts';
import { boundsOf, type MapMark } from '../map/static-map.ts';

/** The stations that sell a fuel; `null` without any. A price that does not count is a dot. */
export function stationMap(
  stations: readonly StationPrices[],
  fuel: RoadFuel,
  label: string,
  { streetZoom }: Pick<SiteData, 'streetZoom'>,
  language: Language,
): Html | null {
  const marks = stationMarks(stations, fuel, language);
  const bounds = boundsOf(marks);
  return bounds === undefined ? null : mapFrame({ language, label, marks, bounds, streetZoom });
}

/** The stations that sell a fuel, as marks that lead to their pages. */
export function stationMarks(stations: readonly StationPrices[], fuel: RoadFuel, language: Language): MapMark[] {
  return stations
    .filter(({ verdicts, station }) => verdicts.has(fuel) && !station.suspectCoordinates)
    .map(({ station, slug, verdicts }) => {
      const price = trustedPrice(verdicts.get(fuel));
      const name = `${station.network.name}, ${station.address}`;
      return markOf(station, name, price, routePath('station', language, { station: slug }), language);
    });
}

/** Cities with their lowest price of a fuel; `null` without any. */
export function cityMap(
  cities: readonly CityPrices[],
  fuel: RoadFuel,
  label: string,
  { gazetteer, streetZoom }: Pick<SiteData, 'gazetteer' | 'streetZoom'>,
  language: Language,
): Html | null {
  const marks = cityMarks(cities, fuel, gazetteer, language);
  const bounds = boundsOf(marks);
  return bounds === undefined ? null : mapFrame({ language, label, marks, bounds, streetZoom });
}

/** Cities as marks that lead to the pages of a fuel there. */
export function cityMarks(
  cities: readonly CityPrices[],
  fuel: RoadFuel,
  gazetteer: Gazetteer,
  language: Language,
): MapMark[] {
  return cities.map((city) => {
    const name = cityName(city.slug, city.name, gazetteer);
    const path = routePath('cityFuel', language, { city: city.slug, fuel: FUEL_SLUG[language][fuel] });
    return markOf(city, name, city.prices[fuel], path, language);
  });
}

function markOf(
  { lat, lng }: Point,
  name: string,
  price: MilliPrice | null,
  href: string,
  language: Language,
): MapMark {
  const text = price === null ? '' : formatRon(price, language);
  return { lat, lng, price, text, label: price === null ? name : `${name}: ${text} lei`, href };
}

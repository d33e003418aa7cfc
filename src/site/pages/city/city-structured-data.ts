/**
 * The pages of a city as schema.org data: a Dataset first, as programs that read the page expect it, then the ranking.
 */

import { dayText, isoInstant } from '../../../domain/days.ts';
import { ROAD_FUELS, type RoadFuel } from '../../../domain/fuel.ts';
import type { Language } from '../../../domain/localized-text.ts';
import { routePath } from '../../../domain/pages/routes.ts';
import { LICENCE, SERVICE_NAME } from '../../../domain/service-identity.ts';
import type { SiteData } from '../../frame/site-data.ts';
import { counted, STATIONS } from '../../html/counted.ts';
import { type RankedStation, rankByPrice } from '../../lookup/station-prices.ts';
import { fuelGenitive } from '../../parts/fuel-words.ts';
import { stationItemList } from '../../parts/station-list-data.ts';
import { type City, csvPath } from './city-data.ts';
import { TEXTS } from './city-texts.ts';

/** Names that programs which read the page look for. Source: site.md §6.4. */
const VARIABLE: Readonly<Record<RoadFuel, string>> = {
  petrol: 'Benzină 95',
  petrol_premium: 'Benzină premium',
  diesel: 'Motorină',
  diesel_premium: 'Motorină premium',
  lpg: 'GPL',
};

/** The lowest prices of a city, and its stations by the price of petrol, as its table ranks them. */
export function cityData(city: City, data: SiteData, language: Language): object[] {
  const ranked = rankByPrice(city.stations, 'petrol');
  return [cityDataset(city, ROAD_FUELS, data, language), ...rankingList(city, 'petrol', ranked, data, language)];
}

/** The lowest price of one fuel in a city, and the ranking of that fuel. */
export function cityFuelData(
  city: City,
  fuel: RoadFuel,
  ranked: readonly RankedStation[],
  data: SiteData,
  language: Language,
): object[] {
  return [cityDataset(city, [fuel], data, language), ...rankingList(city, fuel, ranked, data, language)];
}

function rankingList(
  city: City,
  fuel: RoadFuel,
  ranked: readonly RankedStation[],
  { publicUrl }: SiteData,
  language: Language,
): object[] {
  if (ranked.length === 0) return [];
  const name = TEXTS.priceOf[language](fuelGenitive(fuel, language), city.name);
  return [stationItemList(name, ranked, publicUrl, language)];
}

function cityDataset(
  city: City,
  fuels: readonly RoadFuel[],
  { publicUrl, snapshot }: SiteData,
  language: Language,
): object {
  const url = `${publicUrl}${routePath('city', language, city.segment)}`;
  const download = (encodingFormat: string, path: string) => ({
    '@type': 'DataDownload',
    encodingFormat,
    contentUrl: `${publicUrl}${path}`,
  });
  return {
    '@context': 'https://schema.org',
    '@type': 'Dataset',
    name: language === 'ro' ? `Prețuri carburanți ${city.name}` : `Fuel prices in ${city.name}`,
    description:
      language === 'ro'
        ? `Cele mai mici prețuri de încredere ale carburanților din ${city.name}, după ${counted(city.stations.length, STATIONS, 'ro')}.`
        : `Lowest trusted fuel prices in ${city.name}, over ${counted(city.stations.length, STATIONS, 'en')}.`,
    url,
    license: LICENCE.url,
    creator: { '@type': 'Organization', name: SERVICE_NAME, url: `${publicUrl}/` },
    isAccessibleForFree: true,
    temporalCoverage: dayText(snapshot.today),
    ...(snapshot.updatedAt !== null && { dateModified: isoInstant(snapshot.updatedAt) }),
    spatialCoverage: {
      '@type': 'Place',
      name: city.name,
      geo: { '@type': 'GeoCoordinates', latitude: city.lat, longitude: city.lng },
    },
    distribution: [
      download('text/csv', csvPath(city)),
      ...(city.county === null
        ? []
        : [download('application/json', `/api/v1/preturi?judet=${encodeURIComponent(city.county.name)}`)]),
    ],
    variableMeasured: fuels.flatMap((each) => {
      const price = city.lowest[each];
      if (price === null) return [];
      return [{ '@type': 'PropertyValue', name: VARIABLE[each], value: price / 1000, unitText: 'RON/l' }];
    }),
  };
}

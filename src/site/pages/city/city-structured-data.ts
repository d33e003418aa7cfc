/** The pages of a city as schema.org data: a Dataset at the top, as readers of the page expect it. */
import { LICENCE, SERVICE_NAME } from '../../../domain/access/plans.ts';
import { dayText, isoInstant } from '../../../domain/days.ts';
import { ROAD_FUELS, type RoadFuel } from '../../../domain/fuel.ts';
import type { Language } from '../../../domain/localized-text.ts';
import { routePath } from '../../../domain/pages/routes.ts';
import type { SiteData } from '../../frame/site-data.ts';
import { counted, STATIONS } from '../../html/counted.ts';
import { type City, csvPath } from './city-data.ts';

/** Names that programs which read the page look for. Source: site.md §6.4. */
const VARIABLE: Readonly<Record<RoadFuel, string>> = {
  petrol: 'Benzină 95',
  petrol_premium: 'Benzină premium',
  diesel: 'Motorină',
  diesel_premium: 'Motorină premium',
  lpg: 'GPL',
};

/** The lowest prices of a city, or of one fuel there. */
export function cityDataset(
  city: City,
  { publicUrl, snapshot }: SiteData,
  language: Language,
  fuel?: RoadFuel,
): object {
  const fuels = fuel === undefined ? ROAD_FUELS : [fuel];
  const url = `${publicUrl}${routePath('city', language, city.segment)}`;
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
    distribution: [{ '@type': 'DataDownload', encodingFormat: 'text/csv', contentUrl: `${publicUrl}${csvPath(city)}` }],
    variableMeasured: fuels.flatMap((each) => {
      const price = city.lowest[each];
      if (price === null) return [];
      return [{ '@type': 'PropertyValue', name: VARIABLE[each], value: price / 1000, unitText: 'RON/l' }];
    }),
  };
}

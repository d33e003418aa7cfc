/** The page of the motorways as schema.org data. */

import { dayText, isoInstant } from '../../../domain/days.ts';
import type { Language } from '../../../domain/localized-text.ts';
import { ROUTES } from '../../../domain/pages/routes.ts';
import { LICENCE, SERVICE_NAME } from '../../../domain/service-identity.ts';
import type { SiteData } from '../../frame/site-data.ts';
import { fuelName } from '../../parts/fuel-words.ts';
import type { Motorways } from './motorways-data.ts';
import { TEXTS } from './motorways-texts.ts';

/** The mean premium of each fuel as a dataset. */
export function motorwaysDataset(
  { means }: Motorways,
  description: string,
  { publicUrl, snapshot }: SiteData,
  language: Language,
): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'Dataset',
    name: TEXTS.heading[language],
    description,
    url: `${publicUrl}${ROUTES.motorways[language]}`,
    license: LICENCE.url,
    creator: { '@type': 'Organization', name: SERVICE_NAME, url: `${publicUrl}/` },
    isAccessibleForFree: true,
    ...(snapshot.updatedAt !== null && { dateModified: isoInstant(snapshot.updatedAt) }),
    temporalCoverage: dayText(snapshot.today),
    spatialCoverage: { '@type': 'Place', name: TEXTS.country[language] },
    // The prices that the figures are made of.
    distribution: [
      { '@type': 'DataDownload', encodingFormat: 'application/json', contentUrl: `${publicUrl}/api/v1/statii` },
    ],
    variableMeasured: [...means].map(([fuel, { premium }]) => ({
      '@type': 'PropertyValue',
      name: `${TEXTS.dataset[language]}: ${fuelName(fuel, language)}`,
      value: premium / 1000,
      unitText: 'RON/l',
    })),
  };
}

/** The page of a station as schema.org data: only what the page shows, and only prices that count. */
import { FUEL_NAME } from '../../../domain/fuel.ts';
import type { Language } from '../../../domain/localized-text.ts';
import { routePath } from '../../../domain/pages/routes.ts';
import { trustedPrice } from '../../../domain/prices/price-verdict.ts';
import type { PublicReviews } from '../../../domain/review.ts';
import type { SiteData } from '../../frame/site-data.ts';
import { openingHoursOf } from './opening-hours.ts';
import type { StationDetails } from './station-data.ts';

/** The station with its offers; with a rating only when there are reviews. */
export function gasStation(
  details: StationDetails,
  reviews: PublicReviews | null,
  { publicUrl }: SiteData,
  language: Language,
): object {
  const { station, slug, city, county, position } = details;
  const hours = openingHoursOf(station.hours ?? '');
  const url = `${publicUrl}${routePath('station', language, { station: slug })}`;
  return {
    '@context': 'https://schema.org',
    '@type': 'GasStation',
    '@id': `${publicUrl}${routePath('station', 'ro', { station: slug })}`,
    name: station.name ?? `${station.network.name}${city === null ? '' : ` ${city.name}`}`,
    url,
    brand: { '@type': 'Brand', name: station.network.name },
    address: {
      '@type': 'PostalAddress',
      ...(station.address !== '' && { streetAddress: station.address }),
      ...(city !== null && { addressLocality: city.name }),
      ...(county !== null && { addressRegion: county.name }),
      addressCountry: 'RO',
    },
    ...(position === 'exact' && {
      geo: { '@type': 'GeoCoordinates', latitude: station.lat, longitude: station.lng },
    }),
    ...(station.phone !== null && { telephone: station.phone }),
    // Anything else is free text, which the vocabulary has no place for.
    ...(hours.length > 0 && { openingHours: hours }),
    currenciesAccepted: 'RON',
    makesOffer: details.fuels.flatMap(({ fuel, verdict }) => {
      const price = trustedPrice(verdict);
      return price === null ? [] : [offer(FUEL_NAME[fuel][language], price)];
    }),
    ...(reviews !== null &&
      reviews.count > 0 && {
        aggregateRating: {
          '@type': 'AggregateRating',
          ratingValue: reviews.mean,
          ratingCount: reviews.count,
          bestRating: 5,
          worstRating: 1,
        },
      }),
  };
}

function offer(name: string, milli: number): object {
  const price = milli / 1000;
  return {
    '@type': 'Offer',
    itemOffered: { '@type': 'Product', name },
    price,
    priceCurrency: 'RON',
    priceSpecification: {
      '@type': 'UnitPriceSpecification',
      price,
      priceCurrency: 'RON',
      referenceQuantity: { '@type': 'QuantitativeValue', value: 1, unitCode: 'LTR' },
    },
  };
}

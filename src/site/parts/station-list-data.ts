/** A list of stations as schema.org data. */
import type { Language } from '../../domain/localized-text.ts';
import { routePath } from '../../domain/pages/routes.ts';
import type { StationPrices } from '../lookup/station-prices.ts';

/** Each listed station costs 30 to 40 bytes of the page as compressed. */
const MOST_IN_LIST_DATA = 20;

/** The first stations of a ranking, in its order, as an `ItemList`. */
export function stationItemList(
  name: string,
  stations: readonly Pick<StationPrices, 'station' | 'slug'>[],
  publicUrl: string,
  language: Language,
): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'ItemList',
    name,
    itemListElement: stations.slice(0, MOST_IN_LIST_DATA).map(({ station: { network, address }, slug }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name: [network.name, address].filter((part) => part !== '').join(', '),
      url: `${publicUrl}${routePath('station', language, { station: slug })}`,
    })),
  };
}

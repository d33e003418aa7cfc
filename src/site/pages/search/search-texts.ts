/** The texts of the page of search results. */

import type { LocalizedText } from '../../../domain/localized-text.ts';
import { SERVICE_NAME } from '../../../domain/service-identity.ts';
import { text } from '../../html/text.ts';
import type { SearchGroup } from '../../parts/search-items.ts';

const GROUPS: Readonly<Record<SearchGroup['kind'], LocalizedText>> = {
  cities: { ro: 'Localități', en: 'Places' },
  counties: { ro: 'Județe', en: 'Counties' },
  pages: { ro: 'Pagini', en: 'Pages' },
  networks: { ro: 'Rețele', en: 'Networks' },
  villages: { ro: 'Localități fără benzinării', en: 'Places without stations' },
  stations: { ro: 'Benzinării', en: 'Stations' },
  likely: { ro: 'Poate ați căutat', en: 'Did you mean' },
};

export const TEXTS = {
  groups: GROUPS,
  heading: text('Caută prețuri', 'Search for prices'),
  title: text(
    `Caută prețul carburanților după oraș sau benzinărie | ${SERVICE_NAME}`,
    `Search fuel prices by city, county, network, station | ${SERVICE_NAME}`,
  ),
  titleOf: text(
    (typed: string) => `„${typed}”: prețuri la carburanți | ${SERVICE_NAME}`,
    (typed: string) => `“${typed}”: fuel prices | ${SERVICE_NAME}`,
  ),
  resultsOf: text(
    (typed: string) => `Rezultate pentru „${typed}”`,
    (typed: string) => `Results for “${typed}”`,
  ),
  description: text(
    'Orașe, județe, rețele și benzinării din România, fiecare cu prețul de azi al carburantului căutat.',
    'Cities, counties, networks and stations of Romania, each with today’s price of the fuel searched for.',
  ),
  lead: text(
    'Scrieți numele unui oraș, al unui județ sau al unei rețele, ori adresa unei benzinării; și carburantul, dacă nu este benzina: „motorină Cluj”. Se găsesc și paginile: „autostrăzi”, „alerte”, „Germania”.',
    'Type the name of a city, county or network, or the address of a station; and the fuel, unless it is petrol: “diesel Cluj”. Pages are found, too: “motorways”, “alerts”, “Germany”.',
  ),
  nothing: text('Nu s-a găsit nimic cu acest nume.', 'Nothing has this name.'),
  advice: text(
    'Încercați numele unui oraș, fără prescurtări, sau numai începutul lui.',
    'Try the name of a city, without abbreviations, or only its beginning.',
  ),
  priceOf: text(
    (fuel: string) => `Prețurile sunt pentru ${fuel}, în lei pe litru.`,
    (fuel: string) => `Prices are for ${fuel}, in lei per litre.`,
  ),
  shown: text(
    (shown: number, all: string) => `Primele ${shown} din ${all}, începând cu cele mai ieftine.`,
    (shown: number, all: string) => `The first ${shown} of ${all}, cheapest first.`,
  ),
};

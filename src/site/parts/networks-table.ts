/** Networks compared by the mean of their prices of one fuel, cheapest first. */
import { compareCodeUnits } from '../../algorithms/compare-code-units.ts';
import { type MilliPrice, meanToBani, type RoadFuel } from '../../domain/fuel.ts';
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import { routePath } from '../../domain/pages/routes.ts';
import type { Network } from '../../domain/stations/network.ts';
import { formatBani } from '../html/formats.ts';
import { type Html, html } from '../html/html-template.ts';
import { scrollableTable } from '../html/scrollable-table.ts';
import { type RankedStation, rankByPrice, type StationPrices } from '../lookup/station-prices.ts';
import { fuelNameInText } from './fuel-words.ts';
import { priceAlone } from './price-parts.ts';

const HEADING: LocalizedText = { ro: 'Rețelele comparate', en: 'Networks compared' };
const CAPTION = {
  ro: (fuel: string) => `Media prețurilor de încredere la ${fuel}, lei pe litru`,
  en: (fuel: string) => `Average of trusted ${fuel} prices, lei per litre`,
};
const NETWORK: LocalizedText = { ro: 'Rețea', en: 'Network' };
const STATIONS: LocalizedText = { ro: 'Benzinării', en: 'Stations' };
const MEAN: LocalizedText = { ro: 'Media', en: 'Average' };
const DIFFERENCE: LocalizedText = { ro: 'Față de cea mai ieftină, bani', en: 'Against the cheapest, bani' };

type NetworkMean = { readonly network: Network; readonly count: number; readonly mean: MilliPrice };

/** The table; `null` where fewer than two networks have a trusted price. */
export function networksTable(stations: readonly StationPrices[], fuel: RoadFuel, language: Language): Html | null {
  const networks = networkMeans(stations, fuel);
  const [cheapest] = networks;
  if (cheapest === undefined || networks.length < 2) return null;
  const rows = networks.map(({ network, count, mean }) => {
    const path = routePath('network', language, { network: network.slug });
    const difference = mean === cheapest.mean ? '' : formatBani(mean - cheapest.mean, language);
    return html`<tr><th scope="row"><a href="${path}">${network.name}</a></th><td class="num">${count}</td><td class="num">${priceAlone(mean, language)}</td><td class="num">${difference}</td></tr>\n`;
  });
  return html`<h2>${HEADING[language]}</h2>
${scrollableTable(HEADING[language])}<table>
<caption>${CAPTION[language](fuelNameInText(fuel, language))}</caption>
<thead><tr><th scope="col">${NETWORK[language]}</th><th scope="col" class="num">${STATIONS[language]}</th><th scope="col" class="num">${MEAN[language]}</th><th scope="col" class="num">${DIFFERENCE[language]}</th></tr></thead>
<tbody>
${rows}</tbody>
</table></div>
`;
}

/** The networks with a trusted price; `count` is of the stations that have one. */
function networkMeans(stations: readonly StationPrices[], fuel: RoadFuel): NetworkMean[] {
  const byNetwork = Map.groupBy(rankByPrice(stations, fuel), ({ station }) => station.network.slug);
  return [...byNetwork.values()]
    .map((own) => ({
      network: (own[0] as RankedStation).station.network,
      count: own.length,
      mean: meanToBani(own.map(({ price }) => price)) as MilliPrice,
    }))
    .sort((a, b) => a.mean - b.mean || b.count - a.count || compareCodeUnits(a.network.slug, b.network.slug));
}
